"""Programs of ours as processes that may be killed: started again at once, seen from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil

from deploy.embedded.lineage import SUPERVISED, as_ourselves, before_exec
from deploy.embedded.paths import PROJECT
from tests.deploy.processes import lives, within

CELERY = (sys.executable, "-m", "celery", "-A", "deploy")
WORKER = (*CELERY, "worker", "--loglevel", "WARNING", "--without-gossip", "--without-mingle")
GONE_WITHIN_S = 10.0


class Crew:
    """The processes of one installation. What it started dies with it, and with the test process."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self.folder = folder
        self._env = {**os.environ, **env, SUPERVISED: "1"}
        self._argv: dict[str, tuple[tuple[str, ...], Mapping[str, str]]] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *argv: str, **env: str) -> None:
        """Starts a program under a name; its output goes to `<name>.log` in the folder."""
        self._argv[name] = (argv, env)
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**self._env, **env},
                cwd=PROJECT,
                start_new_session=True,
                preexec_fn=before_exec(as_ourselves, signal.SIGKILL),
            )

    def start_again(self, name: str) -> None:
        argv, env = self._argv[name]
        self.start(name, *argv, **env)

    def pool_of(self, name: str) -> list[int]:
        """Process numbers of a worker's pool children."""
        with contextlib.suppress(psutil.NoSuchProcess):
            return [child.pid for child in psutil.Process(self._running[name].pid).children() if lives(child.pid)]
        return []

    def kill(self, name: str) -> None:
        """kill -9 of a whole worker: the process that was started is shot, the kernel takes its pool with it."""
        pool = self.pool_of(name)
        self._running[name].kill()
        self._running[name].wait()
        assert within(GONE_WITHIN_S, lambda: not any(lives(pid) for pid in pool)), f"{name} left its pool behind"

    def fallen(self) -> list[str]:
        """Programs that have ended without having been told to."""
        return [name for name, process in self._running.items() if process.poll() is not None]

    def last_words(self, name: str, lines: int = 25) -> str:
        return "\n".join((self.folder / f"{name}.log").read_text(errors="replace").splitlines()[-lines:])

    def stop(self) -> None:
        """Kills everything that is left, the last started first."""
        for process in reversed(self._running.values()):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._running.clear()


def kill_process(pid: int) -> bool:
    """kill -9 of one process; whether it was there to be killed."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False
