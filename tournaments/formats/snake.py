"""Entrants spread over groups or tables so that each has as many of the strong as any other: to and fro, like a snake.

Reasons: `shields_apart (number, other)`: two of one row changed places, so that fewer of a shield sit together;
`shields_together (shield, place)`: two of one shield could not be kept apart at this table or in this group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tournaments.formats.meetings import Reason

Shields = Mapping[int, frozenset[str]]
"""By entrant's number; who is not in here has none."""


def snaked(order: Sequence[int], sizes: Sequence[int], shields: Shields) -> tuple[list[list[int]], list[Reason]]:
    """The numbers, the best first, spread over places of these sizes; best first at each. Returns the reasons too.

    Two of one shield are kept apart by exchanges within a row, that is among those who are first at their places, or
    second, and so on. Raises ValueError where sizes and numbers do not fit.
    """
    if sum(sizes) != len(order):
        raise ValueError(f"{len(order)} entrants do not fill places of {', '.join(map(str, sizes))}.")
    places: list[list[int]] = [[] for _ in sizes]
    left = iter(order)
    for row in range(max(sizes)):
        there = [place for place, size in enumerate(sizes) if row < size]
        for place in reversed(there) if row % 2 else there:
            places[place].append(next(left))
    return places, list(_kept_apart(places, shields))


def _kept_apart(places: list[list[int]], shields: Shields) -> Iterator[Reason]:
    for row in range(1, max(map(len, places))):
        while exchange := _best_exchange(places, row, shields):
            one, other = exchange
            yield Reason("shields_apart", (places[one][row], places[other][row]))
            places[one][row], places[other][row] = places[other][row], places[one][row]
    for number, place in enumerate(places, start=1):
        borne = Counter(shield for one in place for shield in shields.get(one, ()))
        yield from (Reason("shields_together", (shield, number)) for shield in sorted(borne) if borne[shield] > 1)


def _best_exchange(places: Sequence[Sequence[int]], row: int, shields: Shields) -> tuple[int, int] | None:
    """The two places whose entrants of this row should change; the nearest of equally good ones."""
    there = [place for place, seated in enumerate(places) if row < len(seated)]
    pressed = [place for place in there if _shared(places[place][row], places[place][:row], shields)]
    best, chosen = 0, None
    for one in pressed:
        for other in sorted((place for place in there if place != one), key=lambda place: (abs(place - one), place)):
            spared = _spared(places, row, one, other, shields)
            if spared > best:
                best, chosen = spared, (one, other)
    return chosen


def _spared(places: Sequence[Sequence[int]], row: int, one: int, other: int, shields: Shields) -> int:
    first, second = places[one][row], places[other][row]
    above_one, above_other = places[one][:row], places[other][:row]
    before = _shared(first, above_one, shields) + _shared(second, above_other, shields)
    return before - _shared(first, above_other, shields) - _shared(second, above_one, shields)


def _shared(number: int, others: Sequence[int], shields: Shields) -> int:
    """How many of the others share a shield with this one."""
    own = shields.get(number, frozenset())
    return sum(1 for other in others if own & shields.get(other, frozenset()))
