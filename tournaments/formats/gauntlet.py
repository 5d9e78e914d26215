"""One after another: up a ladder of seeds, or one challenger who meets each of the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from tournaments.formats.bracket_building import Sketch, built, check_so_many, why_not_so_many
from tournaments.formats.brackets import WINNER, Bracket, Part, Place, Seed, Source

VERSION = 1


class GauntletKind(StrEnum):
    LADDER = "ladder"
    """the two lowest seeds meet, the winner meets the next better seed, and so on up to the first"""
    CHALLENGER = "challenger"
    """the first seed meets each of the others, the lowest first; nobody else meets"""


@dataclass(frozen=True, slots=True)
class Settings:
    kind: GauntletKind = GauntletKind.LADDER


def why_not(entrants: int, settings: Settings, seats: int = 2) -> str | None:
    """What an organiser can do where this cannot be played; None if it can."""
    return why_not_so_many(entrants, seats)


def bracket_of(entrants: int, settings: Settings | None = None) -> Bracket:
    """The gauntlet of 2 to 512 seeds, one match a round; raises ValueError for more or fewer.

    A challenger's matches depend on nothing and decide no places: those are by points (`Bracket.by_points`).
    """
    check_so_many(entrants)
    if (settings or Settings()).kind is GauntletKind.CHALLENGER:
        return replace(built(entrants, _challenges(entrants), first_shared=0), by_points=True)
    return built(entrants, _ladder(entrants), first_shared=0)


def _ladder(entrants: int) -> Iterator[Sketch]:
    below: Source = Seed(entrants)
    for number, seed in enumerate(range(entrants - 1, 0, -1), start=1):
        yield Sketch(number, number, Part.LADDER, (Seed(seed), below), (1 if seed == 1 else 0, seed + 1))
        below = Place(number, WINNER)


def _challenges(entrants: int) -> Iterator[Sketch]:
    for number, seed in enumerate(range(entrants, 1, -1), start=1):
        yield Sketch(number, number, Part.LADDER, (Seed(1), Seed(seed)))
