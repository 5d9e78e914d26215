"""Individual pairs by whist designs: everybody is everybody's partner once and his opponent twice.

Four play at a table, two against two, and partners change from round to round. Sizes 4k take 4k - 1 rounds; 4k + 1 take
as many rounds as there are entrants, each of whom sits out once. 4k + 2 and 4k + 3 cannot be perfect: each sits out two
or three times, nobody has a partner twice, and nobody meets an opponent more than twice. A short event is as many of
these rounds as the organiser says, chosen so that all sit out as evenly as is found: exchanges of one round for another
are made for as long as one helps.

Reasons: `partners_new ()` for each table; `same_shield (number, number)` for two who share one; those of `free_rounds`
for who sits out. Of the round: `design (entrants, rounds)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd

from tournaments.formats.free_rounds import FreeRounds
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Reason, Table
from tournaments.formats.seating import PARTNERS_OPPOSITE, all_seated
from tournaments.formats.settings import number
from tournaments.formats.whist_starters import STARTERS

VERSION = 1
LEAST = min(STARTERS)
SEATS = 4
SIDES = (0, 1, 0, 1)
NINE = 9
DesignRound = tuple[tuple[int, ...], ...]
"""Tables N E S W of places from 0; who is at none sits out."""


def _most() -> int:
    """The largest size up to which every size has a design: those of 4k + 3 are made from the next one."""
    size = LEAST
    while _starter_size(size + 1) in STARTERS:
        size += 1
    return size


def _starter_size(entrants: int) -> int:
    return entrants + 1 if entrants % 4 == 3 else entrants


MOST = _most()


@dataclass(frozen=True, slots=True)
class Settings:
    """`rounds`: 0 is the whole design."""

    rounds: int = number(0, 0, MOST)


def why_not(entrants: int, settings: Settings, seats: int) -> str | None:
    """None, or what the organiser can do."""
    if seats != SEATS:
        return f"Pairs that change need tables of four, and the rules seat {seats}: choose rules for pairs."
    if entrants < LEAST:
        return f"Changing partners need at least {LEAST} entries, there are {entrants}: enter more."
    if entrants > MOST:
        return f"There are designs for up to {MOST} entries, and there are {entrants}: choose partners by a Swiss."
    if settings.rounds > (most := len(design(entrants))):
        return f"With {entrants} entries everybody has had every partner after {most} rounds: play no more than that."
    return None


def draw_all(entrants: Sequence[Entrant], settings: Settings, lots: Lots, seats: int = SEATS) -> tuple[Draw, ...]:
    """All rounds. Nothing is drawn by chance: places in the design go by pairing number.

    Raises ValueError where `why_not` has something to say.
    """
    if (told := why_not(len(entrants), settings, seats)) is not None:
        raise ValueError(told)
    field = sorted(entrants, key=lambda one: one.number)
    rounds = _chosen(design(len(field)), field, settings.rounds)
    out = [[field[place].number for place in _out(drawn, len(field))] for drawn in rounds]
    free = FreeRounds((one.number for one in field), out)
    by_number = {one.number: one for one in field}
    seated = iter(
        all_seated([[field[place].number for place in table] for drawn in rounds for table in drawn], PARTNERS_OPPOSITE)
    )
    draws = []
    for drawn, sitting in zip(rounds, out, strict=True):
        tables = [_table(next(seated), by_number) for _ in drawn]
        byes = [free.next(number) for number in sitting]
        draws.append(Draw((*tables, *byes), (Reason("design", (len(field), len(rounds))),)))
    return tuple(draws)


def design(entrants: int) -> tuple[DesignRound, ...]:
    """Every round of the design for so many; raises KeyError where there is none."""
    starter = [table.split() for table in STARTERS[_starter_size(entrants)].split("|")]
    size = _starter_size(entrants)
    ring = size - 1 if size % 4 == 0 else size
    rounds = tuple(
        tuple(tuple(_turned(place, shift, ring) for place in table) for table in starter) for shift in range(ring)
    )
    # With one entrant less than the design has places, nobody is in the fixed one, and those at its table sit out.
    return tuple(tuple(table for table in drawn if entrants not in table) for drawn in rounds)


def _turned(place: str, shift: int, ring: int) -> int:
    if place == "*":
        return ring
    if ring == NINE:
        return (int(place) // 3 + shift // 3) % 3 * 3 + (int(place) + shift) % 3
    return (int(place) + shift) % ring


def _chosen(rounds: Sequence[DesignRound], field: Sequence[Entrant], count: int) -> tuple[DesignRound, ...]:
    """The rounds in playing order: next is the one whose sitters sat out least, then with fewest shields at a table."""
    choice = _Choice(rounds, field)
    chosen = choice.best(count) if count else range(len(rounds))
    return tuple(rounds[number] for number in choice.in_order(chosen))


class _Choice:
    """Which rounds of a design are played, by their numbers from 0."""

    def __init__(self, rounds: Sequence[DesignRound], field: Sequence[Entrant]) -> None:
        self.out = [_out(drawn, len(field)) for drawn in rounds]
        self.shared = [_shared(drawn, field) for drawn in rounds]

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        left, ordered = list(numbers), list[int]()
        times: Counter[int] = Counter()
        while left:
            following = min(
                left, key=lambda one: (sum(2 * times[place] + 1 for place in self.out[one]), self.shared[one])
            )
            left.remove(following)
            ordered.append(following)
            times.update(self.out[following])
        return ordered

    def best(self, count: int) -> list[int]:
        """So many, exchanged from several beginnings: one after another, and in even steps over the design."""
        length = len(self.out)
        steps = [step for step in range(1, length) if gcd(step, length) == 1]
        beginnings = [self.in_order(range(length)), *([step * one % length for one in range(length)] for step in steps)]
        return min((self.exchanged(one[:count]) for one in beginnings), key=self._worth)

    def exchanged(self, chosen: Sequence[int]) -> list[int]:
        """The best exchange of one that is played for one that is not, again and again until none is better."""
        best, worth = list(chosen), self._worth(chosen)
        while True:
            spare = [number for number in range(len(self.out)) if number not in best]
            exchanges = [[*best[:place], other, *best[place + 1 :]] for place in range(len(best)) for other in spare]
            found = min(exchanges, key=self._worth, default=best)
            if self._worth(found) >= worth:
                return best
            best, worth = found, self._worth(found)

    def _worth(self, numbers: Sequence[int]) -> tuple[int, int]:
        """The lower the better: the squares of how often each sits out, then shields at one table."""
        times = Counter(place for number in numbers for place in self.out[number])
        return sum(many**2 for many in times.values()), sum(self.shared[number] for number in numbers)


def _out(drawn: DesignRound, size: int) -> list[int]:
    playing = {place for table in drawn for place in table}
    return [place for place in range(size) if place not in playing]


def _shared(drawn: DesignRound, field: Sequence[Entrant]) -> int:
    return sum(len(list(_same_shields([field[place] for place in table]))) for table in drawn)


def _same_shields(table: Sequence[Entrant]) -> Iterator[Reason]:
    for one, other in combinations(table, 2):
        if not one.shields.isdisjoint(other.shields):
            yield Reason("same_shield", (one.number, other.number))


def _table(seated: tuple[int, ...], by_number: Mapping[int, Entrant]) -> Table:
    shared = _same_shields([by_number[one] for one in seated])
    return Table(seated, sides=SIDES, reasons=(Reason("partners_new"), *shared))
