"""The settings of a Swiss at tables of three or four, and how a field is divided among tables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tournaments.formats.settings import number

VERSION = 1
SIZES = (3, 4)
MOST_ROUNDS = 60


class ShortTables(StrEnum):
    """What becomes of those who are left when all tables of four are full."""

    SIT_OUT = "sit_out"
    """they have a bye: for rules that need four"""
    ALLOW = "allow"
    """there are tables of three, as few as can be"""


@dataclass(frozen=True, slots=True)
class Settings:
    """`protect`: whether those who share an owner or a club are kept apart where that repeats no meeting."""

    rounds: int = number(6, 1, MOST_ROUNDS)
    short_tables: ShortTables = ShortTables.SIT_OUT
    protect: bool = True


@dataclass(frozen=True, slots=True)
class Division:
    """How many full tables, how many with one seat less, and how many sit out."""

    full: int
    short: int
    out: int


def divided(entrants: int, seats: int, short_tables: ShortTables) -> Division:
    """The tables of a round: full ones, and with `allow` at tables of four as few short ones as there can be.

    4a + 3b with the smallest b has b = -n mod 4; five players cannot be seated so, and one of them sits out.
    """
    short = -entrants % seats
    if short_tables is ShortTables.ALLOW and seats == max(SIZES) and short * (seats - 1) <= entrants:
        return Division((entrants - short * (seats - 1)) // seats, short, 0)
    return Division(entrants // seats, 0, entrants % seats)


def why_not(entrants: int, settings: Settings, seats: int) -> str | None:
    """None, or what the organiser can do."""
    if seats not in SIZES:
        return f"This format seats 3 or 4 at a table, and the rules seat {seats}: choose another format or other rules."
    division = divided(entrants, seats, settings.short_tables)
    if division.full + division.short == 0:
        return f"{entrants} entries fill no table of {seats}: enter more."
    return None


def rounds_of(entrants: int, settings: Settings, seats: int) -> int:
    """As many as the organiser set: meetings are repeated as late and as seldom as can be, but they may be."""
    return settings.rounds
