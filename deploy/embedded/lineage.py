"""Whose child a process is: what dies with its parent, and as whom a server runs when we are root."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache

_PR_SET_PDEATHSIG = 1
_PR_SET_KEEPCAPS = 8
_PR_SET_SECUREBITS = 28
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_SECBIT_NO_SETUID_FIXUP = 4
_CLONE_NEWUSER = 0x10000000
_CAP_DAC_OVERRIDE = 1
_CAPABILITY_VERSION_3 = 0x20080522

# Loaded before any fork: between fork and exec nothing may be imported or locked.
_libc = ctypes.CDLL(None, use_errno=True)

SUPERVISED = "MANELA_SUPERVISED"
"""Set in the environment of programs that a `Supervisor` started."""

Guise = Callable[[], None]
"""Run in a new child before its exec: takes on the identity that the program shall have."""


def die_with_parent(when_orphaned: signal.Signals = signal.SIGKILL, parent: int | None = None) -> None:
    """Have the kernel send this process a signal as soon as its parent is gone, however it went.

    `parent` is who it should be (known by itself in a process of multiprocessing): where that one died before we
    could ask, we leave at once.
    Linux only (elsewhere nothing is promised). The parent is the *thread* that forked us: fork from the main thread.
    """
    if sys.platform != "linux":
        return
    _libc.prctl(_PR_SET_PDEATHSIG, int(when_orphaned), 0, 0, 0)
    if parent is None and (forker := multiprocessing.parent_process()) is not None:
        parent = forker.pid
    if parent is not None and os.getppid() != parent:
        os._exit(0)


def die_with_parent_if_supervised() -> None:
    """The same in the workers of a program that a `Supervisor` started, and nothing elsewhere.

    For what a server's worker imports (`deploy.wsgi`): granian's workers outlive a main process that was killed.
    """
    if os.environ.get(SUPERVISED):
        die_with_parent()


def as_ourselves() -> None:
    """Stay who we are."""


def in_user_namespace() -> None:
    """Look like `nobody` from inside and stay root from outside.

    PostgreSQL refuses root only by the number it sees. Files stay root's, so folders that are closed to
    everybody else (a home of mode 700) need not be opened.
    """
    nobody_uid, nobody_gid = nobody()
    if _libc.unshare(_CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "user namespaces are not allowed here")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{nobody_uid} 0 1")
    _write("/proc/self/gid_map", f"{nobody_gid} 0 1")


def as_nobody() -> None:
    """Become `nobody`, still able to pass through folders closed to others where the kernel lets us."""
    uid, gid = nobody()
    _libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    # Else access(2), by which PostgreSQL looks for its own programs, would leave the capability out of account.
    _libc.prctl(_PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP, 0, 0, 0)
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    _keep_only(_CAP_DAC_OVERRIDE)


@cache
def nobody() -> tuple[int, int]:
    """User and group number of the account that owns nothing; it must exist, for initdb looks up its name."""
    try:
        account = pwd.getpwnam("nobody")
    except KeyError:
        account = next(entry for entry in pwd.getpwall() if entry.pw_uid != 0)
    return account.pw_uid, account.pw_gid


@cache
def guise_for_servers() -> Guise:
    """How a server that refuses root runs here: as we are, or in the least intrusive of two disguises."""
    if os.geteuid() != 0:
        return as_ourselves
    if sys.platform == "linux" and _works(in_user_namespace):
        return in_user_namespace
    return as_nobody


def owner_under(guise: Guise) -> int:
    """The user number, seen from here, that the server's files must have under that guise."""
    return nobody()[0] if guise is as_nobody else os.geteuid()


def before_exec(guise: Guise, when_orphaned: signal.Signals) -> Callable[[], None]:
    """What a new child does before its exec. The guise first: a change of identity forgets the parent's death."""
    parent = os.getpid()

    def prepare() -> None:
        guise()
        die_with_parent(when_orphaned, parent)

    nobody()  # looked up here and kept: not between fork and exec
    return prepare


def _works(guise: Guise) -> bool:
    nobody()
    try:
        subprocess.run(["/bin/true"], preexec_fn=guise, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapabilitySet(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def _keep_only(capability: int) -> None:
    """Keep one capability over the exec. Where that is refused we run without it: folders must be open then."""
    bit = 1 << capability
    sets = (_CapabilitySet * 2)(_CapabilitySet(bit, bit, bit), _CapabilitySet(0, 0, 0))
    _libc.capset(ctypes.byref(_CapabilityHeader(_CAPABILITY_VERSION_3, 0)), ctypes.byref(sets))
    _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability, 0, 0)
