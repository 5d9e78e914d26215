"""Who is let in where, and that the API answers nothing which its schema does not say."""

from __future__ import annotations

import re
import sys
from typing import Any

from tests.doors.trying import FULL
from tests.proofs.showing import Line, NotShown, figures_of, run, run_module

MATRIX = "tests/doors/test_matrix.py"
FEWEST = (90, 90, 3)
"""Operations that the owner, staff and a program must have asked: fewer, and the tool did not find them."""


def doors() -> list[Line]:
    return [_matrix(), _schema()]


def _matrix() -> Line:
    ran = run(sys.executable, "-m", "pytest", MATRIX, "-q", "-n0").check()
    passed = re.search(r"(\d+) passed", ran.output)
    if passed is None:
        raise NotShown(f"the matrix ended with: {ran.last_line}")
    claim = (
        "every route × nobody, user, other's owner, owner, organiser, staff; a route without a row in the table fails"
    )
    return Line(claim, f"{passed[1]} tests passed", f"`python -m pytest {MATRIX}`")


def _schema() -> Line:
    return line_of(figures_of(run_module("tests.doors")))


def line_of(figures: dict[str, Any]) -> Line:
    """Raises NotShown if anything was wrong, or less was asked than there is."""
    failures, few = figures["failures"] + figures["of_play_wrong"], _too_few(figures)
    if failures:
        raise NotShown(f"{len(failures)} failures: {'; '.join(failures[:5])}")
    if few:
        raise NotShown(f"not all was asked: {few}")
    claim = (
        "schemathesis over the whole API by the owner, by staff and on the routes of play by a program: 0 server "
        "errors, 0 undocumented answers, 0 ignored auth; these routes × nobody, account, version"
    )
    operations = ", ".join(map(str, figures["operations"]))
    seen = f"{operations} operations, {figures['requests']} requests, phases {', '.join(figures['phases'])}; none wrong"
    return Line(claim, seen, "`python -m tests.doors`")


def _too_few(figures: dict[str, Any]) -> str:
    operations = figures["operations"]
    if len(operations) != len(FEWEST) or any(seen < fewest for seen, fewest in zip(operations, FEWEST, strict=True)):
        return f"operations {operations}, expected at least {list(FEWEST)}"
    missing = sorted(set(FULL.phases) - set(figures["phases"]))
    return f"phases without {', '.join(missing)}" if missing else ""
