"""Which events of the game are reached while an option has a value, for every option and every value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final
from zlib import crc32

from engine import Rules
from tests.engine.agreements import (
    FULL,
    JACKPOTS,
    TABLES,
    VALUES,
    Agreement,
    Wants,
    agreement,
    merged,
    named,
    settled,
    unmet,
)
from tests.engine.directed import Wish, turns
from tests.engine.events import EVENTS, NAMES, Event
from tests.engine.happenings import happened

MIXED: Final = 6
"""Parties of mixed play that are tried for a row before anything is looked for."""

TRIES: Final = 600
"""Parties in which an event is looked for before its cell is empty."""


TRIES_IN_VAIN: Final = 2
"""Parties in which an excluded event is looked for all the same: it must not happen."""


@dataclass(frozen=True, slots=True)
class Row:
    """A value of an option."""

    option: str
    value: object

    def __str__(self) -> str:
        return named(self.option, self.value)

    @property
    def wants(self) -> Wants:
        return {self.option: (self.value,)}


@dataclass(frozen=True, slots=True)
class Line:
    """A row with, for every event, the number of the party in which it was reached first; None = it was not.

    `excluded`: events that this value excludes, by what it and the event want to be agreed on.
    """

    row: Row
    reached: frozenset[str]
    excluded: frozenset[str]

    @property
    def empty(self) -> tuple[str, ...]:
        """Events that nothing excludes and that were not reached."""
        return tuple(name for name in NAMES if name not in self.reached | self.excluded)

    @property
    def impossible(self) -> tuple[str, ...]:
        """Events that were reached though something is said to exclude them."""
        return tuple(name for name in NAMES if name in self.reached & self.excluded)

    def __str__(self) -> str:
        marks = "".join("•" if n in self.reached else "-" if n in self.excluded else "?" for n in NAMES)
        return f"{self.row!s:<38} {marks}"


def rows() -> Iterator[Row]:
    """All rows of the table; of the shapes of a jackpot, which are the many, a third on every day."""
    every = (Row(option, value) for option, values in VALUES.items() for value in values)
    return (row for row in every if FULL or row.value not in JACKPOTS or JACKPOTS.index(row.value) % 3 == 0)


def line_of(row: Row) -> Line:
    """A row filled: first by mixed play, then by play that looks for what is still missing."""
    ways = {event.name: _ways(row, event) for event in EVENTS}
    excluded = frozenset(name for name, found in ways.items() if not found)
    reached: set[str] = set()
    for number in range(MIXED):
        rng = random.Random(crc32(f"{row} {number}".encode()))
        reached |= _seen(_mixed(row, rng).rules, rng, rng.choice(_WISHES))
    for event in EVENTS:
        for number in range(TRIES if event.name not in reached | excluded else 0):
            rng = random.Random(crc32(f"{row} {event.name} {number}".encode()))
            reached |= _seen(_arranged(ways[event.name], rng).rules, rng, event.wish, event.name)
            if event.name in reached:
                break
    for event in EVENTS:
        for number in range(TRIES_IN_VAIN if event.name in excluded else 0):
            rng = random.Random(crc32(f"{row} {event.name} {number}".encode()))
            reached |= _seen(_against(row, event, rng).rules, rng, replace(event.wish, script=()))
    return Line(row, frozenset(reached), excluded)


_WISHES: Final = tuple(
    Wish(event.wish.likes, event.wish.pack, failing=0.02, forfeits=0.001, illegal=0.005) for event in EVENTS
)


def _seen(agreed: Rules, rng: random.Random, wish: Wish, looked_for: str = "") -> set[str]:
    """The events of a party, or of as much of it as it takes to see one."""
    seen: set[str] = set()
    for turn in turns(agreed, rng, wish):
        seen.update(happened(turn))
        if looked_for in seen:
            break
    return seen


def _mixed(row: Row, rng: random.Random) -> Agreement:
    """Any agreement with this value; of the other options about a third is as somebody likes."""
    while True:
        wants: Wants = {name: (rng.choice(values),) for name, values in VALUES.items() if rng.random() < 0.3}
        found = next(settled({**wants, "table": (rng.choice(TABLES),), "target": (60, 301), **row.wants}), None)
        if found is not None and not unmet((mixed := agreement(found)).preset, mixed.overrides):
            return mixed


def _ways(row: Row, event: Event) -> tuple[dict[str, object], ...]:
    """Agreements in which the event can happen with this value; none if it cannot."""
    both = [merged(row.wants, wants) for wants in event.wants]
    return tuple(way for wants in both if wants is not None for way in islice(settled(wants), 40))


def _against(row: Row, event: Event, rng: random.Random) -> Agreement:
    """An agreement with this value and as much of what an excluded event wants as can be had beside it."""
    asked: Wants = {"target": (60, 301), **row.wants}
    for option, values in rng.choice(event.wants).items():
        both = merged(asked, {option: values})
        asked = both if both is not None and next(settled(both), None) else asked
    return agreement(next(settled(asked)))


def _arranged(ways: tuple[dict[str, object], ...], rng: random.Random) -> Agreement:
    return agreement({"target": rng.choice((60, 301)), **rng.choice(ways)})
