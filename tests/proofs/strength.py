"""How strong the house bots are: every step of the ladder, and what duplicate boards save."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from engine.ladder.command import BOTS
from tests.proofs.showing import Line, run_module

TABLES = {"moscow/2": 48, "klabor/pairs": 48, "site/3": 24}
"""Boards with which every pair begins: of three players a board has six seatings."""

SAVING_BOARDS = 400


def strength() -> list[Line]:
    """Each bot against the next at equal time, on boards enough for 95 % intervals apart."""
    return [_ladder(rules, boards) for rules, boards in TABLES.items()]


def _ladder(rules: str, boards: int) -> Line:
    arguments = ("--rules", rules, "--bots", BOTS[0], "--boards", str(boards), "--until-significant")
    ladder = _figures(*arguments)["ladders"][0]
    bots = ladder["plan"]["bots"]
    claim = f"{rules}: {', '.join(f'{better} beats {worse}' for worse, better in pairwise(bots))}"
    steps = ladder["steps"]
    return Line(
        f"{claim}, on duplicate boards, 95 % intervals apart",
        "; ".join(map(_step, steps)),
        f"`python -m engine ladder {' '.join(arguments)}`",
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
    arguments = ("--rules", "moscow/2", "--bots", "random,greedy,pimc:worlds=8", "--variance", str(SAVING_BOARDS))
    savings = _figures(*arguments)["savings"]
    return [
        Line(
            "variance of a mean of independent deals ÷ of as many on duplicate boards, 95 % intervals",
            "; ".join(map(_saving, savings)),
            f"`python -m engine ladder {' '.join(arguments)}`",
        )
    ]


def _saving(saving: dict[str, Any]) -> str:
    duel, ratio = saving["duel"], saving["ratio"]
    one, other = duel["bots"]
    return f"{duel['rules']} {one}-{other} {ratio['value']:.1f} ({ratio['low']:.1f} to {ratio['high']:.1f})"


def _figures(*arguments: str) -> dict[str, Any]:
    """What the ladder has measured, whether or not every step is significant (status 1)."""
    ran = run_module("engine", "ladder", *arguments, "--json", timeout_s=7_200)
    if ran.status != 1:
        ran.check()
    figures: dict[str, Any] = json.loads(ran.last_line)
    return figures
