"""How strong the house bots are: every step of the ladder, and what duplicate boards save, from one run.

It is the run that writes docs/strength.md, so that nothing is measured twice.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from typing import Any

from engine.ladder.command import BOTS
from tests.proofs.showing import Line, run_module

COMMAND = ("ladder", "--boards", "96", "--until-significant", "--variance", "400", "--write", "docs/strength.md")
SHOWN = f"`python -m engine {' '.join(COMMAND)}`"


def strength() -> list[Line]:
    """Each bot against the next at equal time, on boards enough for 95 % intervals apart."""
    ladders = [ladder for ladder in _figures()["ladders"] if ladder["plan"]["bots"][-1] in BOTS[0].split(",")]
    return [_ladder(ladder) for ladder in ladders]


def _ladder(ladder: dict[str, Any]) -> Line:
    climb = ", ".join(f"{better} beats {worse}" for worse, better in pairwise(ladder["plan"]["bots"]))
    steps = ladder["steps"]
    return Line(
        f"{ladder['rules']}: {climb}, on duplicate boards, 95 % intervals apart",
        "; ".join(map(_step, steps)),
        SHOWN,
        holds=all(step["significant"] for step in steps),
    )


def _step(step: dict[str, Any]) -> str:
    points, elo, tally = step["points"], step["elo"], step["tally"]
    boards = sum(tally.values())
    verdict = "" if step["significant"] else "not significant: "
    high = "more" if elo["high"] is None else f"{elo['high']:+.0f}"
    return (
        f"{verdict}{points['value']:+.1f} points a deal ({points['low']:+.1f} to {points['high']:+.1f}), "
        f"Elo {elo['low']:+.0f} to {high}, {boards} boards"
    )


def duplicates() -> list[Line]:
    """The variance that duplicate boards save for two, three and four seats and pairs."""
    claim = "variance of a mean of independent deals ÷ of as many on duplicate boards, 95 % intervals"
    return [Line(claim, "; ".join(map(_saving, _figures()["savings"])), SHOWN)]


def _saving(saving: dict[str, Any]) -> str:
    duel, ratio = saving["duel"], saving["ratio"]
    one, other = duel["bots"]
    value, low, high = (_times(ratio[end]) for end in ("value", "low", "high"))
    return f"{duel['rules']} {one}-{other} {value} ({low} to {high})"


def _times(ratio: float | None) -> str:
    """None is what the figures have for infinite: boards that all came out the same."""
    return "∞" if ratio is None else f"{ratio:.1f}"


@cache
def _figures() -> dict[str, Any]:
    """What the ladder has measured, whether or not every step is significant (status 1)."""
    ran = run_module("engine", *COMMAND, "--json", timeout_s=7_200)
    if ran.status != 1:
        ran.check()
    figures: dict[str, Any] = json.loads(ran.last_line)
    return figures
