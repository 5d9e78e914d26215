"""Parts of the suite that are proofs by themselves, at their full size."""

from __future__ import annotations

import re
import sys

from tests.proofs.showing import Line, NotShown, Ran, run

CHAOS = "`MANELA_PROOF=full make chaos`"
BROWSER = "`make browser`"


def chaos() -> list[Line]:
    """Every figure that the chaos tests print becomes a line."""
    ran = run(sys.executable, "-m", "pytest", "-m", "chaos", "-q", env={"MANELA_PROOF": "full"})
    _passed(ran)
    told = [line.strip() for line in ran.output.splitlines() if re.match(r" {2}\S.*: ", line)]
    if not any(line.startswith("20 kills") for line in told):
        raise NotShown(f"no line about 20 kills among: {told}")
    return [Line(*_claim_and_figures(line), CHAOS) for line in told]


def misbehaviour() -> list[Line]:
    """Every kind of rogue program against the tables of the protocol."""
    folders = ("tests/rogues", "tests/bots_api/test_replies.py")
    seen = _passed(run(sys.executable, "-m", "pytest", *folders, "-q"))
    claim = "a bot that hangs, trickles, answers garbage, 1 MB, a redirect, an illegal card ends by the protocol"
    return [Line(claim, seen, f"`python -m pytest {' '.join(folders)}`")]


def _claim_and_figures(line: str) -> tuple[str, str]:
    what, _, figures = line.partition(": ")
    return f"chaos: {what}", figures


def browser() -> list[Line]:
    seen = _passed(run(sys.executable, "-m", "pytest", "-m", "browser", "-q"))
    claim = (
        "Chromium, 360 and 1280 px, light and dark, every kind of page: no console error, no CSP violation, no "
        "sideways scroll; the replay ends on the record's totals; an admin runs a tournament by clicks"
    )
    return [Line(claim, seen, BROWSER)]


def _passed(ran: Ran) -> str:
    """`n passed`, for a run in which nothing failed and nothing was left out; raises NotShown."""
    summary = re.search(r"(\d+) passed", ran.check().output)
    if summary is None or re.search(r"\d+ (skipped|xfailed|error)", ran.output):
        raise NotShown(f"the suite ended with: {ran.last_line}")
    return f"{summary.group(1)} tests passed in {ran.seconds:.0f} s"
