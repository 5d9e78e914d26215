"""What PostgreSQL and Valkey have in common: one owner, one process, one log, a start that is proven."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

from deploy.embedded.errors import DidNotStart
from deploy.embedded.lineage import Guise, as_ourselves, before_exec, owner_under
from deploy.embedded.ownership import OwnerLock, clear_orphan, give_to
from deploy.embedded.paths import private_dir

READY_WITHIN_S = 60.0  # a cluster that was killed replays its log first, on a slow disk too


class EmbeddedServer(ABC):
    """A server process that this process owns. Use it as a context manager, from the main thread.

    Everything of the server's lies in `folder`: `owner.lock`, `<name>.log`, and what the subclass names.
    """

    name = ""
    setting = ""
    stop_signals: tuple[signal.Signals, ...] = (signal.SIGTERM,)

    def __init__(self, folder: Path, guise: Guise = as_ourselves) -> None:
        self.folder = folder.resolve()
        self._guise = guise
        self._lock = OwnerLock(self.folder / "owner.lock")
        self._process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def _working_dir(self) -> Path:
        """The folder that the server makes its own working directory."""

    @abstractmethod
    def _pid_file(self) -> Path:
        """Where the server writes its process number."""

    @abstractmethod
    def _argv(self) -> list[str]:
        """The server's program and its options."""

    @abstractmethod
    def _is_ready(self) -> bool:
        """Whether it answers a client; asked again and again while it starts."""

    @abstractmethod
    def _prepare(self) -> None:
        """Make what must exist before the first start."""

    def __enter__(self) -> Self:
        private_dir(self.folder)
        self._lock.take(f"Stop it first, or set {self.setting} to use a server of your own.")
        try:
            self._prepare()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server and return once it answers; raises DidNotStart with the log's last lines."""
        clear_orphan(self._pid_file(), self._working_dir(), self.stop_signals[0])
        give_to(self.folder, owner_under(self._guise))
        self._keep_last_log()
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(
                self._argv(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment(),
                cwd="/",
                # A session of its own: Ctrl-C in the terminal is for the owner, who stops the server last.
                start_new_session=True,
                preexec_fn=before_exec(self._guise, self.stop_signals[0]),
            )
        self._wait_until_ready()

    def stop(self) -> None:
        """Stop the server, more and more firmly, and let go of the folder."""
        try:
            self._stop_process()
            self._tidy()
        finally:
            self._lock.release()

    @abstractmethod
    def _tidy(self) -> None:
        """Remove what lies outside the folder."""

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Send the server a signal and, if it is to die of it, wait until it has (for tests of crashes)."""
        assert self._process is not None, f"{self.name} is not running"
        self._process.send_signal(how)
        if how == signal.SIGKILL:
            self._process.wait()

    def restart(self) -> None:
        """Start again, after a stop if it still runs; the lock is kept."""
        self._stop_process()
        self.start()

    def revive(self) -> int | None:
        """Start again a server that has died by itself; then the status it ended with, else None."""
        status = self._process.poll() if self._process else None
        if status is not None:
            self.start()
        return status

    @property
    def pid(self) -> int:
        """Process number of the running server."""
        assert self._process is not None, f"{self.name} is not running"
        return self._process.pid

    @property
    def _log_path(self) -> Path:
        return self.folder / f"{self.name}.log"

    def _keep_last_log(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._log_path.replace(self._log_path.with_suffix(".log.1"))

    def _environment(self) -> dict[str, str]:
        """Ours without what would steer the server, and in English: its words are quoted in our errors."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "LC_", "LANG"))}
        return kept | {"LC_ALL": "C", "TZ": "UTC"}

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        until = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < until:
            if self._is_ready():
                return
            if self._process.poll() is not None:
                raise DidNotStart(f"{self.name} ended with status {self._process.returncode}:\n{self.last_words()}")
            time.sleep(0.02)
        raise DidNotStart(f"{self.name} did not answer within {READY_WITHIN_S:.0f} s:\n{self.last_words()}")

    def last_words(self, lines: int = 15) -> str:
        """The end of the server's log."""
        return "\n".join(self._log_path.read_text(errors="replace").splitlines()[-lines:])

    def _stop_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for how, patience_s in (*((how, 10.0) for how in self.stop_signals), (signal.SIGKILL, 10.0)):
            process.send_signal(how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience_s)
                return
