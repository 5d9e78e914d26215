"""Several rounds at once, and how often all would have met after them: what a search for few repetitions works on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tournaments.formats.tables_swiss.grouping import Tables
from tournaments.formats.tables_swiss.history import History

REPEATED = 1 << 20
AGAIN = 1 << 10
SHARED = 1
"""Weights as in `weights`, without scores: what is planned for later rounds does not know them."""


def again(times: int) -> int:
    """What one more meeting costs those who have met so often."""
    return REPEATED + (times - 1) * AGAIN if times > 0 else 0


class Sheet:
    """Rounds of tables from this one on, on top of the history. All by place in the history.

    `more[a][b]`: what one more meeting of the two would cost; `less[a][b]`: what one less would spare. `at[round]` has
    the table of each; -1 sits out.
    """

    __slots__ = ("at", "cost", "less", "more", "rounds", "shared", "short", "times")

    def __init__(self, history: History) -> None:
        size = range(len(history.numbers))
        self.short = history.short
        self.rounds: list[Tables] = []
        self.at: list[list[int]] = []
        self.times = [[history.times(one, other) for other in size] for one in size]
        self.shared = [
            [SHARED * (one != other and history.share_a_shield(one, other)) for other in size] for one in size
        ]
        self.more = [[0] * len(size) for _ in size]
        self.less = [[0] * len(size) for _ in size]
        self.cost = 0
        for one, other in combinations(size, 2):
            self._weigh(one, other)

    def may_swap(self, one: int, other: int, here: Sequence[int], there: Sequence[int]) -> bool:
        """Between a full and a short table only those swap who were at short ones equally often."""
        return len(here) == len(there) or self.short[one] == self.short[other]

    def append(self, tables: Tables) -> None:
        """One more round."""
        self.rounds.append([list(table) for table in tables])
        at = [-1] * len(self.times)
        for number, table in enumerate(tables):
            for one in table:
                at[one] = number
        self.at.append(at)
        self._note(tables, 1)

    def replace(self, number: int, tables: Tables) -> None:
        """Another division of the same entrants among the tables of a round."""
        self._note(self.rounds[number], -1)
        self.rounds[number] = [list(table) for table in tables]
        for place, table in enumerate(tables):
            for one in table:
                self.at[number][one] = place
        self._note(tables, 1)

    def swap(self, number: int, one: int, other: int, more: int) -> None:
        """Two at different tables of a round change places; `more` is what that costs."""
        at, tables = self.at[number], self.rounds[number]
        here, there = tables[at[one]], tables[at[other]]
        for mate in here:
            if mate != one:
                self._meet(one, mate, -1)
                self._meet(other, mate, 1)
        for mate in there:
            if mate != other:
                self._meet(other, mate, -1)
                self._meet(one, mate, 1)
        here[here.index(one)], there[there.index(other)] = other, one
        at[one], at[other] = at[other], at[one]
        self.cost += more

    def more_after(self, number: int, one: int, other: int) -> int:
        """What it costs more if two at different tables of a round change places."""
        at, tables = self.at[number], self.rounds[number]
        mine, theirs, spared, gone = self.more[one], self.more[other], self.less[one], self.less[other]
        cost = 0
        for mate in tables[at[one]]:
            if mate != one:
                cost += theirs[mate] - spared[mate]
        for mate in tables[at[other]]:
            if mate != other:
                cost += mine[mate] - gone[mate]
        return cost

    def copy_of_rounds(self) -> list[Tables]:
        return [[list(table) for table in tables] for tables in self.rounds]

    def _note(self, tables: Tables, step: int) -> None:
        for table in tables:
            for one, other in combinations(table, 2):
                self.cost += self.more[one][other] if step > 0 else -self.less[one][other]
                self._meet(one, other, step)

    def _meet(self, one: int, other: int, step: int) -> None:
        self.times[one][other] += step
        self.times[other][one] += step
        self._weigh(one, other)

    def _weigh(self, one: int, other: int) -> None:
        times, shared = self.times[one][other], self.shared[one][other]
        self.more[one][other] = self.more[other][one] = again(times) + shared
        self.less[one][other] = self.less[other][one] = again(times - 1) + shared
