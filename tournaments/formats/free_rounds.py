"""Rounds that somebody sits out where everything is drawn ahead, and what they are worth.

Where all sit out equally often, nobody loses by it, and such a round brings nothing. Elsewhere the first one brings
what a win brings, and each further one half of that: nobody has two byes with full points.

Reasons: `free_round ()` where it is even; else `first_bye (rounds)`, so many being sat out in all, and `later_bye
(which, rounds)`: this is the second, or a later one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tournaments.formats.meetings import Kind, Reason, Table


class FreeRounds:
    """The free rounds of an event by number, given out in playing order."""

    def __init__(self, numbers: Iterable[int], out: Sequence[Sequence[int]]) -> None:
        """`out`: by round who sits out."""
        self.times = Counter(dict.fromkeys(numbers, 0))
        self.times.update(number for drawn in out for number in drawn)
        self.is_even = len(set(self.times.values())) == 1
        self.had: Counter[int] = Counter()

    def next(self, number: int) -> Table:
        """The next one of this entrant."""
        self.had[number] += 1
        which, times = self.had[number], self.times[number]
        if self.is_even:
            return Table((number,), Kind.ZERO_BYE, reasons=(Reason("free_round"),))
        if which == 1:
            return Table((number,), Kind.BYE, reasons=(Reason("first_bye", (times,)),))
        return Table((number,), Kind.HALF_BYE, reasons=(Reason("later_bye", (which, times)),))
