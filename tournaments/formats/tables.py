"""Tables of three or four, each for himself: everybody plays equally often, and meets the same few as seldom as may be.

Nothing is drawn by chance: the same numbers give the same tables. Where a perfect movement is known it is played. Else
each round seats those who have played least, so that no two sit out more often than once apart; who sits with whom is
chosen by how often they have met. A short event is as many rounds as the organiser says.

Reasons: `met_before (number, number, times)` and `same_shield (number, number)` for each table; those of `free_rounds`
for who sits out. Of the round: `perfect (entrants, rounds)` where everybody meets everybody once in so many, `movement
(entrants, rounds)` elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, repeat
from math import isqrt
from operator import add

from tournaments.formats.free_rounds import FreeRounds
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Reason, Table
from tournaments.formats.seating import all_seated
from tournaments.formats.settings import number
from tournaments.formats.table_designs import is_perfect, perfect

VERSION = 1
Pair = tuple[int, int]
Seating = tuple[tuple[int, ...], ...]
"""The tables of one round: pairing numbers from 1, ascending; who is at none of them sits the round out."""
Meetings = list[list[int]]
"""The square of how often each has met each, so that a third meeting weighs more than two second ones.

By pairing number; number 0 is nobody.
"""
SIZES = (3, 4)


@dataclass(frozen=True, slots=True)
class Settings:
    """`rounds`: 0 is the whole movement, long enough to meet everybody."""

    rounds: int = number(0, 0, 1_000)


def why_not(entrants: int, settings: Settings, seats: int) -> str | None:
    """None, or what the organiser can do."""
    if seats not in SIZES:
        return f"Tables have {SIZES[0]} or {SIZES[1]} seats, not {seats}: choose another format, or other rules."
    if entrants < seats:
        return f"A table of {seats} needs {seats} entries, there are {entrants}: enter more."
    if settings.rounds > (most := round_count(entrants, seats)):
        return f"With {entrants} entries the whole movement has {most} rounds: play no more than that."
    return None


def draw_all(entrants: Sequence[Entrant], settings: Settings, lots: Lots, seats: int) -> tuple[Draw, ...]:
    """All rounds, by pairing number and without chance; raises ValueError where `why_not` has something to say.

    Whoever sits out as often as everybody else loses nothing by it; in a short event in which some sit out more often
    than others, the first free round has full points, and each further one half of them.
    """
    if (told := why_not(len(entrants), settings, seats)) is not None:
        raise ValueError(told)
    field = sorted(entrants, key=lambda one: one.number)
    is_short = 0 < settings.rounds < round_count(len(field), seats)
    rounds = draw(len(field), seats, settings.rounds, _sharing(field) if is_short else ())
    seated = iter(all_seated([[field[place - 1].number for place in table] for drawn in rounds for table in drawn]))
    name = "perfect" if is_perfect(len(field), seats) and not is_short else "movement"
    out = [[field[place - 1].number for place in _out(drawn, len(field))] for drawn in rounds]
    free = FreeRounds((one.number for one in field), out)
    history = _History(field)
    return tuple(
        Draw(
            (
                *(history.table(next(seated)) for _ in drawn),
                *(free.next(number) for number in sitting),
            ),
            (Reason(name, (len(field), len(rounds))),),
        )
        for drawn, sitting in zip(rounds, out, strict=True)
    )


class _History:
    """Who has met whom, while the rounds are written down."""

    def __init__(self, field: Sequence[Entrant]) -> None:
        self.shields: Mapping[int, frozenset[str]] = {one.number: one.shields for one in field}
        self.met: Counter[Pair] = Counter()

    def table(self, seated: tuple[int, ...]) -> Table:
        reasons = []
        for one, other in combinations(sorted(seated), 2):
            if times := self.met[one, other]:
                reasons.append(Reason("met_before", (one, other, times)))
            if not self.shields[one].isdisjoint(self.shields[other]):
                reasons.append(Reason("same_shield", (one, other)))
            self.met[one, other] += 1
        return Table(seated, reasons=tuple(reasons))


def _out(drawn: Seating, entries: int) -> list[int]:
    playing = {entry for table in drawn for entry in table}
    return [entry for entry in range(1, entries + 1) if entry not in playing]


def _sharing(field: Sequence[Entrant]) -> list[Pair]:
    """Places, from 1, of the pairs who share a shield."""
    places = combinations(enumerate(field, start=1), 2)
    return [(one, other) for (one, a), (other, b) in places if not a.shields.isdisjoint(b.shields)]


def games_each(entries: int, seats: int) -> int:
    """How often everybody plays: often enough to meet all others once, and so that all tables are full."""
    games = -(-(entries - 1) // (seats - 1))
    while games * entries % seats:
        games += 1
    return games


def table_count(entries: int, seats: int) -> int:
    """How many tables the whole draw has."""
    return games_each(entries, seats) * entries // seats


def round_count(entries: int, seats: int) -> int:
    """How many rounds the whole draw has."""
    return -(-table_count(entries, seats) // (entries // seats))


def draw(entries: int, seats: int, rounds: int = 0, apart: Sequence[Pair] = ()) -> tuple[Seating, ...]:
    """The rounds for pairing numbers 1 … `entries`; raises ValueError where they cannot fill one table.

    `rounds`: only so many of them, 0 for all. `apart`: pairs that are to meet as if they had met already.
    """
    if seats not in SIZES:
        raise ValueError(f"Tables have {SIZES[0]} or {SIZES[1]} seats, not {seats}.")
    if entries < seats:
        raise ValueError(f"A table of {seats} needs {seats} entries, there are {entries}.")
    if is_perfect(entries, seats) and not apart:
        return tuple(islice(perfect(entries, seats), rounds or None))
    met: Meetings = [[0] * (entries + 1) for _ in range(entries + 1)]
    _note(apart, met)
    games, last_played = [0] * (entries + 1), [0] * (entries + 1)
    drawn = []
    for place, count in enumerate(_tables_a_round(entries, seats, rounds), start=1):
        waiting = sorted(range(1, entries + 1), key=lambda entry: (games[entry], last_played[entry], entry))
        tables = _improved(_seated(waiting[: count * seats], seats, met), met)
        for entry in (entry for table in tables for entry in table):
            games[entry] += 1
            last_played[entry] = place
        _note(tables, met)
        drawn.append(tuple(sorted(tuple(sorted(table)) for table in tables)))
    return tuple(drawn)


def _tables_a_round(entries: int, seats: int, rounds: int) -> Iterator[int]:
    """As few rounds as can be, as even as can be: 13 tables in rounds of at most 3 are 3 3 3 2 2. All full in a few."""
    count = round_count(entries, seats)
    if 0 < rounds < count:
        yield from repeat(entries // seats, rounds)
        return
    least, more = divmod(table_count(entries, seats), count)
    yield from (least + (place < more) for place in range(count))


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
