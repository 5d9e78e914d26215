"""`make demo` on a fresh clone reaches published standings by itself: as root, as an ordinary user, twice in a row."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from deploy.embedded.paths import PROJECT
from tests.proofs.showing import Line, NotShown, Ran, run

WITHIN_S = 300
MATCHES = (66, 6, 6, 10)
"""Of the evening, of the pairs, of the tables of three, of the house's anchors."""
KEPT = ("PATH", "LANG", "TERM", "TMPDIR")
KEPT_PREFIXES = ("PIP_", "UV_", "SSL_", "HTTP", "http", "NO_PROXY", "no_proxy")
COMMAND = "`git clone … && cd manela && make demo ONCE=1 && make demo ONCE=1`"


@dataclass(frozen=True, slots=True)
class Person:
    """Whom the demo runs as."""

    words: str
    uid: int
    gid: int

    @property
    def is_ourselves(self) -> bool:
        return self.uid == os.geteuid()


def demo() -> list[Line]:
    people, lines = _people(), []
    for person in people:
        with _fresh_clone(person) as (clone, home):
            for time_ in ("the first time, installation included", "again, beside the first competition"):
                ran = _host(person, clone, home)
                _check(ran, clone)
                claim = f"`make demo` as {person.words}, {time_}: published standings within {WITHIN_S} s"
                told = f"{sum(MATCHES)} matches in {len(MATCHES)} tournaments, {ran.seconds:.0f} s, no process left"
                lines.append(Line(claim, told, COMMAND))
    if len(people) < 2:
        lines.append(Line("`make demo` as root", "not tried: this is an ordinary user", COMMAND, holds=False))
    return lines


def _people() -> list[Person]:
    if os.geteuid() != 0:
        return [Person("an ordinary user", os.geteuid(), os.getegid())]
    ordinary = pwd.getpwnam("nobody")
    return [Person("root", 0, os.getegid()), Person("an ordinary user", ordinary.pw_uid, ordinary.pw_gid)]


@contextmanager
def _fresh_clone(person: Person) -> Iterator[tuple[Path, Path]]:
    """What is committed, in a folder of that person's, with an empty home: nothing is installed or cached."""
    folder = Path(tempfile.mkdtemp(prefix="manela-demo-"))
    try:
        clone, home = folder / "manela", folder / "home"
        run("git", "clone", "--quiet", str(PROJECT), str(clone)).check()
        home.mkdir()
        if not person.is_ourselves:
            run("chown", "-R", f"{person.uid}:{person.gid}", str(folder)).check()
        yield clone, home
    finally:
        shutil.rmtree(folder)


def _host(person: Person, clone: Path, home: Path) -> Ran:
    kept = {key: value for key, value in os.environ.items() if key in KEPT or key.startswith(KEPT_PREFIXES)}
    assigned = [f"{key}={value}" for key, value in (kept | {"HOME": str(home)}).items()]
    identity = {} if person.is_ourselves else {"user": person.uid, "group": person.gid, "extra_groups": []}
    return run("env", "-i", *assigned, "make", "demo", "ONCE=1", cwd=clone, timeout_s=2 * WITHIN_S, **identity).check()


def _check(ran: Ran, clone: Path) -> None:
    shown = tuple(map(int, re.findall(r"standings 1, (\d+) matches", " ".join(ran.output.split()))))
    if shown != MATCHES:
        raise NotShown(f"standings of {shown} matches, expected {MATCHES}: {ran.output[-600:]}")
    if ran.seconds > WITHIN_S:
        raise NotShown(f"published standings after {ran.seconds:.0f} s")
    time.sleep(1)
    left = [process.info["pid"] for process in psutil.process_iter(["pid", "cmdline"]) if _is_of(process, clone)]
    if left:
        raise NotShown(f"processes left behind: {left}")


def _is_of(process: psutil.Process, clone: Path) -> bool:
    return any(str(clone) in word for word in process.info["cmdline"] or [])
