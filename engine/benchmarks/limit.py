"""The limit: the same random play of two in plain C (`limit.c`), compiled where there is a compiler."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from engine.benchmarks.figures import Measure
from engine.fast.build import compiler

SOURCE: Final = Path(__file__).with_name("limit.c")
FLAGS: Final = ("-O3", "-std=c99")
ON: Final = "moscow/2"


@contextmanager
def limit_program() -> Iterator[Path | None]:
    """The compiled program, in a folder that goes with it; None without a compiler that can make it."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "limit")
        command = [*(compiler() or "").split(), *FLAGS, str(SOURCE), "-o", str(program)]
        made = compiler() and subprocess.run(command, capture_output=True, check=False).returncode == 0
        yield program if made else None


def run_limit(program: Path, deals: int, seed: int = 1) -> dict[str, Any]:
    """What the program saw: seconds, decisions, and how the deals ended."""
    done = subprocess.run([program, str(deals), str(seed)], capture_output=True, text=True, check=True)
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def limit_measure(program: Path) -> Measure:
    """Timed by itself, so that starting it does not count."""
    return Measure("limit", ON, "C", lambda n: float(run_limit(program, n)["seconds"]))
