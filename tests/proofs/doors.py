"""Who is let in where, and that the API answers nothing which its schema does not say."""

from __future__ import annotations

import re
import sys

from tests.proofs.showing import Line, NotShown, figures_of, run, run_module

MATRIX = "tests/doors/test_matrix.py"


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
    figures = figures_of(run_module("tests.doors"))
    if figures["failures"]:
        raise NotShown(f"{len(figures['failures'])} failures: {'; '.join(figures['failures'][:5])}")
    claim = "schemathesis over the whole API: 0 server errors, 0 undocumented answers, 0 ignored auth"
    seen = f"{figures['operations']} operations, {figures['requests']} requests, phases {', '.join(figures['phases'])}"
    return Line(claim, seen, "`python -m tests.doors`")
