"""One owner for one server: the lock on its folder, and what a former owner may have left behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from pathlib import Path

import psutil

from deploy.embedded.errors import AlreadyOwned, EmbeddedError


class OwnerLock:
    """Held by the one process that may start a server on this folder; the kernel frees it when that one dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self, advice: str) -> None:
        """Take the lock or raise AlreadyOwned, which names the owner and ends with the advice."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(descriptor, 20).decode() or "another process"
            os.close(descriptor)
            raise AlreadyOwned(f"{self._path.parent} is in use by process {owner}. {advice}") from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go; harmless where nothing is held. The file stays: removing it would let two owners in."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def give_to(folder: Path, owner: int) -> None:
    """Make the whole folder that user's, where it is not yet so (only root comes here with another owner)."""
    if folder.stat().st_uid == owner:
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner, -1, follow_symlinks=False)


def living_server(pid_file: Path, folder: Path) -> psutil.Process | None:
    """The process that the file names, if it lives and works in that folder.

    A number alone proves nothing: it may have gone to another program, or be a zombie nobody has reaped.
    """
    try:
        process = psutil.Process(int(pid_file.read_text().split()[0]))
        if process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()) == folder.resolve():
            return process
    except (OSError, ValueError, IndexError, psutil.Error):
        pass
    return None


def clear_orphan(pid_file: Path, folder: Path, stop: signal.Signals, patience_s: float = 10) -> None:
    """End a server whose owner died a moment ago, and remove a pid file that speaks of nobody.

    Call it with the lock held: whoever lives in the folder then has no owner.
    """
    orphan = living_server(pid_file, folder)
    if orphan is not None:
        _end(orphan, stop, patience_s)
    with contextlib.suppress(FileNotFoundError):
        pid_file.unlink()


def _end(process: psutil.Process, stop: signal.Signals, patience_s: float) -> None:
    for how in (stop, signal.SIGKILL):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(how)
        if _gone_within(process, patience_s):
            return
    raise EmbeddedError(f"Process {process.pid} is left from an earlier run and does not end, even by SIGKILL.")


def _gone_within(process: psutil.Process, patience_s: float) -> bool:
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        # Not `process.wait()`: an orphan's zombie may belong to somebody who never reaps.
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False
