"""Parts of the suite that are proofs by themselves, at their full size."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from tests.proofs.showing import Line, NotShown, Ran, run

CHAOS = "`MANELA_PROOF=full make chaos`"
BROWSER = "`make browser`"
AT_FULL_SIZE = (
    "20 kills of workers",
    "webhooks, 20 kills of workers",
    "200 games of programs that call over a flaky line",
    "100 games of programs that call, 10 times FLUSHALL",
)
"""So begin the lines that the chaos tests must have told."""


def chaos() -> list[Line]:
    """Every figure that the chaos tests print becomes a line."""
    ran = run(sys.executable, "-m", "pytest", "-m", "chaos", "-q", env={"MANELA_PROOF": "full"})
    _passed(ran)
    told = [line.strip() for line in ran.output.splitlines() if re.match(r" {2}\S.*: ", line)]
    if missing := not_told(told):
        raise NotShown(f"no line about {' or '.join(missing)} among: {told}")
    return [Line(*_claim_and_figures(line), CHAOS) for line in told]


def writes() -> list[Line]:
    """Lanes that die at their first write, over and over, until the match is over all the same."""
    of_lanes = ("tests/matches/test_lane.py", "tests/matches/test_lengths.py", "-k", "killed")
    seen = _passed(run(sys.executable, "-m", "pytest", *of_lanes, "-q", env={"MANELA_PROOF": "full"}))
    claim = "killed after every single write, a match goes on at the same card to the same result, faults and all"
    return [Line(claim, seen, f"`MANELA_PROOF=full python -m pytest {' '.join(of_lanes)}`")]


def not_told(lines: Sequence[str]) -> list[str]:
    """What the chaos tests must try at full size and say nothing of."""
    return [beginning for beginning in AT_FULL_SIZE if not any(line.startswith(beginning) for line in lines)]


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
