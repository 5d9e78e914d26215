"""Elo differences from boards that were won, drawn and lost."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.ladder.boards import Board
from engine.ladder.estimates import LEVEL, Estimate, t_quantile

PER_NATURAL: Final = 400 / math.log(10)
"""Elo points to one unit of the natural logarithm of the odds: 400 are odds of ten to one."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many boards the first of two bots has won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def boards(self) -> int:
        """How many there are."""
        return self.won + self.drawn + self.lost

    @property
    def one_sided(self) -> bool:
        """Whether every board has gone the same way: then the difference has no upper bound that boards can show."""
        return self.boards in (self.won, self.lost)


def tally_of(boards: Iterable[Board]) -> Tally:
    """Boards counted by who has won them."""
    verdicts = [board.verdict for board in boards]
    return Tally(verdicts.count(1), verdicts.count(0), verdicts.count(-1))


def elo_of(score: float) -> float:
    """The Elo difference at which this share of the boards is expected, draws a half; infinite at 0 and 1."""
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return PER_NATURAL * math.log(score / (1 - score))


def score_of(elo: float) -> float:
    """The share of the boards expected at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(tally: Tally, level: float = LEVEL) -> Estimate:
    """The Elo difference of two bots with its interval; boards are independent, a draw is half a win.

    The interval comes from the boards' variance, in the logarithm of the odds, after half a win and half a loss were
    added, as is usual there: so it is finite and keeps its level near 0 and 1. If every board has gone the same way,
    value and one end are infinite and the other is exact: a bot less strong would have done so more seldom than in
    half of the share that `level` leaves.
    """
    if tally.one_sided:
        bound = elo_of(((1 - level) / 2) ** (1 / tally.boards))
        upwards = Estimate(math.inf, bound, math.inf)
        return upwards if tally.won else upwards.swapped()
    value = elo_of((tally.won + tally.drawn / 2) / tally.boards)
    centre, spread = _log_odds(tally)
    half = t_quantile(level, tally.boards) * spread
    return Estimate(value, PER_NATURAL * (centre - half), PER_NATURAL * (centre + half))


def _log_odds(tally: Tally) -> tuple[float, float]:
    """The logarithm of the odds and its standard deviation, with half a win and half a loss more."""
    won, lost, boards = tally.won + 0.5, tally.lost + 0.5, tally.boards + 1
    score = (won + tally.drawn / 2) / boards
    variance = (won * (1 - score) ** 2 + tally.drawn * (0.5 - score) ** 2 + lost * score**2) / boards
    return math.log(score / (1 - score)), math.sqrt(variance / boards) / (score * (1 - score))
