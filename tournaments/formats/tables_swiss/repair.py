"""Swaps between tables of near scores that spare repeated meetings: for fields in which there are strangers enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tournaments.formats.tables_swiss.grouping import Tables
from tournaments.formats.tables_swiss.weights import TROUBLE, Weights

MOST_PASSES = 30
NEAR = 6
"""So many tables further down are looked at for swaps that only bring scores nearer."""
Swap = tuple[int, int, int]
"""What it costs more, whom it moves away, whom it brings."""


def repaired(tables: Tables, weights: Weights) -> Tables:
    """The tables after each in trouble had its best swaps. Each swap lessens what the whole costs."""
    repair = _Repair(tables, weights)
    looking: list[int] = list(range(len(tables)))
    for _ in range(MOST_PASSES):
        looking = sorted({changed for table in looking for changed in repair.mend(table)})
        if not looking:
            break
    return repair.tables


def brought_nearer(tables: Tables, weights: Weights) -> Tables:
    """The tables after every swap between near ones that lessens what the whole costs: scores come together again."""
    repair = _Repair(tables, weights)
    looking = set(range(len(tables)))
    for _ in range(MOST_PASSES):
        near = {table + far for table in looking for far in range(-NEAR, 1)} & set(range(len(tables)))
        looking = {changed for table in sorted(near) for changed in repair.bring_nearer(table)}
        if not looking:
            break
    return repair.tables


class _Repair:
    def __init__(self, tables: Tables, weights: Weights) -> None:
        self.tables = [list(table) for table in tables]
        self.weights = weights
        self.full = max(map(len, tables), default=0)

    def mend(self, table: int) -> Iterator[int]:
        """Swaps for as long as somebody here is in trouble and a swap helps; yields the tables that were changed."""
        for one in tuple(self.tables[table]):
            own = self._own(one, table)
            if own >= TROUBLE and (found := self._best(one, table, own)) is not None:
                there, other = found
                self._swap(one, table, other, there)
                yield table
                yield there

    def bring_nearer(self, table: int) -> Iterator[int]:
        """Every swap with those shortly below that helps; yields the tables that were changed."""
        for there in range(table + 1, min(table + NEAR + 1, len(self.tables))):
            for one in tuple(self.tables[table]):
                own, mates = self._own(one, table), [mate for mate in self.tables[table] if mate != one]
                costs = [(self._more(one, own, mates, other, there), other) for other in self.tables[there]]
                more, other = min(costs)
                if more < 0:
                    self._swap(one, table, other, there)
                    yield table
                    yield there

    def _own(self, one: int, table: int) -> int:
        return self.weights.with_all(one, [mate for mate in self.tables[table] if mate != one])

    def _best(self, one: int, table: int, own: int) -> tuple[int, int] | None:
        """The table and the entrant there with whom to change places: nearest first, until all trouble is over."""
        mates = [mate for mate in self.tables[table] if mate != one]
        trouble = own - own % TROUBLE
        best, found = 0, None
        for there in self._outward(table):
            for other in self.tables[there]:
                more = self._more(one, own, mates, other, there)
                if more < best:
                    best, found = more, (there, other)
            if best + trouble < TROUBLE // 2:  # what is left of it are scores
                break
        return found

    def _outward(self, table: int) -> Iterator[int]:
        for far in range(1, len(self.tables)):
            if table + far < len(self.tables):
                yield table + far
            if table >= far:
                yield table - far

    def _more(self, one: int, own: int, mates: Sequence[int], other: int, there: int) -> int:
        """What the whole costs more when the two change places."""
        theirs = [mate for mate in self.tables[there] if mate != other]
        pair = self.weights.pair
        after = sum([pair(one, mate) for mate in theirs]) + sum([pair(other, mate) for mate in mates])
        return after - own - sum([pair(other, mate) for mate in theirs]) + self._short(one, other, mates, theirs)

    def _short(self, one: int, other: int, mates: Sequence[int], theirs: Sequence[int]) -> int:
        if len(mates) == len(theirs):
            return 0
        more = self.weights.at_short(one) - self.weights.at_short(other)
        return more if len(theirs) < len(mates) else -more

    def _swap(self, one: int, table: int, other: int, there: int) -> None:
        self.tables[table][self.tables[table].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
