"""The upper half of a bracket against the lower: the first pairing in order, found by exchanges.

Each top takes the first bottom that leaves the tops after him a partner each. A pairing is kept all the time; giving
a top another bottom costs a chain of exchanges, and is one exchange nearly always, since nearly all may meet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence, Set

from tournaments.formats.swiss.matching import NOBODY, Apart

Pair = tuple[int, int]


def first_halves(numbers: Sequence[int], apart: Apart) -> list[Pair] | None:
    """The first pairing in which the first half are the tops; None where there is none. `numbers` ascend."""
    half = len(numbers) // 2
    halves = _Halves(numbers[:half], numbers[half:], apart)
    return halves.first() if halves.everybody() else None


class _Halves:
    """A pairing of tops and bottoms on its way to be the first. `bottom_of` and `top_of` say it both ways."""

    def __init__(self, tops: Sequence[int], bottoms: Sequence[int], apart: Apart) -> None:
        self.tops, self.bottoms, self.apart = tops, bottoms, apart
        self.bottom_of: dict[int, int] = {}
        self.top_of: dict[int, int] = {}

    def _may_meet(self, top: int, bottom: int) -> bool:
        return bottom not in self.apart.get(top, NOBODY)

    def _pair(self, top: int, bottom: int) -> None:
        self.bottom_of[top], self.top_of[bottom] = bottom, top

    def everybody(self) -> bool:
        """Pairs all of them if that can be done."""
        for top, bottom in zip(self.tops, self.bottoms, strict=True):
            if self._may_meet(top, bottom):
                self._pair(top, bottom)
        left = [top for top in self.tops if top not in self.bottom_of]
        return all(self._exchange(top, set(self.bottoms), self._without_top()) is None for top in left)

    def _without_top(self) -> list[int]:
        return [bottom for bottom in self.bottoms if bottom not in self.top_of]

    def _exchange(self, top: int, bottoms: Set[int], wanted: Sequence[int]) -> set[int] | None:
        """Finds this top a bottom among these by a chain of exchanges that ends at one of the `wanted`.

        None if it is done. Else nothing is changed, and the bottoms are said that chains do reach.
        """
        came_from: dict[int, int] = {}
        queue = deque([top])
        while queue:
            at = queue.popleft()
            if (end := next((bottom for bottom in wanted if self._may_meet(at, bottom)), None)) is not None:
                came_from[end] = at
                self._follow_back(end, top, came_from)
                return None
            away = self.apart.get(at, NOBODY)
            reached = bottoms - away
            came_from.update(dict.fromkeys(reached, at))
            queue.extend(self.top_of[bottom] for bottom in reached)
            bottoms &= away
        return set(came_from)

    def _follow_back(self, bottom: int, first: int, came_from: dict[int, int]) -> None:
        while True:
            top = came_from[bottom]
            earlier = self.bottom_of.get(top)
            self._pair(top, bottom)
            if top == first or earlier is None:
                return
            bottom = earlier

    def first(self) -> list[Pair]:
        """Makes the pairing the first in order."""
        left = list(self.bottoms)
        for top in self.tops:
            hopeless: set[int] = set()
            candidates = (one for one in left if self._may_meet(top, one) and one not in hopeless)
            left.remove(next(bottom for bottom in candidates if self._gives(top, bottom, left, hopeless)))
        return [(top, self.bottom_of[top]) for top in self.tops]

    def _gives(self, top: int, bottom: int, left: list[int], hopeless: set[int]) -> bool:
        """Whether this top can have this bottom and all after him one of those left; makes it so.

        If not, chains from the bottom's top do not come to what would be freed. Nor do those from the top of any
        bottom that they reach, be it through this bottom: all of these are then `hopeless` for this top.
        """
        if self.bottom_of[top] == bottom:
            return True
        other, freed = self.top_of[bottom], self.bottom_of[top]
        if self._may_meet(other, freed):
            self._pair(other, freed)
        elif (reached := self._exchange(other, set(left) - {bottom, freed}, [freed])) is not None:
            hopeless |= reached
            return False
        self._pair(top, bottom)
        return True
