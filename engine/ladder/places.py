"""All bots of a table on one Elo scale: maximum likelihood over every pair that has met, the first at 0."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Final

from engine.ladder.boards import Board
from engine.ladder.elo import PER_NATURAL, Tally
from engine.ladder.estimates import LEVEL, Estimate

Pair = tuple[str, str]

RESAMPLES: Final = 400
_CLOSE_ENOUGH: Final = 1e-7


def places(bots: Sequence[str], met: Mapping[Pair, Sequence[Board]], level: float = LEVEL) -> dict[str, Estimate]:
    """Where each bot stands in Elo, the first at 0, with intervals by a bootstrap over boards.

    Boards are drawn anew by their numbers, for all pairs at once: they have met on the same packs. The bootstrap has a
    seed of its own, so the same boards give the same intervals.
    """
    verdicts = {pair: {board.number: board.verdict for board in boards} for pair, boards in met.items()}
    numbers = sorted({number for of_pair in verdicts.values() for number in of_pair})
    strengths = fitted(bots, {pair: _tally(of_pair, numbers) for pair, of_pair in verdicts.items()})
    best, rng = _elos(bots, strengths), random.Random("places")
    drawn: list[dict[str, float]] = []
    for _ in range(RESAMPLES):
        chosen = rng.choices(numbers, k=len(numbers))
        tallies = {pair: _tally(of_pair, chosen) for pair, of_pair in verdicts.items()}
        drawn.append(_elos(bots, fitted(bots, tallies, strengths)))
    return {bot: _interval(best[bot], sorted(elos[bot] for elos in drawn), level) for bot in bots}


def _tally(verdicts: Mapping[int, int], numbers: Sequence[int]) -> Tally:
    results = [verdicts[number] for number in numbers if number in verdicts]
    return Tally(results.count(1), results.count(0), results.count(-1))


def _interval(value: float, ordered: Sequence[float], level: float) -> Estimate:
    cut = int(len(ordered) * (1 - level) / 2)
    return Estimate(value, ordered[cut], ordered[-1 - cut])


def _elos(bots: Sequence[str], strengths: Mapping[str, float]) -> dict[str, float]:
    """Strengths as Elo above the first bot."""
    return {bot: PER_NATURAL * math.log(strengths[bot] / strengths[bots[0]]) for bot in bots}


def fitted(
    bots: Sequence[str], tallies: Mapping[Pair, Tally], guess: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The strengths under which these results are likeliest, the first bot's 1; a draw is half a win.

    Every pair is given one drawn board more, so that who has won them all stands somewhere, too: nearer than it is.
    Source: Bradley and Terry; the rising steps of Hunter (2004), MM algorithms for generalized Bradley-Terry models.
    """
    wins = dict.fromkeys(bots, 0.0)
    met: dict[str, list[tuple[str, int]]] = {bot: [] for bot in bots}
    for (one, other), tally in tallies.items():
        wins[one] += tally.won + (tally.drawn + 1) / 2
        wins[other] += tally.lost + (tally.drawn + 1) / 2
        met[one].append((other, tally.boards + 1))
        met[other].append((one, tally.boards + 1))
    strengths = dict(guess or dict.fromkeys(bots, 1.0))
    moved = math.inf
    while moved > _CLOSE_ENOUGH:
        before = dict(strengths)
        for bot in bots:
            strengths[bot] = wins[bot] / sum(n / (strengths[bot] + strengths[other]) for other, n in met[bot])
        moved = max(abs(strengths[bot] / before[bot] - 1) for bot in bots)
    return {bot: strength / strengths[bots[0]] for bot, strength in strengths.items()}
