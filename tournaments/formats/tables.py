"""Tables of three or four, each for himself: everybody plays equally often, and meets the same few as seldom as may be.

Nothing is drawn by chance: the same numbers give the same tables. Each round seats those who have played least, so
that no two sit out more often than once apart; who sits with whom is chosen by how often they have met.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import isqrt
from operator import add

Seating = tuple[tuple[int, ...], ...]
"""The tables of one round: pairing numbers from 1, ascending; who is at none of them sits the round out."""
Meetings = list[list[int]]
"""The square of how often each has met each, so that a third meeting weighs more than two second ones.

By pairing number; number 0 is nobody.
"""
SIZES = (3, 4)


def games_each(entries: int, seats: int) -> int:
    """How often everybody plays: often enough to meet all others once, and so that all tables are full."""
    games = -(-(entries - 1) // (seats - 1))
    while games * entries % seats:
        games += 1
    return games


def table_count(entries: int, seats: int) -> int:
    """How many tables the whole draw has."""
    return games_each(entries, seats) * entries // seats


def draw(entries: int, seats: int) -> tuple[Seating, ...]:
    """The rounds for pairing numbers 1 … `entries`; raises ValueError where they cannot fill one table."""
    if seats not in SIZES:
        raise ValueError(f"Tables have {SIZES[0]} or {SIZES[1]} seats, not {seats}.")
    if entries < seats:
        raise ValueError(f"A table of {seats} needs {seats} entries, there are {entries}.")
    met: Meetings = [[0] * (entries + 1) for _ in range(entries + 1)]
    games, last_played = [0] * (entries + 1), [0] * (entries + 1)
    rounds = []
    for number, count in enumerate(_tables_a_round(entries, seats), start=1):
        waiting = sorted(range(1, entries + 1), key=lambda entry: (games[entry], last_played[entry], entry))
        tables = _improved(_seated(waiting[: count * seats], seats, met), met)
        for entry in (entry for table in tables for entry in table):
            games[entry] += 1
            last_played[entry] = number
        _note(tables, met)
        rounds.append(tuple(sorted(tuple(sorted(table)) for table in tables)))
    return tuple(rounds)


def _tables_a_round(entries: int, seats: int) -> Iterator[int]:
    """As few rounds as can be, as even as can be: 13 tables in rounds of at most 3 are 3 3 3 2 2."""
    tables = table_count(entries, seats)
    rounds = -(-tables // (entries // seats))
    least, more = divmod(tables, rounds)
    yield from (least + (number < more) for number in range(rounds))


def _seated(playing: Sequence[int], seats: int, met: Meetings) -> list[list[int]]:
    """Fills one table after another: whoever is left with the lowest number, and those he and his have met least."""
    left, tables = sorted(playing), []
    while left:
        table = [left.pop(0)]
        strangeness = met[table[0]]
        while len(table) < seats:
            chosen = min(left, key=strangeness.__getitem__)  # of equals the lowest number, which comes first
            left.remove(chosen)
            table.append(chosen)
            strangeness = list(map(add, strangeness, met[chosen]))
        tables.append(table)
    return tables


def _improved(tables: list[list[int]], met: Meetings) -> list[list[int]]:
    """Swaps entries of two tables for as long as that spares meetings that would be repeated."""
    swaps = _Swaps(tables, met)
    looking = list(swaps.at)
    while looking:
        looking = swaps.improve(looking)
    return tables


class _Swaps:
    """The tables of a round, and what each entry would repeat at each of them.

    What a swap spares is read off, not reckoned anew: hundreds of entries are drawn while an organiser waits.
    """

    def __init__(self, tables: list[list[int]], met: Meetings) -> None:
        self.tables, self.met = tables, met
        self.at = {entry: number for number, table in enumerate(tables) for entry in table}
        self.costs = {entry: self._costs(entry) for entry in self.at}

    def _costs(self, entry: int) -> list[int]:
        """By table: what the entry repeats with those who sit there; its own weight with itself is nothing."""
        weights = [self.met[entry][other] for other in self.at]
        seats = len(self.tables[0])
        return list(map(sum, zip(*(weights[seat::seats] for seat in range(seats)), strict=True)))

    def improve(self, looking: Sequence[int]) -> list[int]:
        """Gives each of these who repeats a meeting his best swap; returns who sits at a table that was changed."""
        changed: set[int] = set()
        for entry in looking:
            other = self._best_swap(entry) if self.costs[entry][self.at[entry]] else None
            if other is not None:
                self._swap(entry, other)
                changed |= {self.at[entry], self.at[other]}
        return [entry for number in sorted(changed) for entry in self.tables[number]]

    def _best_swap(self, entry: int) -> int | None:
        """With whom the entry should change places for both tables' good; None where that spares nothing."""
        here, costs, weights = self.at[entry], self.costs[entry], self.met[entry]
        own, most, best = costs[here], 0, None
        for there, cost in enumerate(costs):
            for other in self.tables[there] if there != here else ():
                theirs = self.costs[other]
                spared = own - cost + theirs[there] - theirs[here] + 2 * weights[other]
                if spared > most:
                    most, best = spared, other
        return best

    def _swap(self, entry: int, other: int) -> None:
        here, there = self.at[entry], self.at[other]
        self.tables[here][self.tables[here].index(entry)] = other
        self.tables[there][self.tables[there].index(other)] = entry
        self.at[entry], self.at[other] = there, here
        for one, costs in self.costs.items():
            more = self.met[one][other] - self.met[one][entry]
            costs[here] += more
            costs[there] -= more


def _note(tables: Sequence[Sequence[int]], met: Meetings) -> None:
    """Squares: 0, 1, 4, 9 from one meeting to the next."""
    for one, other in (pair for table in tables for pair in combinations(table, 2)):
        met[one][other] = met[other][one] = (isqrt(met[one][other]) + 1) ** 2
