"""All bots of a table on one Elo scale: maximum likelihood over every pair that has met, the first at 0."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Final

from engine.ladder.boards import Board
from engine.ladder.elo import PER_NATURAL, Tally, elo_difference, tally_of
from engine.ladder.estimates import LEVEL, Estimate

Pair = tuple[str, str]

RESAMPLES: Final = 400
_CLOSE_ENOUGH: Final = 1e-7


def places(bots: Sequence[str], met: Mapping[Pair, Sequence[Board]], level: float = LEVEL) -> dict[str, Estimate]:
    """Where each bot stands in Elo, the first at 0, with intervals by a parametric bootstrap.

    Every pair's boards are drawn anew from the fitted strengths, as often drawn as they were: boards that were all won
    may be lost then, as they may be the next time. Who has not lost anything to the first, not even by way of others,
    stands at infinity, for the results do not say how far away: at least where its own boards against the first put it.
    So in what is drawn anew, and an end of an interval is infinite where the results might have said so. The bootstrap
    has a seed of its own, so the same boards give the same intervals.
    """
    tallies = {pair: tally_of(boards) for pair, boards in met.items()}
    strengths = fitted(bots, tallies)
    best, rng = _elos(bots, tallies, strengths), random.Random("places")
    drawn: list[dict[str, float]] = []
    for _ in range(RESAMPLES):
        again = {pair: _drawn_anew(rng, tally, _score(strengths, pair)) for pair, tally in tallies.items()}
        drawn.append(_elos(bots, again, fitted(bots, again, strengths)))
    bounds = _directly(bots[0], tallies, level)
    return {
        bot: bounds[bot]
        if math.isinf(best[bot]) and bot in bounds
        else _interval(best[bot], sorted(elos[bot] for elos in drawn), level)
        for bot in bots
    }


def _directly(first: str, tallies: Mapping[Pair, Tally], level: float) -> dict[str, Estimate]:
    """What the boards against the first alone show of each bot that has met it."""
    above = {one: elo_difference(tally, level) for (one, other), tally in tallies.items() if other == first}
    below = {other: elo_difference(tally, level).swapped() for (one, other), tally in tallies.items() if one == first}
    return above | below


def _score(strengths: Mapping[str, float], pair: Pair) -> float:
    """The share of the boards that the pair's first bot is expected to take."""
    return strengths[pair[0]] / (strengths[pair[0]] + strengths[pair[1]])


def _drawn_anew(rng: random.Random, tally: Tally, score: float) -> Tally:
    """As many boards at this expected score, draws with the chance that they had, or as near to it as it allows."""
    draw = min(tally.drawn / tally.boards, 2 * score, 2 * (1 - score))
    results = rng.choices((1, 0, -1), (score - draw / 2, draw, 1 - score - draw / 2), k=tally.boards)
    return Tally(results.count(1), results.count(0), results.count(-1))


def _interval(value: float, ordered: Sequence[float], level: float) -> Estimate:
    cut = int(len(ordered) * (1 - level) / 2)
    return Estimate(value, ordered[cut], ordered[-1 - cut])


def _elos(bots: Sequence[str], tallies: Mapping[Pair, Tally], strengths: Mapping[str, float]) -> dict[str, float]:
    """Strengths as Elo above the first bot, infinite for those that it has taken nothing from, or that have not."""
    below, above = _reached(bots[0], tallies, forwards=True), _reached(bots[0], tallies, forwards=False)
    elos = {}
    for bot in bots:
        bounded = (bot in below) - (bot in above)  # both ways, or neither: nothing is known but the prior's board
        known = PER_NATURAL * math.log(strengths[bot] / strengths[bots[0]])
        elos[bot] = math.copysign(math.inf, -bounded) if bounded else known
    return elos


def _reached(first: str, tallies: Mapping[Pair, Tally], forwards: bool) -> set[str]:
    """All that the first bot has taken something from, by way of others, too; or, backwards, all that have from it."""
    took = {pair if forwards else pair[::-1] for pair, tally in tallies.items() if tally.won or tally.drawn}
    took |= {pair[::-1] if forwards else pair for pair, tally in tallies.items() if tally.lost or tally.drawn}
    reached, fresh = {first}, {first}
    while fresh:
        fresh = {other for one, other in took if one in fresh} - reached
        reached |= fresh
    return reached


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
