"""Points as the marks of a score sheet: circles, sticks and a small number (R63)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

CROSSED, CIRCLE, STICK = 100, 50, 20
MOST_SMALL: Final = 10


@dataclass(frozen=True, slots=True)
class Marks:
    """Crossed circles of 100, circles of 50, sticks of 20, and a small number above (minus) or below (plus)."""

    crossed: int = 0
    circles: int = 0
    sticks: int = 0
    small: int = 0
    above: bool = False
    negative: bool = False

    @property
    def points(self) -> int:
        """What the marks say."""
        marks = CROSSED * self.crossed + CIRCLE * self.circles + STICK * self.sticks
        size = marks - self.small if self.above else marks + self.small
        return -size if self.negative else size


@lru_cache(maxsize=1024)
def marks_of(points: int) -> Marks:
    """The marks of a number: as few as possible, then the smaller small number, then below before above (R63).

    A number below zero has a minus sign before the marks of what it is without it.
    """
    size = abs(points)
    choices = ((small, above) for small in range(MOST_SMALL + 1) for above in (False, True)[: 1 + (small > 0)])
    found = [
        Marks(*drawn, small, above, points < 0)
        for small, above in choices
        if (drawn := _drawn(size + small if above else size - small)) is not None
    ]
    return min(found, key=lambda marks: marks.crossed + marks.circles + marks.sticks)


def _drawn(points: int) -> tuple[int, int, int] | None:
    """Crossed circles, circles and sticks that make exactly these points, as few as there can be; None if none do.

    Two circles are a crossed one and so are five sticks; with fewer of each there is at most one way.
    """
    for circles in (0, 1):
        for sticks in range(5):
            left = points - CIRCLE * circles - STICK * sticks
            if left >= 0 and left % CROSSED == 0:
                return left // CROSSED, circles, sticks
    return None


_MIDDLE, _RADIUS, _GAP = 12, 7, 3
# Circles and sticks end where the text's letters do; a small number below hangs out of the frame, as it does there.
_BASELINE: Final = _MIDDLE + _RADIUS
_UNITS_IN_EM: Final = 16


def marks_svg(marks: Marks) -> str:
    """The marks as a drawing in the colour of the text around it, its title the number.

    Sized by the text's height, without scripts and without styles, so that a page may hold it as it is.
    """
    shapes, width = _shapes(marks)
    across, high = (f"{units / _UNITS_IN_EM:.4g}em" for units in (width, _BASELINE))
    return (
        f'<svg class="marks" xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {_BASELINE}" '
        f'width="{across}" height="{high}" overflow="visible" fill="none" stroke="currentColor" stroke-width="1.8" '
        f'stroke-linecap="round"><title>{marks.points}</title>{"".join(shapes)}</svg>'
    )


def _shapes(marks: Marks) -> tuple[list[str], int]:
    """What is drawn from left to right, and where it ends."""
    shapes, left = [], _GAP
    if marks.negative:
        shapes.append(f'<path d="M{left} {_MIDDLE}h8"/>')
        left += 8 + _GAP
    for number in range(marks.crossed + marks.circles):
        centre = left + _RADIUS
        shapes.append(f'<circle cx="{centre}" cy="{_MIDDLE}" r="{_RADIUS}"/>')
        if number < marks.crossed:
            shapes.append(f'<path d="M{centre - 5} {_MIDDLE - 5}l10 10m0-10l-10 10"/>')
        left += 2 * _RADIUS + _GAP
    for _ in range(marks.sticks):
        shapes.append(f'<path d="M{left + 1} {_MIDDLE - _RADIUS}v{2 * _RADIUS}"/>')
        left += 2 + _GAP
    if marks.small:
        shapes.append(
            f'<text x="{left}" y="{9 if marks.above else 23}" font-size="11" fill="currentColor" stroke="none">'
            f"{marks.small}</text>"
        )
        left += 7 * len(str(marks.small)) + _GAP
    return shapes, left
