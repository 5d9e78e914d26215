"""Where the embedded servers keep what is theirs, and where their sockets lie."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

from deploy.embedded.errors import NoPlace
from deploy.embedded.lineage import nobody

PROJECT = Path(__file__).resolve().parents[2]

# A socket's name must fit into `sun_path`: 108 bytes on Linux, 104 on macOS; the servers add a suffix of their own.
LONGEST_SOCKET_PATH = 80


def var_dir() -> Path:
    """The folder for everything that outlives a run: `MANELA_VAR`, or `var` beside manage.py."""
    return Path(os.environ.get("MANELA_VAR") or PROJECT / "var").resolve()


def check_var_dir() -> Path:
    """The same folder, made if need be and proven to be writable; raises NoPlace."""
    path = var_dir()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        named = "MANELA_VAR is" if os.environ.get("MANELA_VAR") else "MANELA_VAR is not set, so it is"
        raise NoPlace(f"{named} {path}: expected a folder that we may write to ({error.strerror}).") from error
    return path


def private_dir(path: Path) -> Path:
    """Make the folder, for its owner's eyes only; the parents keep the modes they have."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def socket_dir(wanted: Path, socket_name: str) -> Path:
    """`wanted`, or a short private folder under the temp folder where that path is too long for a socket."""
    if len(os.fsencode(wanted / socket_name)) < LONGEST_SOCKET_PATH:
        return private_dir(wanted)
    # The same name for the same folder each time: a run that was killed leaves one empty folder, not many.
    digest = hashlib.sha256(os.fsencode(wanted)).hexdigest()[:12]
    for temp in (Path(tempfile.gettempdir()), Path("/tmp")):
        short = temp / f"manela-{os.getuid()}-{digest}"
        if len(os.fsencode(short / socket_name)) < LONGEST_SOCKET_PATH:
            private_dir(short)
            _check_private(short)
            return short
    raise OSError(f"No folder short enough for a socket: {wanted} and the temp folder are both too long.")


def forget_socket_dir(path: Path, wanted: Path) -> None:
    """Remove a short folder that was made instead of the wanted one, if it is empty by now."""
    if path != wanted:
        with contextlib.suppress(OSError):
            path.rmdir()


def _check_private(path: Path) -> None:
    """Refuse a folder that somebody else put in our place in a temp folder that all may write to."""
    status = path.lstat()
    # As root the folder may have been given to the account that the server ran as.
    ours = status.st_uid == os.getuid() or (os.getuid() == 0 and status.st_uid == nobody()[0])
    if not stat.S_ISDIR(status.st_mode) or not ours or stat.S_IMODE(status.st_mode) & 0o077:
        raise PermissionError(f"{path} is not a folder of ours alone: remove it, or set TMPDIR.")
