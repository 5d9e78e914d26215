"""Who stays without an opponent in an odd field (FIDE C.04.6 art. 3.4)."""

from __future__ import annotations

from tournaments.formats.swiss.field import Field, Side
from tournaments.formats.swiss.matching import Apart, can_all_meet, heaviest, may_meet
from tournaments.formats.swiss.relief import BYE


def bye_order(field: Field) -> list[Side]:
    """All by how soon they have the bye: the lowest score, then the most matches, then the largest number.

    Source: FIDE C.04.6 art. 3.4.2 to 3.4.4.
    """
    return sorted(field.sides, key=lambda side: (side.points, -side.matches, -side.number))


def bye_of(field: Field, apart: Apart, *, anybody: bool = False) -> Side | None:
    """The first in order who may have the bye; None where nobody may.

    [C2] has not had one, nor a forfeit win, unless `anybody` may; art. 3.4.1 the others can then all be paired.
    """
    may = [side for side in bye_order(field) if anybody or not side.had_bye]
    if not may:
        return None
    first = may[0]
    if can_all_meet([number for number in field.numbers if number != first.number], apart):
        return first
    return _first_by_one_matching(field, apart, may)


def _first_by_one_matching(field: Field, apart: Apart, may: list[Side]) -> Side | None:
    """The same among all of these at once: to try one after another would fail hundreds of times in a large field."""
    pairs = [(one, other, 0) for one, other in may_meet(field.numbers, apart)]
    sooner = [(BYE, side.number, len(may) - place) for place, side in enumerate(may)]
    partners = heaviest([*pairs, *sooner], as_many_as_possible=True)
    return field.by_number[partners[BYE]] if len(partners) == len(field.sides) + 1 else None
