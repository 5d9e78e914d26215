"""The starters of `docs/examples` as processes of their own, in each of their languages."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from deploy.embedded.lineage import as_ourselves, before_exec
from deploy.embedded.paths import PROJECT
from tests.node import node

EXAMPLES = PROJECT / "docs" / "examples"
CALLED = ("careful.py", "cheapest.py", "strongest.py", "cheapest.js", "cheapest.go")
CALLING = ("caller.py", "caller.js", "caller.go")
BUILT = PROJECT / "build" / "go"
"""What Go has compiled is kept: its own library takes it half a minute."""
BUILD_SECONDS = 280
READY_SECONDS = 30


class Starter:
    """One that runs; `output` is all that it has said."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process, self._log = process, log

    @property
    def output(self) -> str:
        return self._log.read_text(errors="replace")

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None


@contextmanager
def started(folder: Path, name: str, *arguments: str, **env: str) -> Iterator[Starter]:
    """A starter with its arguments and variables; it ends with the context."""
    log = folder / f"{name}-{time.monotonic_ns()}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            (*command(name), *arguments),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **env},
            preexec_fn=before_exec(as_ourselves, signal.SIGKILL),
        )
    try:
        yield Starter(process, log)
    finally:
        process.kill()
        process.wait()


def command(name: str) -> tuple[str, ...]:
    """How a starter is started."""
    path = EXAMPLES / name
    return {
        ".py": lambda: (sys.executable, str(path)),
        ".js": lambda: (node(), str(path)),
        ".go": lambda: (compiled(path),),
    }[path.suffix]()


@cache
def compiled(path: Path) -> str:
    """The program that Go makes of a file, without the network and without a C compiler."""
    BUILT.mkdir(parents=True, exist_ok=True)
    target = BUILT / path.stem
    env = {
        **os.environ,
        "CGO_ENABLED": "0",
        "GOCACHE": str(BUILT / "cache"),
        "GOFLAGS": "-mod=mod",
        "GOPATH": str(BUILT / "path"),
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
    }
    go = shutil.which("go") or str(Path(sysconfig.get_path("scripts")) / "go")
    subprocess.run([go, "build", "-o", str(target), str(path)], env=env, check=True, timeout=BUILD_SECONDS)
    return str(target)


def wait_for_port(port: int, starter: Starter) -> None:
    """Until it listens there."""
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and not starter.has_ended:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens at {port}: {starter.output}")
