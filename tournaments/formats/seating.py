"""Who sits where at a table: each as often at one seat as at another.

Among the orders that a table may be seated in, the one with the least sum of the squares of how often each will have
had his seat; of equals the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations

from tournaments.formats.meetings import Kind, Meeting

Order = tuple[int, ...]
"""By seat: the place, in the list given, of who sits there."""
NEVER = (0, 0, 0, 0)
MOST_LOOKS = 20
FARTHEST = 2
"""How much more often one seat than another is borne before anything else."""
TOO_FAR = 1 << 20
PARTNERS_OPPOSITE: tuple[Order, ...] = (
    *((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)),
    *((0, 3, 2, 1), (3, 2, 1, 0), (2, 1, 0, 3), (1, 0, 3, 2)),
)
"""The turns of a table of four, and its mirror's: who was opposite stays opposite."""


@cache
def all_orders(seats: int) -> tuple[Order, ...]:
    """Every order of so many: where each plays for himself, anybody may sit anywhere."""
    return tuple(permutations(range(seats)))


@dataclass(slots=True)
class SeatCounts:
    """How often each entrant has sat at each seat, by number; up to four seats, from 0."""

    times: dict[int, list[int]] = field(default_factory=dict)

    def note(self, seated: Sequence[int], step: int = 1) -> None:
        """One more table, in seat order; -1: one less."""
        for seat, number in enumerate(seated):
            self.times.setdefault(number, list(NEVER))[seat] += step

    def of(self, number: int) -> Sequence[int]:
        return self.times.get(number, NEVER)


def seat_counts(meetings: Iterable[Meeting]) -> SeatCounts:
    """What was sat so far; a table that was not played was not sat at."""
    counts = SeatCounts()
    for meeting in meetings:
        if meeting.kind is Kind.PLAYED and len(meeting.entrants) > 1:
            counts.note(meeting.entrants)
    return counts


def best_order(numbers: Sequence[int], counts: SeatCounts, orders: Sequence[Order] | None = None) -> tuple[int, ...]:
    """The numbers in seat order. `orders`: those allowed, all of them if not given."""
    rows = [_loads(counts.of(number), len(numbers)) for number in numbers]
    best = min(
        orders or all_orders(len(numbers)),
        key=lambda order: sum([rows[place][seat] for seat, place in enumerate(order)]),
    )
    return tuple([numbers[place] for place in best])


def _loads(times: Sequence[int], seats: int) -> list[int]:
    """By seat: what one more time there adds to the sum of squares, and where it takes seats too far apart, much."""
    # (t + 1)² - t² = 2t + 1: that sum grows least where the times already had, added up, are fewest.
    least = min(times[:seats])
    return [had + TOO_FAR * (had - least >= FARTHEST) for had in times]


def farthest(numbers: Sequence[int], counts: SeatCounts) -> int:
    """The most by which any of these sat at one seat of so many more often than at another."""
    rows = [counts.of(number)[: len(numbers)] for number in numbers]
    return max(max(row) - min(row) for row in rows)


def all_seated(tables: Sequence[Sequence[int]], orders: Sequence[Order] | None = None) -> list[tuple[int, ...]]:
    """The tables of all rounds of an event, one after another, each in seat order.

    Each is looked at again, beside all the others, until none can be seated better.
    """
    counts = SeatCounts()
    seated = []
    for table in tables:
        seated.append(best_order(table, counts, orders))
        counts.note(seated[-1])
    for _ in range(MOST_LOOKS):
        before = tuple(seated)
        for place, table in enumerate(seated):
            counts.note(table, -1)
            seated[place] = best_order(table, counts, orders)
            counts.note(seated[place])
        if tuple(seated) == before:
            break
    return seated
