"""Who stays without an opponent in an odd field (FIDE C.04.6 art. 3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.formats.swiss.field import Field, Side
from tournaments.formats.swiss.matching import Apart, can_all_meet


def bye_order(field: Field) -> list[Side]:
    """All by how soon they have the bye: the lowest score, then the most matches, then the largest number.

    Source: FIDE C.04.6 art. 3.4.2 to 3.4.4.
    """
    return sorted(field.sides, key=lambda side: (side.points, -side.matches, -side.number))


def byes(field: Field, apart: Apart, *, anybody: bool = False) -> Iterator[Side]:
    """Those who may have the bye, the first in order first.

    [C2] has not had one, nor a forfeit win, unless `anybody` may; art. 3.4.1 the others can then all be paired.
    """
    numbers = field.numbers
    for side in bye_order(field):
        if side.had_bye and not anybody:
            continue
        if can_all_meet([number for number in numbers if number != side.number], apart):
            yield side
