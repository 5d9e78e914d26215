"""What is wrong with a draw that was made ahead: who meets whom how often, who sits out, who sits where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.formats import round_robin, tables, whist
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind

LOTS = Lots(bytes(32))
Pair = tuple[int, int]


def field(size: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number) for number in range(1, size + 1))


def met(draws: Sequence[Draw]) -> Counter[Pair]:
    """How often each two sat at one table."""
    return Counter(pair for draw in draws for table in draw.tables for pair in combinations(sorted(table.entrants), 2))


def partners(draws: Sequence[Draw]) -> Counter[Pair]:
    """How often each two sat opposite at a table of four."""
    pairs = [pair for draw in draws for table in draw.tables for pair in (table.entrants[::2], table.entrants[1::2])]
    return Counter((min(pair), max(pair)) for pair in pairs if len(pair) == 2)


def sat_out(draws: Sequence[Draw]) -> Counter[int]:
    return Counter(table.entrants[0] for draw in draws for table in draw.tables if len(table.entrants) == 1)


def faults_of_rounds(draws: Sequence[Draw], size: int) -> Iterator[str]:
    """Whether each round names everybody once."""
    for number, draw in enumerate(draws, start=1):
        if sorted(one for table in draw.tables for one in table.entrants) != list(range(1, size + 1)):
            yield f"{size}: round {number} does not name everybody once"


def faults_of_round_robin(size: int, cycles: int) -> Iterator[str]:
    settings = round_robin.Settings(cycles=cycles)
    draws = round_robin.draw_all(field(size), settings, LOTS)
    length = len(draws) // cycles
    before: set[tuple[int, ...]] = set()
    yield from faults_of_rounds(draws, size)
    yield from _seats_thrice(draws, size)
    for cycle in range(cycles):
        mine = draws[cycle * length : (cycle + 1) * length]
        seated = [table.entrants for draw in mine for table in draw.tables if table.kind is Kind.PLAYED]
        firsts = Counter(one[0] for one in seated)
        if set(met(mine).values()) != {1} or len(met(mine)) != size * (size - 1) // 2:
            yield f"{size}: cycle {cycle + 1} is not complete"
        if max(firsts.values()) - min(firsts[one] for one in range(1, size + 1)) > 1:
            yield f"{size}: first seats of cycle {cycle + 1} are not balanced: {firsts}"
        if sorted(sat_out(mine).values()) != [1] * (size * (size % 2)):
            yield f"{size}: free rounds of cycle {cycle + 1} are not one each"
        if cycle and {one[::-1] for one in seated} != before:
            yield f"{size}: cycle {cycle + 1} does not reverse the seats"
        before = set(seated)


def _seats_thrice(draws: Sequence[Draw], size: int) -> Iterator[str]:
    """Who has one seat three times running; a free round ends a run."""
    seats = [{one: seat for table in draw.tables for seat, one in enumerate(table.entrants)} for draw in draws]
    for draw, seated in zip(draws, seats, strict=True):
        for table in draw.tables:
            if len(table.entrants) == 1:
                del seated[table.entrants[0]]
    for number, three in enumerate(zip(seats, seats[1:], seats[2:], strict=False), start=1):
        for one in range(1, size + 1):
            if len({seated.get(one, -1) for seated in three}) == 1:
                yield f"{size}: {one} has one seat in round {number} and the two that follow"


def faults_of_whist(size: int) -> Iterator[str]:
    """Partners once and opponents twice; where no design can have that, at most so often and sitting out evenly."""
    draws = whist.draw_all(field(size), whist.Settings(), LOTS)
    yield from faults_of_rounds(draws, size)
    together, with_whom = met(draws), partners(draws)
    pairs = list(combinations(range(1, size + 1), 2))
    opposed = {pair: together[pair] - with_whom[pair] for pair in pairs}
    if size % 4 < 2:
        if any(with_whom[pair] != 1 or opposed[pair] != 2 for pair in pairs):
            yield f"{size}: not everybody partners each once and opposes each twice"
        if len(draws) != (size if size % 4 else size - 1):
            yield f"{size}: {len(draws)} rounds"
    elif max(with_whom.values()) > 1 or max(opposed.values()) > 2:
        yield f"{size}: partners or opponents too often"
    if sorted(sat_out(draws).values()) != [size % 4] * (size * (size % 4 > 0)):
        yield f"{size}: sitting out is not even"
    if any(table.sides != (0, 1, 0, 1) for draw in draws for table in draw.tables if len(table.entrants) > 1):
        yield f"{size}: partners do not sit opposite"


def faults_of_movement(size: int, seats: int) -> Iterator[str]:
    draws = tables.draw_all(field(size), tables.Settings(), LOTS, seats)
    yield from faults_of_rounds(draws, size)
    if met(draws) != dict.fromkeys(combinations(range(1, size + 1), 2), 1) or sat_out(draws):
        yield f"{size} at tables of {seats}: not everybody meets everybody exactly once"
