"""Which interpreters are found and which of several is taken; the suite under one; what is said of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import pythons
from tests.pythons import Interpreter, Tried, candidates, interpreters, newest_of_each, run_suite, suite, table

OWN = sys.version_info[:3]


def program(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_what_does_not_answer_is_no_interpreter(tmp_path: Path) -> None:
    """Version managers leave names behind that run nothing."""
    stub = program(tmp_path / "python3.12", "echo 'pyenv: python3.12: command not found' >&2; exit 127")
    mute = program(tmp_path / "python3.13", "exit 0")
    other = program(tmp_path / "python3.11", "echo PyPy 3 11 4 final /usr/bin/pypy3")
    old = program(tmp_path / "python3", "echo CPython 3 9 2 final /usr/bin/python3")
    unreleased = program(tmp_path / "python3.15", "echo CPython 3 15 0 alpha /usr/bin/python3.15")
    found = list(interpreters([stub, mute, other, old, unreleased, str(tmp_path / "absent"), sys.executable]))
    assert [one.version for one in found] == [OWN]


def test_names_in_path_are_candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub = program(tmp_path / "python3.12", "exit 127")
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + os.environ["PATH"])
    assert stub in list(candidates())


def test_the_newest_of_each_minor_version_is_taken() -> None:
    found = [
        Interpreter("c", (3, 13, 0)),
        Interpreter("a", (3, 11, 2)),
        Interpreter("b", (3, 11, 9)),
        Interpreter("also b", (3, 11, 9)),
    ]
    assert [one.path for one in newest_of_each(found)] == ["b", "c"]


def test_the_whole_suite_is_what_make_test_runs() -> None:
    recipe = (pythons.PROJECT / "Makefile").read_text(encoding="utf-8")
    assert f"ALONE := {' '.join(pythons.ALONE)}\n" in recipe
    by_two, rest = suite([])
    assert by_two == [argument for path in pythons.ALONE for argument in ("--ignore", path)] + [
        "-n",
        "2",
        "--dist",
        "worksteal",
    ]
    assert rest == list(pythons.ALONE)
    assert all((pythons.PROJECT / path).is_dir() for path in pythons.ALONE)
    assert suite(["tests/engine/test_cards.py"]) == [["tests/engine/test_cards.py"]]


def test_tests_are_run_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pythons, "FOLDER", pythons.PROJECT / "build" / "pythons" / tmp_path.name)
    good = run_suite("3.x", sys.executable, ["tests/engine/test_cards.py"])
    assert good.holds
    assert good.passed > 10
    assert good.core == "compiled" or good.core.startswith("plain: ")
    bad = run_suite("3.x", sys.executable, ["tests/engine/test_nothing_of_the_kind.py"])
    assert not bad.holds
    assert bad.trouble


def test_what_is_said() -> None:
    rows = [
        Tried("3.11.7", "compiled", 900, 0, 61.4, ""),
        Tried("3.12.1", "plain: no compiler", 899, 1, 70.0, "1 failed, 899 passed"),
    ]
    assert [one.holds for one in rows] == [True, False]
    assert table(rows, ["3.13"]).splitlines() == [
        "Python  core                passed  failed  seconds",
        "3.11.7  compiled            900     0       61",
        "3.12.1  plain: no compiler  899     1       70       1 failed, 899 passed",
        "Not found here: 3.13",
    ]


@pytest.mark.parametrize("only", ["3.9", "2.7", "3.99", "three", "", "3.12,3.x"])
def test_what_is_no_version_of_ours_is_refused(only: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        pythons.main(["--only", only])
    assert ended.value.code == 2
    assert "expected versions from 3.11 to " in capsys.readouterr().err


def test_whatever_was_asked_for_and_is_not_here_is_said() -> None:
    here = [Interpreter("/usr/bin/python3.12", (3, 12, 1))]
    assert pythons.missing_of([], here) == ["3.11", "3.13"]
    assert pythons.missing_of(["3.12", "3.15"], here) == ["3.15"]
