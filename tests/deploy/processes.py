"""Programs that own servers, for tests that kill the owner: started for real, seen from outside."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

from deploy.embedded.paths import PROJECT

GONE_WITHIN_S = 6.0


@contextlib.contextmanager
def running_script(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A Python program beside the test; it is entered once it has printed `ready`, and killed at the end."""
    argv = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    # Without the session's servers: what the program starts is to be its own.
    env = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "BROKER_URL", "REDIS_URL"}}
    with subprocess.Popen(argv, cwd=PROJECT, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "ready"
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def bystander(*argv: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs while the test does, and no longer."""
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Whether the condition comes true within that time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def lives(pid: int) -> bool:
    """Whether the process does anything still; a zombie waits only for whoever adopted it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def descendants(pid: int) -> list[int]:
    """All processes below that one."""
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


def servers_pid(pid_file: Path) -> int:
    """The process number in a pid file."""
    return int(pid_file.read_text().split()[0])
