"""What two at one table cost: a repeated meeting most, then a shared shield, then the distance of their scores.

All are whole numbers, each sort beyond reach of those that count for less.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.formats.tables_swiss.history import History

FARTHEST = 1 << 11
"""Scores are compared as they are while they lie so many quarter points apart at most, and to scale beyond."""
SHORT_AGAIN = 1 << 26
"""More than the squared distances of all pairs at two tables."""
SHIELD = 1 << 38
AGAIN = 1 << 44
REPEATED = 1 << 52
TROUBLE = SHIELD
"""From here on a cost is worth a swap; what is less only says which swap."""


def again(times: int) -> int:
    """What one more meeting costs those who have met so often: first that it is repeated, then how often."""
    return REPEATED + (times - 1) * AGAIN if times else 0


class Weights:
    """What pairs, and seats at short tables, cost in one round."""

    __slots__ = ("history", "met", "points", "protects", "shields")

    def __init__(self, history: History) -> None:
        self.history = history
        self.met, self.shields, self.points = history.met, history.shields, to_scale(history.points)
        self.protects = any(self.shields)

    def pair(self, one: int, other: int) -> int:
        cost = (self.points[one] - self.points[other]) ** 2
        if other in self.met[one]:
            cost += again(self.met[one][other])
        if self.protects and not self.shields[one].isdisjoint(self.shields[other]):
            cost += SHIELD
        return cost

    def with_all(self, one: int, others: Sequence[int]) -> int:
        return sum([self.pair(one, other) for other in others])

    def at_short(self, one: int) -> int:
        """What a seat at a short table costs who has had some: 3, 5, 7 … times, as their squares grow."""
        times = self.history.short[one]
        return (2 * times + 1) * SHORT_AGAIN if times else 0


def to_scale(points: Sequence[int]) -> tuple[int, ...]:
    """Distances of at most `FARTHEST`, in the same order."""
    least = min(points, default=0)
    most = max(points, default=0) - least
    return tuple(one - least if most <= FARTHEST else (one - least) * FARTHEST // most for one in points)
