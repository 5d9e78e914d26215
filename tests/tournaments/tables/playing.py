"""Whole events at tables of three and four: a field of differing strength, rounds drawn and played one after another.

`plain_swaps` is the yardstick: chunks by score, and swaps that spare repeated meetings, one by one, without a plan.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.formats import tables_swiss
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, Position, points_by_number
from tournaments.formats.tables_swiss import Settings

PLACE_POINTS = {3: (12, 6, 0), 4: (12, 8, 4, 0)}
Tables = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Event:
    """An event that is over. `spreads`: by round, the scores at a table lay so far apart, added up over the tables."""

    draws: tuple[Draw, ...]
    meetings: tuple[Meeting, ...]
    repeats: tuple[int, ...]
    spreads: tuple[int, ...]

    @property
    def repeated(self) -> int:
        return sum(self.repeats)


class Field:
    """So many players of whom some are stronger; who is stronger wins more often, by chance from the seed."""

    def __init__(self, size: int, seed: int) -> None:
        self.chance = random.Random(f"{size}/{seed}")
        self.strength = list(range(size + 1))
        self.chance.shuffle(self.strength)

    def placed(self, table: Sequence[int]) -> list[int]:
        """Those at a table from first to last."""
        far = len(self.strength) / 4
        return sorted(table, key=lambda one: self.strength[one] + self.chance.gauss(0, far))


def played(round_number: int, table: Sequence[int], field: Field) -> Meeting:
    order = field.placed(table)
    places = [order.index(one) + 1 for one in table]
    points = [PLACE_POINTS[len(table)][place - 1] for place in places]
    return Meeting(round_number, tuple(table), tuple(points), places=tuple(places))


def meetings_of(draw: Draw, round_number: int, field: Field) -> list[Meeting]:
    """A drawn round after it was played; byes bring what their kind says."""
    return [
        played(round_number, table.entrants, field)
        if len(table.entrants) > 1
        else Meeting(round_number, table.entrants, (12 if table.kind is Kind.BYE else 0,), table.kind)
        for table in draw.tables
    ]


def event(
    size: int,
    seed: int,
    rounds: int = 6,
    seats: int = 4,
    settings: Settings | None = None,
    draw_next: Callable[[Position, Settings], Draw] = tables_swiss.draw_next,
    entrants: Sequence[Entrant] = (),
) -> Event:
    """An event from first to last round."""
    field, there = Field(size, seed), tuple(entrants) or tuple(Entrant(number) for number in range(1, size + 1))
    lots = Lots(seed.to_bytes(32, "big"))
    meetings: list[Meeting] = []
    draws = []
    for number in range(1, rounds + 1):
        position = Position(there, tuple(meetings), number, rounds, lots, seats)
        draws.append(draw_next(position, settings or Settings(rounds=rounds)))
        meetings += meetings_of(draws[-1], number, field)
    return Event(tuple(draws), tuple(meetings), repeats_by_round(draws), spreads_of(there, draws, meetings))


def repeats_by_round(draws: Sequence[Draw]) -> tuple[int, ...]:
    """By round: pairs of table-mates who had met before."""
    met: set[tuple[int, ...]] = set()
    counts = []
    for draw in draws:
        pairs = [pair for table in draw.tables for pair in combinations(sorted(table.entrants), 2)]
        counts.append(sum(pair in met for pair in pairs))
        met.update(pairs)
    return tuple(counts)


def farthest_seats(draws: Sequence[Draw]) -> int:
    """The most by which anybody sat at one seat more often than at another."""
    tables = [table.entrants for draw in draws for table in draw.tables if len(table.entrants) > 1]
    seats = max(map(len, tables))
    times = Counter((one, seat) for table in tables for seat, one in enumerate(table))
    rows = [[times[one, seat] for seat in range(seats)] for one in {one for one, _ in times}]
    return max(max(row) - min(row) for row in rows)


def spreads_of(there: Sequence[Entrant], draws: Sequence[Draw], meetings: Sequence[Meeting]) -> tuple[int, ...]:
    spreads = []
    for number, draw in enumerate(draws, start=1):
        points = points_by_number(there, [one for one in meetings if one.round < number])
        scores = [[points[one] for one in table.entrants] for table in draw.tables]
        spreads.append(sum(max(score) - min(score) for score in scores))
    return tuple(spreads)


def plain_swaps(size: int, seed: int, rounds: int = 6, *, short: bool = False) -> tuple[int, ...]:
    """What the plain way repeats by round; `short` allows tables of three, else who is left sits out."""
    field = Field(size, seed)
    score, byes = [0] * (size + 1), [0] * (size + 1)
    met: set[tuple[int, int]] = set()
    repeats = []
    for _ in range(rounds):
        tables = _swapped(_chunks(size, score, byes, field, short=short), met, score)
        pairs = [pair for table in tables for pair in combinations(sorted(table), 2)]
        repeats.append(sum(pair in met for pair in pairs))
        met.update(pairs)
        for table in tables:
            for place, one in enumerate(field.placed(table)):
                score[one] += PLACE_POINTS[len(table)][place]
    return tuple(repeats)


def _chunks(size: int, score: list[int], byes: list[int], field: Field, *, short: bool) -> list[list[int]]:
    order = sorted(range(1, size + 1), key=lambda one: (-score[one], field.chance.random()))
    small = -size % 4 if short and size != 5 else 0
    large = (size - 3 * small) // 4
    out = sorted(order, key=lambda one: (byes[one], score[one], field.chance.random()))[: size - 4 * large - 3 * small]
    for one in out:
        byes[one] += 1
        score[one] += 12
    playing = [one for one in order if one not in out]
    sizes = [4] * large + [3] * small
    return [playing[sum(sizes[:table]) : sum(sizes[: table + 1])] for table in range(len(sizes))]


def _swapped(tables: list[list[int]], met: set[tuple[int, int]], score: list[int]) -> list[list[int]]:
    """Swap after swap, the best for a table that repeats something, until none helps."""

    def cost(table: Sequence[int]) -> int:
        repeated = sum(pair in met for pair in combinations(sorted(table), 2))
        return repeated * 1_000_000 + (max(score[one] for one in table) - min(score[one] for one in table)) ** 2

    while True:
        swaps = [
            (after - cost(tables[here]) - cost(tables[there]), here, there, changed)
            for here in range(len(tables))
            if cost(tables[here]) >= 1_000_000
            for there in range(len(tables))
            if there != here
            for after, changed in _exchanges(tables[here], tables[there], cost)
        ]
        best = min(swaps, key=lambda swap: swap[:3], default=None)
        if best is None or best[0] >= 0:
            return tables
        _, here, there, (tables[here], tables[there]) = best


def _exchanges(
    one: list[int], other: list[int], cost: Callable[[Sequence[int]], int]
) -> list[tuple[int, tuple[list[int], list[int]]]]:
    found = []
    for mine in one:
        for theirs in other:
            changed = [x for x in one if x != mine] + [theirs], [x for x in other if x != theirs] + [mine]
            found.append((cost(changed[0]) + cost(changed[1]), changed))
    return found
