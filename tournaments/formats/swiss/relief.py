"""What is given up where no pairing keeps the absolute criteria, and the stage lets those meet again who have met."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Position
from tournaments.formats.swiss.criteria import Criterion, best_by
from tournaments.formats.swiss.field import Field

BYE = 0
"""Stands for nobody among the numbers."""
LOT_BITS = 32


@dataclass(frozen=True, slots=True)
class GivenUp:
    """`again`: by number, those whom it may meet again. `second_bye`: whether one who had a bye has another."""

    again: Mapping[int, set[int]]
    second_bye: bool


def least_given_up(position: Position, field: Field) -> GivenUp:
    """The fewest meetings again; of these the oldest, the newest being counted first; then the fewest second byes.

    Lots decide among equals, so that the same seed gives the same pairs whatever library finds them.
    """
    numbers = field.numbers if len(field.sides) % 2 == 0 else [BYE, *field.numbers]
    pairs = list(combinations(numbers, 2))
    partners = best_by(_criteria(position, field), pairs, everybody=True)
    again = {one: {other} for one, other in partners.items() if _last_met(field, one, other)}
    return GivenUp(again, BYE in partners and field.by_number[partners[BYE]].had_bye > 0)


def _criteria(position: Position, field: Field) -> list[Criterion]:
    most = (len(field.sides) + 1) // 2
    rounds = sorted({played for side in field.sides for played in side.met.values()}, reverse=True)
    return [
        Criterion(lambda a, b: -(_last_met(field, a, b) > 0), most),
        *(_met_in(field, played, most) for played in rounds),
        Criterion(lambda a, b: -(a == BYE and field.by_number[b].had_bye > 0), 1),
        lots_of(position.lots.of("swiss", "relief", position.round), most),
    ]


def _last_met(field: Field, one: int, other: int) -> int:
    return field.by_number[one].met.get(other, 0) if one != BYE else 0


def _met_in(field: Field, played: int, most: int) -> Criterion:
    return Criterion(lambda a, b: -(_last_met(field, a, b) == played), most)


def lots_of(lots: Lots, most: int) -> Criterion:
    """A lot for each pair, so that of two matchings that are equal in all else one is better."""
    return Criterion(lambda a, b: lots.drawn("pair", a, b) >> (64 - LOT_BITS), most << LOT_BITS)
