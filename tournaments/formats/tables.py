"""Tables of three or four, each for himself: everybody plays equally often, and meets the same few as seldom as may be.

Nothing is drawn by chance: the same numbers give the same tables. Each round seats those who have played least, so
that no two sit out more often than once apart; who sits with whom is chosen by how often they have met.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

Seating = tuple[tuple[int, ...], ...]
"""The tables of one round: pairing numbers from 1, ascending; who is at none of them sits the round out."""
Meetings = list[list[int]]
"""How often each has met each, by pairing number; number 0 is nobody."""
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
        strangeness = list(met[table[0]])
        while len(table) < seats:
            chosen = min(left, key=lambda entry: (strangeness[entry], entry))
            left.remove(chosen)
            table.append(chosen)
            strangeness = [sum(pair) for pair in zip(strangeness, met[chosen], strict=True)]
        tables.append(table)
    return tables


def _improved(tables: list[list[int]], met: Meetings) -> list[list[int]]:
    """Swaps two entries of two tables for as long as that spares meetings that would be repeated."""
    while _swap_one(tables, met):
        pass
    return tables


def _swap_one(tables: list[list[int]], met: Meetings) -> bool:
    costs = [_cost(table, met) for table in tables]
    for first, second in combinations(range(len(tables)), 2):
        before = costs[first] + costs[second]
        for here in range(len(tables[first])) if before else ():
            for there in range(len(tables[second])):
                _exchange(tables[first], here, tables[second], there)
                if _cost(tables[first], met) + _cost(tables[second], met) < before:
                    return True
                _exchange(tables[first], here, tables[second], there)
    return False


def _exchange(first: list[int], here: int, second: list[int], there: int) -> None:
    first[here], second[there] = second[there], first[here]


def _cost(table: Sequence[int], met: Meetings) -> int:
    """What this table repeats: a third meeting weighs more than two second ones."""
    return sum(met[one][other] ** 2 for one, other in combinations(table, 2))


def _note(tables: Sequence[Sequence[int]], met: Meetings) -> None:
    for one, other in (pair for table in tables for pair in combinations(table, 2)):
        met[one][other] += 1
        met[other][one] += 1
