"""Programs that run beside the embedded servers: started, watched, restarted, stopped in order."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from deploy.embedded.lineage import SUPERVISED, as_ourselves, before_exec
from deploy.embedded.paths import PROJECT
from deploy.embedded.server import EmbeddedServer

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
STEADY_AFTER_S = 20.0  # a program that lived this long has its falls forgotten


@dataclass(frozen=True, slots=True)
class Program:
    """A program to keep running.

    `stop_signal` asks it to end, and after `grace_s` it is killed with all its children. `env` is added to ours.
    """

    name: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    stop_signal: signal.Signals = signal.SIGTERM
    grace_s: float = 5.0


class Supervisor:
    """Keeps programs running until it is left; a context manager, to be used from the main thread.

    Nothing happens behind the caller's back: he calls `tick` a few times a second, or `run`, which does.
    Should we be killed, the kernel kills each program; the workers that these start themselves must have called
    `die_with_parent` (Celery's pool) or `die_with_parent_if_supervised` (a web server's) for the same to befall them.
    """

    def __init__(self, log_dir: Path, say: Callable[[str], None] = print) -> None:
        self._log_dir = log_dir
        self._say = say
        self._kept: list[_Kept] = []
        self._servers: tuple[EmbeddedServer, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self, program: Program) -> None:
        """Start a program, which is kept running from now on; its output goes to `<name>.log`."""
        self._log_dir.mkdir(parents=True, exist_ok=True)
        kept = _Kept(program, self._log_dir / f"{program.name}.log")
        self._kept.append(kept)
        kept.start()

    def watch(self, *servers: EmbeddedServer) -> Self:
        """Start these servers again too, should one die; to stop them stays their owner's business."""
        self._servers += servers
        return self

    def tick(self) -> None:
        """Reap what has died and start again what is due, and say so. Waits for nothing but a server's start."""
        for server in self._servers:
            status = server.revive()
            if status is not None:
                self._say(f"{server.name} {_how_it_ended(status)}: started again")
        now = time.monotonic()
        for kept in self._kept:
            status = kept.reap(now)
            if status is not None:
                self._say(f"{kept.program.name} {_how_it_ended(status)}: again in {kept.pause_s:.1f} s ({kept.log})")
            kept.start_if_due(now)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Tick until that is so, or until Ctrl-C."""
        while not until():
            self.tick()
            time.sleep(0.2)

    def pid_of(self, name: str) -> int | None:
        """Process number of a program, or None while it is down."""
        return next((kept.pid for kept in self._kept if kept.program.name == name), None)

    def stop(self) -> None:
        """Stop all programs, the last started first; each has its grace, then its process group is killed.

        A second Ctrl-C while they have their grace kills the rest at once.
        """
        try:
            while self._kept:
                self._kept[-1].stop()
                self._kept.pop()
        finally:
            for kept in self._kept:
                kept.kill()
            self._kept.clear()


class _Kept:
    """A program with the process that runs it now, if one does."""

    def __init__(self, program: Program, log: Path) -> None:
        self.program = program
        self.log = log
        self.pause_s = FIRST_PAUSE_S
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = self._due_at = 0.0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.program.argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.program.env, SUPERVISED: "1"},
                cwd=PROJECT,
                # A session of its own: Ctrl-C is for us, and we can kill the program with all that it started.
                start_new_session=True,
                preexec_fn=before_exec(as_ourselves, signal.SIGKILL),
            )
        self._started_at = time.monotonic()

    def start_if_due(self, now: float) -> None:
        if self._process is None and now >= self._due_at:
            self.start()

    def reap(self, now: float) -> int | None:
        """The status of a process that has just ended; plans the next start, later with each fall in a row."""
        status = self._process.poll() if self._process else None
        if status is None:
            return None
        self.kill()
        steady = now - self._started_at >= STEADY_AFTER_S
        self.pause_s = FIRST_PAUSE_S if steady else min(self.pause_s * 2, LONGEST_PAUSE_S)
        self._due_at = now + self.pause_s
        return status

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.send_signal(self.program.stop_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self.program.grace_s)
        self.kill()

    def kill(self) -> None:
        """Kill the process and everything it started that stayed in its process group."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


def _how_it_ended(status: int) -> str:
    return f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it SIGTERM and SIGHUP end the run as Ctrl-C does: by KeyboardInterrupt, so that all is stopped."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
