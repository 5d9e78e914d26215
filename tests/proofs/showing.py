"""What a proof is made of: lines of a table, commands that are run, and what they said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.embedded.paths import PROJECT

OWN_SERVERS = ("DATABASE_URL", "BROKER_URL", "REDIS_URL")


@dataclass(frozen=True, slots=True)
class Line:
    """A claim, what was seen when it was tried, and the command that tries it again."""

    claim: str
    seen: str
    command: str
    holds: bool = True


Proof = Callable[[], list[Line]]


class NotShown(Exception):
    """A proof that failed; the text says what was seen instead."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended."""

    status: int
    output: str
    seconds: float

    @property
    def last_line(self) -> str:
        return self.output.strip().rpartition("\n")[2]

    def check(self) -> Ran:
        """Itself; raises NotShown with its last words if it ended badly."""
        if self.status != 0:
            raise NotShown(f"ended with status {self.status}: {' / '.join(self.output.strip().splitlines()[-6:])}")
        return self


def run(
    *argv: str, cwd: Path = PROJECT, env: Mapping[str, str] | None = None, timeout_s: float = 3_600, **options: Any
) -> Ran:
    """Runs a command with servers of its own, whatever ours are; output and errors together."""
    kept = {key: value for key, value in os.environ.items() if key not in OWN_SERVERS}
    began = time.monotonic()
    done = subprocess.run(
        argv,
        cwd=cwd,
        env=kept | dict(env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout_s,
        **options,
    )
    return Ran(done.returncode, done.stdout, time.monotonic() - began)


def run_module(name: str, *arguments: str, **options: Any) -> Ran:
    return run(sys.executable, "-m", name, *arguments, **options)


def figures_of(ran: Ran) -> dict[str, Any]:
    """The JSON object that a measurement prints as its last line."""
    figures = json.loads(ran.check().last_line)
    if not isinstance(figures, dict):
        raise NotShown(f"the last line is no object: {ran.last_line}")
    return figures
