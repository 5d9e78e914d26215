"""`python -m tests.pythons [PATH …]`: runs the suite, or the tests named, under every Python that is found here.

An interpreter counts once it has answered: version managers leave names in PATH that run nothing. Each minor version
gets a virtual environment of its own under `build/pythons/`, with the locked dependencies and a core compiled for it.
What is missing of the versions that the project is for is said; the status is 1 if tests fail under any.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = PROJECT / "build" / "pythons"
OLDEST: Final = (3, 11)
WANTED: Final = ((3, 11), (3, 12), (3, 13))
"""What the project is for; a newer one is tried if it is here and the lock can be installed with it."""
ALONE: Final = ("tests/chaos", "tests/rogues")
"""What runs by itself, as in the Makefile; of the rest two processes run a half each."""
NEWEST_TRIED: Final = (3, 15)
ANSWER_S: Final = 20.0
ASK: Final = (
    "import platform, sys; v = sys.version_info; "
    "print(platform.python_implementation(), v.major, v.minor, v.micro, v.releaselevel, sys._base_executable)"
)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that has answered."""

    path: str
    version: tuple[int, int, int]

    @property
    def minor(self) -> tuple[int, int]:
        return self.version[:2]


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of the suite under one version."""

    version: str
    core: str
    passed: int
    failed: int
    seconds: float
    trouble: str

    @property
    def holds(self) -> bool:
        return not self.trouble and not self.failed and self.passed > 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pythons", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="tests to run, as pytest takes them; all if none")
    parser.add_argument("--only", metavar="3.12,…", help="only these versions")
    parser.add_argument("--json", action="store_true", help="what was seen, as one JSON object in the last line")
    options = parser.parse_args(arguments)
    asked = asked_for(options.only, parser)
    found = [one for one in newest_of_each(interpreters(candidates())) if not asked or dotted(one.minor) in asked]
    tried = [try_suite(one, options.paths) for one in found]
    missing = missing_of(asked, found)
    print(table(tried, missing))
    if options.json:
        print(json.dumps({"pythons": [asdict(one) for one in tried], "missing": missing}))
    return 0 if tried and all(one.holds for one in tried) else 1


def asked_for(only: str | None, parser: argparse.ArgumentParser) -> list[str]:
    """The versions that are named, none if all are to be tried; what is no version of ours ends the program."""
    asked = [version.strip() for version in only.split(",")] if only is not None else []
    for version in asked:
        if not re.fullmatch(r"3\.\d+", version) or not OLDEST <= parsed(version) <= NEWEST_TRIED:
            parser.error(f"--only {version}: expected versions from {dotted(OLDEST)} to {dotted(NEWEST_TRIED)}")
    return asked


def missing_of(asked: Sequence[str], found: Sequence[Interpreter]) -> list[str]:
    """What was looked for and is not here."""
    here = {dotted(one.minor) for one in found}
    return [version for version in asked or map(dotted, WANTED) if version not in here]


def parsed(version: str) -> tuple[int, int]:
    major, minor = map(int, version.split("."))
    return major, minor


def candidates() -> Iterator[str]:
    """Where a Python may be, whether or not one is: PATH, the usual places, and what version managers keep."""
    names = ["python3", *(f"python3.{minor}" for minor in range(OLDEST[1], NEWEST_TRIED[1] + 1))]
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    yield getattr(sys, "_base_executable", sys.executable)
    for place in (Path(folder, name) for folder in folders if folder for name in names):
        if place.exists():
            yield str(place)
    for root in _version_folders():
        yield from map(str, sorted(root.glob("*/bin/python3")))


def _version_folders() -> Iterator[Path]:
    """Where pyenv and uv keep what they have installed, by their own word."""
    if pyenv := _answer("pyenv", "root"):
        yield Path(pyenv, "versions")
    for uv in ((sys.executable, "-m", "uv"), ("uv",)):
        if folder := _answer(*uv, "python", "dir", "--color", "never"):
            yield Path(folder)
            return


def _answer(*command: str) -> str:
    """What a command prints; nothing if it is not there or fails."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def interpreters(paths: Iterable[str]) -> Iterator[Interpreter]:
    """Those that answer, are CPython as it is released, and new enough."""
    for path in dict.fromkeys(paths):
        answer = re.fullmatch(r"CPython (\d+) (\d+) (\d+) final (.+)", _answer(path, "-I", "-c", ASK))
        if answer:
            major, minor, micro = map(int, answer.groups()[:3])
            if OLDEST <= (major, minor) <= NEWEST_TRIED:
                yield Interpreter(answer.group(4), (major, minor, micro))


