"""What is exempt from coverage exists, and a report is read right; the measuring itself is a proof (`make proof`)."""

import io

import pytest

from engine.__main__ import main
from tests.engine.covering import APART, EXEMPT, PROJECT, uncovered


def test_what_is_exempt_stands_in_the_code_once_and_has_a_reason() -> None:
    for one in EXEMPT:
        lines = [line.strip() for line in (PROJECT / one.module).read_text(encoding="utf-8").splitlines()]
        assert lines.count(one.code) == 1, one
        assert one.reason


def test_what_stands_apart_exists() -> None:
    assert all((PROJECT / place).exists() for place in APART)


def test_no_line_is_exempt_by_a_comment() -> None:
    marked = [path.name for path in (PROJECT / "engine").rglob("*.py") if "pragma: no" in path.read_text("utf-8")]
    assert marked == []


def test_what_a_report_says_is_said_with_its_line() -> None:
    code = (PROJECT / "engine" / "version.py").read_text(encoding="utf-8").splitlines()
    files = {
        "engine/version.py": {"missing_lines": [1], "missing_branches": [[3, 5], [5, -1]]},
        "engine/fast/build.py": {"missing_lines": [1], "missing_branches": []},
        "matches/agents.py": {"missing_lines": [1], "missing_branches": []},
    }
    assert list(uncovered({"files": files})) == [
        f"engine/version.py:1 not run: {code[0].strip()}",
        f"engine/version.py:3 never goes on to line 5: {code[2].strip()}",
        f"engine/version.py:5 never goes on to its end: {code[4].strip()}",
    ]


class Interrupted(io.StringIO):
    """A terminal whose owner presses Ctrl-C as soon as something appears on it."""

    def write(self, text: str) -> int:
        raise KeyboardInterrupt


def test_an_interrupted_command_ends_as_a_shell_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, for a measured one that is interrupted from outside has nothing to write down."""
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", Interrupted())
        status = main(["rules"])
    assert status == 130
