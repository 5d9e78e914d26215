"""Random Swiss events of every kind: odd fields, forfeits, byes asked for, late entries, those who leave.

Drawn from a seed alone, so that an event that shows something can be played again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, NoDraw, Position
from tournaments.formats.swiss import Settings, draw_next

DrawNext = Callable[[Position, Settings], Draw]


@dataclass(frozen=True)
class Event:
    """What kind of event it is. Shares are of all seats a round."""

    seed: int
    sides: int
    rounds: int
    forfeits: float = 0.0
    away: float = 0.0
    late: float = 0.0
    leaving: float = 0.0
    draws: float = 0.2


def random_event(seed: int, least: int = 6, most: int = 60) -> Event:
    """One event of every kind there is; small fields get as many rounds as they can take."""
    rng = random.Random(f"event {seed}")
    sides = rng.randint(least, most)
    rounds = rng.randint(3, min(11, max(3, sides // 2 + 1)))
    kind = rng.choice(["plain", "forfeits", "away", "late", "all"])
    share = {name: kind in (name, "all") for name in ("forfeits", "away", "late")}
    return Event(
        seed=seed,
        sides=sides,
        rounds=rounds,
        forfeits=0.04 * share["forfeits"],
        away=0.06 * share["away"],
        late=0.1 * share["late"],
        leaving=0.02 * share["late"],
        draws=rng.choice([0.0, 0.1, 0.35]),
    )


def entrants_of(event: Event) -> tuple[Entrant, ...]:
    rng = random.Random(f"entrants {event.seed}")
    return tuple(
        Entrant(
            number=number,
            rating=2000 - 10 * number + rng.randint(-150, 150),
            joined=rng.randint(2, 3) if rng.random() < event.late else 1,
            left=rng.randint(2, event.rounds) if rng.random() < event.leaving * event.rounds else None,
            away=frozenset(played for played in range(1, event.rounds + 1) if rng.random() < event.away),
        )
        for number in range(1, event.sides + 1)
    )


def positions(event: Event, settings: Settings | None = None, draw: DrawNext = draw_next) -> Iterator[Position]:
    """The position before each round, as far as the event can be paired."""
    settings = settings or Settings()
    position = Position(entrants_of(event), rounds=event.rounds, lots=Lots(event.seed.to_bytes(32, "big")), round=1)
    rng = random.Random(f"results {event.seed}")
    while position.round <= event.rounds:
        yield position
        try:
            drawn = draw(position, settings)
        except NoDraw:
            return
        position = replace(
            position,
            meetings=position.meetings + tuple(meetings_of(event, position, drawn, rng)),
            round=position.round + 1,
        )


def meetings_of(event: Event, position: Position, drawn: Draw, rng: random.Random) -> Iterator[Meeting]:
    """Results of a draw, and the byes of those who are not in it."""
    strength = {one.number: one.rating for one in position.entrants}
    for table in drawn.tables:
        if len(table.entrants) == 1:
            yield Meeting(position.round, table.entrants, (position.win,), Kind.BYE)
        elif rng.random() < event.forfeits:
            absent = frozenset(rng.sample(table.entrants, 2 if rng.random() < 0.2 else 1))
            points = tuple(0 if one in absent else position.win for one in table.entrants)
            yield Meeting(position.round, table.entrants, points, Kind.FORFEIT, absent=absent)
        else:
            yield Meeting(position.round, table.entrants, _points(event, position, table.entrants, strength, rng))
    seated = {number for table in drawn.tables for number in table.entrants}
    for one in position.entrants:
        if one.number not in seated and position.round in one.away:
            half = rng.random() < 0.5
            kind = Kind.HALF_BYE if half else Kind.ZERO_BYE
            yield Meeting(position.round, (one.number,), (position.draw if half else 0,), kind)


def _points(
    event: Event, position: Position, entrants: tuple[int, ...], strength: dict[int, int], rng: random.Random
) -> tuple[int, ...]:
    first, second = entrants
    if rng.random() < event.draws:
        return (position.draw, position.draw)
    chance = 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
    return (position.win, 0) if rng.random() < chance else (0, position.win)


def late_position(seed: int, sides: tuple[int, int] = (6, 20), drawn: tuple[int, int] = (4, 6)) -> Position:
    """A small field late in an event that was paired by no rule at all: so many sides, one of these rounds.

    In each round they were paired at random without meeting twice, as far as that went; who was left over had a bye.
    """
    rng = random.Random(f"late {seed}")
    count, last = rng.randint(*sides), rng.randint(*drawn)
    meetings: list[Meeting] = []
    met: set[frozenset[int]] = set()
    for played in range(1, last):
        waiting = rng.sample(range(1, count + 1), count)
        while waiting:
            one = waiting.pop()
            other = next((number for number in waiting if frozenset((one, number)) not in met), None)
            if other is None:
                meetings.append(Meeting(played, (one,), (4,), Kind.BYE))
                continue
            waiting.remove(other)
            met.add(frozenset((one, other)))
            meetings.append(Meeting(played, (one, other), rng.choice([(4, 0), (0, 4), (2, 2)])))
    entrants = tuple(Entrant(number) for number in range(1, count + 1))
    return Position(entrants, tuple(meetings), last, last + rng.randint(0, 2), Lots(seed.to_bytes(32, "big")))
