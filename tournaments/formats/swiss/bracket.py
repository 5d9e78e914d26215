"""Who meets whom in a bracket (FIDE C.04.6 art. 3.6).

Of each pair the lower number is the top member. A pairing is known by its top members in ascending order, then by
the bottom members in the order of their tops; the first pairing in the order of these sequences is made, among those
that keep apart whoever met before and have the fewest opponents of upfloaters who floated in the round before [C10].
Without anything in the way that is the upper half against the lower, first against first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from tournaments.formats.swiss.criteria import Criterion, best_by, bits_of
from tournaments.formats.swiss.halves import first_halves
from tournaments.formats.swiss.matching import BITS_LIMIT, NOBODY, Apart, can_all_meet, may_meet

Pair = tuple[int, int]


def pairs_of(members: Sequence[int], upfloaters: Set[int], floated: Set[int], apart: Apart) -> list[Pair]:
    """The pairs of a bracket that can be paired, the top member of each first, in the order of the tops.

    `floated`: who floated in the round before; empty in the last two rounds, where [C10] does not hold.
    """
    numbers = sorted(members)
    costs = _costs(numbers, upfloaters, floated)
    if costs:
        free = _kept_apart(numbers, apart, costs)
        if can_all_meet(numbers, free):
            apart, costs = free, {}
        elif len(upfloaters) == 1:  # his opponent floated whoever it is
            costs = {}
    if not costs and (pairs := first_halves(numbers, apart)) is not None:
        return pairs
    return _Order(numbers, apart, costs).first()


def _costs(numbers: Sequence[int], upfloaters: Set[int], floated: Set[int]) -> dict[Pair, int]:
    """[C10] By pair, lower number first: how many opponents of upfloaters in it floated before; only where any did."""
    costs: dict[Pair, int] = {}
    for one in upfloaters:
        for other in numbers:
            if other in floated and other != one:
                pair = (min(one, other), max(one, other))
                costs[pair] = costs.get(pair, 0) + 1
    return costs


def _kept_apart(numbers: Sequence[int], apart: Apart, costs: Mapping[Pair, int]) -> dict[int, Set[int]]:
    """As `apart`, with those pairs kept apart too that cost something."""
    more: dict[int, set[int]] = {}
    for a, b in costs:
        more.setdefault(a, set()).add(b)
        more.setdefault(b, set()).add(a)
    return {number: apart.get(number, NOBODY) | more.get(number, NOBODY) for number in numbers}


class _Order:
    """The first pairing where the upper half cannot simply meet the lower: first the tops are settled, then the rest.

    What a matching decides is packed into its weights, as many members at a time as fit.
    """

    def __init__(self, numbers: Sequence[int], apart: Apart, costs: Mapping[Pair, int]) -> None:
        self.numbers, self.costs = numbers, costs
        self.pairs = may_meet(numbers, apart)
        self.criteria = [self._fewest_floaters()] if costs else []

    def _fewest_floaters(self) -> Criterion:
        return Criterion(lambda a, b: -self.costs.get((a, b), 0), len(self.numbers))

    def first(self) -> list[Pair]:
        tops = self._settled_tops()
        partners: dict[int, int] = {}
        width = self._width(len(self.numbers).bit_length())
        for start in range(0, len(tops), width):
            part = tops[start : start + width]
            partners = best_by([*self.criteria, *self._lowest_bottoms(part)], self.pairs, everybody=True)
            self.pairs = [(a, b) for a, b in self.pairs if (a not in part or partners[a] == b)]
        return [(top, partners[top]) for top in tops]

    def _width(self, bits_each: int) -> int:
        """How many members' places fit beside what is decided before."""
        return max((BITS_LIMIT - bits_of(self.criteria) - 2) // (bits_each + 2), 4)

    def _settled_tops(self) -> list[int]:
        """The tops of the first pairing, ascending; pairs with another top are no longer possible afterwards."""
        tops: list[int] = []
        width = self._width(1)
        for start in range(0, len(self.numbers), width):
            part = self.numbers[start : start + width]
            partners = best_by([*self.criteria, self._lowest_tops(part)], self.pairs, everybody=True)
            on_top = {number for number in part if number < partners[number]}
            below = set(part) - on_top
            self.pairs = [(a, b) for a, b in self.pairs if a not in below and b not in on_top]
            tops += sorted(on_top)
        return tops

    def _lowest_tops(self, part: Sequence[int]) -> Criterion:
        value = {number: 1 << place for place, number in enumerate(reversed(part))}
        return Criterion(lambda a, b: value.get(a, 0), 1 << len(part))

    def _lowest_bottoms(self, part: Sequence[int]) -> list[Criterion]:
        place = {number: index for index, number in enumerate(self.numbers)}
        return [self._lowest_bottom(top, place) for top in part]

    def _lowest_bottom(self, top: int, place: Mapping[int, int]) -> Criterion:
        return Criterion(lambda a, b: -place[b] if a == top else 0, len(self.numbers))
