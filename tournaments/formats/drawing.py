"""Which format a table is played in, and its draw in one form: rounds of meetings, byes included."""

from __future__ import annotations

from tournaments.formats import tables
from tournaments.formats.round_robin import round_robin

DrawnRound = tuple[tuple[int, ...], ...]
"""Pairing numbers from 1 of those who meet, in seat order; one alone has a bye."""
LARGE_TABLES = {"3": 3, "4": 4}
"""Tables at which more than two sides meet."""


def format_of(table_kind: str) -> str:
    """`tables` where three or four play each for himself, `round_robin` for two and for pairs."""
    return "tables" if table_kind in LARGE_TABLES else "round_robin"


def entries_least(table_kind: str) -> int:
    """How many entries fill one table."""
    return LARGE_TABLES.get(table_kind, 2)


def meetings_of(entries: int, table_kind: str) -> int:
    """How many matches the whole draw has; says it without drawing."""
    seats = LARGE_TABLES.get(table_kind)
    return tables.table_count(entries, seats) if seats else entries * (entries - 1) // 2


def rounds_of(entries: int, table_kind: str) -> tuple[DrawnRound, ...]:
    """The rounds of `entries` at such a table; raises ValueError where they do not fill one."""
    seats = LARGE_TABLES.get(table_kind)
    if seats is None:
        return tuple(
            tuple(tuple(number for number in (one.first, one.second) if number) for one in drawn)
            for drawn in round_robin(entries)
        )
    return tuple(_with_byes(drawn, entries) for drawn in tables.draw(entries, seats))


def _with_byes(seating: tables.Seating, entries: int) -> DrawnRound:
    playing = {entry for table in seating for entry in table}
    return (*seating, *((entry,) for entry in range(1, entries + 1) if entry not in playing))