def newest_of_each(found: Iterable[Interpreter]) -> list[Interpreter]:
    """One interpreter for each minor version, oldest first; of several the first with the highest number."""
    chosen: dict[tuple[int, int], Interpreter] = {}
    for one in found:
        if one.minor not in chosen or one.version > chosen[one.minor].version:
            chosen[one.minor] = one
    return [chosen[minor] for minor in sorted(chosen)]


def dotted(version: Iterable[int]) -> str:
    return ".".join(map(str, version))


def try_suite(one: Interpreter, paths: Sequence[str]) -> Tried:
    """Installs, compiles, runs; what goes wrong is said in the row and stops nothing."""
    version, venv, began = dotted(one.version), FOLDER / dotted(one.minor), time.monotonic()
    print(f"{version} …", flush=True)
    ready = _run(["sh", "deploy/setup.sh", one.path, str(venv.relative_to(PROJECT))], FOLDER / f"{version}.setup.log")
    if ready.returncode:
        return Tried(version, "", 0, 0, time.monotonic() - began, f"cannot be installed: {_last_line(ready.stdout)}")
    return run_suite(version, str(venv / "bin" / "python"), paths)


def run_suite(version: str, python: str, paths: Sequence[str]) -> Tried:
    """The suite under an interpreter that has all it needs."""
    core, began = _core_of(python), time.monotonic()
    passed = failed = 0
    trouble: list[str] = []
    for number, arguments in enumerate(suite(paths)):
        log = FOLDER / f"{version}.{number}.log"
        done = _run([python, "-m", "pytest", "-q", *arguments], log)
        passed += counted(done.stdout, "passed")
        failed += counted(done.stdout, "failed") + counted(done.stdout, "errors?")
        if done.returncode:
            trouble.append(f"{_last_line(done.stdout)} ({log.relative_to(PROJECT)})")
    return Tried(version, core, passed, failed, time.monotonic() - began, "; ".join(trouble))


def suite(paths: Sequence[str]) -> list[list[str]]:
    """Arguments for pytest, of one run after the other: the whole as `make test` runs it, or the tests named."""
    if paths:
        return [list(paths)]
    ignored = [argument for path in ALONE for argument in ("--ignore", path)]
    return [[*ignored, "-n", "2", "--dist", "worksteal"], list(ALONE)]


def counted(output: str, what: str) -> int:
    found = re.search(rf"(\d+) {what}\b", _last_line(output))
    return int(found.group(1)) if found else 0


def _core_of(python: str) -> str:
    code = "import engine.fast as fast; print(fast.WHY_PLAIN and f'plain: {fast.WHY_PLAIN}' or 'compiled')"
    return _answer(python, "-c", code)


def _run(command: Sequence[str], log: Path) -> subprocess.CompletedProcess[str]:
    """Runs from the project's folder; what it says goes to the log, too."""
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in {"VIRTUAL_ENV", "PYTHONHOME"}}
    done = subprocess.run(
        command,
        cwd=PROJECT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    log.write_text(done.stdout, encoding="utf-8")
    return done


def _last_line(output: str) -> str:
    return output.strip().rpartition("\n")[2].strip("= ")


def table(tried: Sequence[Tried], missing: Sequence[str]) -> str:
    """A row for each version, and the versions that were looked for in vain."""
    rows = [("Python", "core", "passed", "failed", "seconds", "")]
    for one in tried:
        rows.append((one.version, one.core, str(one.passed), str(one.failed), f"{one.seconds:.0f}", one.trouble))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    if missing:
        lines.append(f"Not found here: {', '.join(missing)}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
