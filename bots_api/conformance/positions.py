"""Positions to put to programs: taken from parties that random players play, the same in every run. Pure."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine import PartySetup, Table, View, apply, observe, rules_of, start
from engine.bots import house

TABLES: Final = ("moscow/2", "moscow/3", "house/4", "klabor/pairs", "short_dava/2")
"""Two, three and four players, pairs, and Short with its stakes."""
LONGEST: Final = 2_000
"""Actions of a party that are looked at."""


@lru_cache(maxsize=64)
def views(preset: str, most: int) -> tuple[View, ...]:
    """Up to so many views of one party, each with another kind of choice than those before it."""
    seen: set[tuple[str, frozenset[str]]] = set()
    found: list[View] = []
    for table, seat in _turns(preset):
        view = observe(table, seat)
        kind = (view.phase.value, frozenset(action.kind.value for action in view.legal))
        if kind not in seen and len(view.legal) > 1:
            seen.add(kind)
            found.append(view)
        if len(found) == most:
            break
    return tuple(found)


@lru_cache(maxsize=8)
def finished(preset: str) -> Table:
    """A party of random players that is over."""
    return _played(preset)


def _turns(preset: str) -> Iterator[tuple[Table, int]]:
    """The tables of parties at which somebody acts."""
    table, rng = _opening(preset)
    for _ in range(LONGEST):
        if (seat := table.seat_to_act) is None:
            return
        yield table, seat
        table = apply(table, house("random").choose(observe(table, seat), rng))


def _played(preset: str) -> Table:
    table, rng = _opening(preset)
    while (seat := table.seat_to_act) is not None:
        table = apply(table, house("random").choose(observe(table, seat), rng))
    return table


def _opening(preset: str) -> tuple[Table, random.Random]:
    seed = hashlib.sha256(preset.encode()).digest()
    return start(PartySetup(rules_of(preset), seed)), random.Random(seed)
