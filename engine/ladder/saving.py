"""What duplicate boards save: the variance of a mean per deal played, against as many independent deals."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.ladder.boards import Board, Duel
from engine.ladder.estimates import LEVEL, Estimate

RESAMPLES: Final = 1000


@dataclass(frozen=True, slots=True)
class Saving:
    """Standard deviations, in points a deal, and how often as many independent deals a duplicate board is worth.

    `single`: of one deal from one side; `board`: of a board's mean. `ratio`: variance of the mean of independent deals
    (seats by turns) ÷ variance of the mean of as many deals on duplicate boards; 2 = half the deals are enough.
    """

    duel: Duel
    boards: int
    exposures: int
    single: float
    board: float
    ratio: Estimate


def saving_of(duel: Duel, boards: Sequence[Board], level: float = LEVEL) -> Saving:
    """The saving that these boards show, with a bootstrap interval over boards; it has a seed of its own."""
    exposures, unit = len(boards[0].margins), boards[0].unit
    rows = [board.margins for board in boards]
    single, mean = _variances(rows)
    rng = random.Random("saving")
    ratios = sorted(_ratio(rng.choices(rows, k=len(rows))) for _ in range(RESAMPLES))
    cut = int(RESAMPLES * (1 - level) / 2)
    ratio = Estimate(_ratio(rows), ratios[cut], ratios[-1 - cut])
    return Saving(duel, len(boards), exposures, single**0.5 / unit, mean**0.5 / unit, ratio)


def _ratio(rows: Sequence[tuple[int, ...]]) -> float:
    """An independent deal's variance ÷ a board's, brought to the same number of deals.

    A mean of D independent deals, each exposure in turn, has the variance single/D; of D deals on D/k boards of k
    exposures each it is board·k/D. Boards that all come out the same are worth any number of deals.
    """
    single, board = _variances(rows)
    return single / (board * len(rows[0])) if board else math.inf


def _variances(rows: Sequence[tuple[int, ...]]) -> tuple[float, float]:
    """Of one exposure's margin, over boards and averaged over exposures; and of the mean over a board's exposures.

    Whole numbers under the division, so that nothing depends on the order in which they are added.
    """
    exposures, boards = len(rows[0]), len(rows)
    single = sum(_scatter([row[place] for row in rows]) for place in range(exposures))
    board = _scatter([sum(row) for row in rows])
    scale = boards * (boards - 1)
    return single / (scale * exposures), board / (scale * exposures**2)


def _scatter(values: Sequence[int]) -> int:
    """The sum of squares about the mean, times how many there are: a whole number."""
    return len(values) * sum(value * value for value in values) - sum(values) ** 2
