"""Chance for a search that needs much of it: many small numbers from one lot."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.formats.lots import Lots

MASK = (1 << 64) - 1


class Chance:
    """Many small numbers from one lot: splitmix64."""

    __slots__ = ("state",)

    def __init__(self, lots: Lots, *purpose: int | str) -> None:
        self.state = lots.drawn("chance", *purpose)

    def below(self, limit: int) -> int:
        """From 0 to `limit` - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return ((mixed ^ (mixed >> 31)) * limit) >> 64

    def shuffled(self, places: Sequence[int]) -> list[int]:
        """In an order where each is as likely as any other."""
        order = list(places)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
