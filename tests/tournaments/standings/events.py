"""Events drawn at random, with every kind of round that was not played."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tournaments.formats.meetings import Entrant, Kind, Meeting

RESULTS = ((1, 2), (1, 1), (2, 1))
ASKED = (Kind.HALF_BYE, Kind.ZERO_BYE)


@dataclass(frozen=True, slots=True)
class Event:
    """`rounds`: all of them closed."""

    entrants: tuple[Entrant, ...]
    meetings: tuple[Meeting, ...]
    rounds: int


def event(chance: random.Random, entrants: int, rounds: int, trouble: float = 0.15) -> Event:
    """Two by two, mostly neighbours in points and without rematches; `trouble`: how often something is not played.

    Late entries, withdrawals, half and zero byes asked for, byes without a word, allocated byes, forfeits, double ones.
    """
    joined = {number: _joined(chance, rounds, trouble) for number in range(1, entrants + 1)}
    left = {number: _left(chance, rounds, trouble) for number in joined}
    points = dict.fromkeys(joined, 0)
    met: set[frozenset[int]] = set()
    meetings: list[Meeting] = []
    for one in range(1, rounds + 1):
        there = [number for number in joined if joined[number] <= one < left[number]]
        away = [number for number in there if chance.random() < trouble / 2]
        meetings += _asked(chance, one, away, points)
        meetings += _round(chance, one, [number for number in there if number not in away], points, met, trouble)
    everybody = tuple(Entrant(number, joined=joined[number]) for number in joined)
    return Event(everybody, tuple(meetings), rounds)


def large(chance: random.Random, entrants: int, rounds: int, trouble: float = 0.02) -> Event:
    """As `event`, of any size: neighbours in points meet, whether or not they have met before."""
    points = dict.fromkeys(range(1, entrants + 1), 0)
    meetings: list[Meeting] = []
    for one in range(1, rounds + 1):
        away = [number for number in points if chance.random() < trouble / 2]
        meetings += _asked(chance, one, away, points)
        there = sorted(points.keys() - set(away))
        there.sort(key=lambda number: (-points[number], chance.random()))
        if len(there) % 2:
            points[there[-1]] += 4
            meetings.append(Meeting(one, (there.pop(),), (4,), Kind.BYE))
        for pair in zip(there[::2], there[1::2], strict=True):
            meetings.append(_meeting(chance, one, pair, points, trouble))
    return Event(tuple(Entrant(number) for number in points), tuple(meetings), rounds)


def round_robin(chance: random.Random, entrants: int, trouble: float = 0.15) -> Event:
    """Everybody meets everybody once, by the circle; forfeits as `trouble` has it."""
    seats = [*range(1, entrants + 1 + entrants % 2)]
    points = dict.fromkeys(seats, 0)
    meetings = []
    for one in range(1, len(seats)):
        for first, second in zip(seats[: len(seats) // 2], seats[: len(seats) // 2 - 1 : -1], strict=True):
            if max(first, second) <= entrants:
                meetings.append(_meeting(chance, one, (first, second), points, trouble))
        seats = [seats[0], seats[-1], *seats[1:-1]]
    everybody = tuple(Entrant(number) for number in range(1, entrants + 1))
    return Event(everybody, tuple(meetings), len(seats) - 1)


def _joined(chance: random.Random, rounds: int, trouble: float) -> int:
    return chance.randint(2, rounds) if chance.random() < trouble / 3 else 1


def _left(chance: random.Random, rounds: int, trouble: float) -> int:
    return chance.randint(1, rounds) if chance.random() < trouble / 2 else rounds + 1


def _asked(chance: random.Random, one: int, away: list[int], points: dict[int, int]) -> list[Meeting]:
    """A third of those who are away said nothing: they have no meeting at all."""
    told = []
    for number in away:
        if chance.random() < 2 / 3:
            kind = chance.choice(ASKED)
            brought = 2 if kind is Kind.HALF_BYE else 0
            points[number] += brought
            told.append(Meeting(one, (number,), (brought,), kind))
    return told


def _round(
    chance: random.Random,
    one: int,
    there: list[int],
    points: dict[int, int],
    met: set[frozenset[int]],
    trouble: float,
) -> list[Meeting]:
    waiting = sorted(there, key=lambda number: (-points[number], chance.random()))
    meetings = []
    while len(waiting) > 1:
        first = waiting.pop(0)
        fresh = [number for number in waiting if frozenset({first, number}) not in met]
        second = (fresh or waiting)[0]
        waiting.remove(second)
        met.add(frozenset({first, second}))
        meetings.append(_meeting(chance, one, (first, second), points, trouble))
    for number in waiting:
        points[number] += 4
        meetings.append(Meeting(one, (number,), (4,), Kind.BYE))
    return meetings


def _meeting(chance: random.Random, one: int, pair: tuple[int, int], points: dict[int, int], trouble: float) -> Meeting:
    seated = pair if chance.random() < 0.5 else pair[::-1]
    if chance.random() < trouble / 2:
        absent = frozenset(chance.choice([(seated[0],), (seated[1],), seated]))
        brought = tuple(0 if number in absent else 4 for number in seated)
        meeting = Meeting(one, seated, brought, Kind.FORFEIT, absent=absent)
    else:
        places = chance.choice(RESULTS)
        brought = {(1, 2): (4, 0), (1, 1): (2, 2), (2, 1): (0, 4)}[places]
        scores = {(1, 2): (162, 0), (1, 1): (81, 81), (2, 1): (0, 162)}[places]
        meeting = Meeting(one, seated, brought, places=places, scores=scores)
    for number, gained in zip(seated, brought, strict=True):
        points[number] += gained
    return meeting
