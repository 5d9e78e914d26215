"""Individual pairs as a Swiss: tables of four by score, and at each table partners who were partners least.

Tables are made as in `tables_swiss`; those who are left sit out. Of the three ways to divide four into two pairs that
is taken which repeats the fewest partnerships, of these the most even one: the first by score with the last, if scores
leave a choice.

Reasons: those of `tables_swiss`; `partners (number, number, number, number)`: the first two against the others, as
even as can be; `partners_before (number, number, times)`: it could not be spared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.formats import tables_swiss
from tournaments.formats.meetings import Draw, Kind, Meeting, Position, Reason, Table, points_by_number
from tournaments.formats.seating import PARTNERS_OPPOSITE, best_order
from tournaments.formats.settings import number
from tournaments.formats.tables_swiss.drawing import Company, grouped_by_score
from tournaments.formats.tables_swiss.rules import MOST_ROUNDS, ShortTables

VERSION = 1
SEATS = 4
SIDES = (0, 1, 0, 1)
SPLITS = ((0, 3, 1, 2), (0, 2, 1, 3), (0, 1, 2, 3))
"""First and second partner, third and fourth; by score."""
Pair = frozenset[int]


@dataclass(frozen=True, slots=True)
class Settings:
    """`protect`: whether those who share an owner or a club are kept apart where that repeats no meeting."""

    rounds: int = number(6, 1, MOST_ROUNDS)
    protect: bool = True

    @property
    def of_tables(self) -> tables_swiss.Settings:
        return tables_swiss.Settings(self.rounds, ShortTables.SIT_OUT, self.protect)


def why_not(entrants: int, settings: Settings, seats: int) -> str | None:
    """None, or what the organiser can do."""
    if seats != SEATS:
        return f"Pairs that change need tables of four, and the rules seat {seats}: choose rules for pairs."
    return tables_swiss.why_not(entrants, settings.of_tables, seats)


def rounds_of(entrants: int, settings: Settings, seats: int) -> int:
    """As many as the organiser set."""
    return settings.rounds


def draw_next(position: Position, settings: Settings) -> Draw:
    """The next round; raises NoDraw where no table fills. Partners sit opposite."""
    grouped = grouped_by_score(position, settings.of_tables)
    partners = partnerships(position.meetings)
    points = points_by_number(position.entrants, position.meetings)
    tables = []
    for company in grouped.companies:
        first, second, third, fourth = split = best_split(company.numbers, points, partners)
        seated = best_order((first, third, second, fourth), grouped.history.seats, PARTNERS_OPPOSITE)
        tables.append(Table(seated, sides=SIDES, reasons=tuple(_reasons(company, split, partners))))
    return grouped.draw(tables)


def partnerships(meetings: Iterable[Meeting]) -> Counter[Pair]:
    """How often each two were partners."""
    counts: Counter[Pair] = Counter()
    for meeting in meetings:
        if meeting.kind is Kind.PLAYED and meeting.sides:
            for one, other in combinations(range(len(meeting.entrants)), 2):
                if meeting.side(one) == meeting.side(other):
                    counts[frozenset((meeting.entrants[one], meeting.entrants[other]))] += 1
    return counts


def best_split(numbers: Sequence[int], points: dict[int, int], partners: Counter[Pair]) -> tuple[int, int, int, int]:
    """Two partners and the other two, from four by score."""

    def cost(split: tuple[int, int, int, int]) -> tuple[int, int, int]:
        first, second, third, fourth = (numbers[place] for place in split)
        times = partners[frozenset((first, second))], partners[frozenset((third, fourth))]
        more = points[first] + points[second] - points[third] - points[fourth]
        return sum(map(bool, times)), sum(one * one for one in times), abs(more)

    first, second, third, fourth = min(SPLITS, key=cost)
    return numbers[first], numbers[second], numbers[third], numbers[fourth]


def _reasons(company: Company, split: tuple[int, int, int, int], partners: Counter[Pair]) -> Iterator[Reason]:
    yield from company.reasons
    yield Reason("partners", split)
    for pair in (split[:2], split[2:]):
        if times := partners[frozenset(pair)]:
            yield Reason("partners_before", (*pair, times))
