"""Bringing scores together where nobody is in trouble, or all trouble is as small as can be."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.formats.tables_swiss.chance import Chance
from tournaments.formats.tables_swiss.grouping import Tables
from tournaments.formats.tables_swiss.sheet import Sheet
from tournaments.formats.tables_swiss.weights import Weights

SWAPS_TRIED = 300
"""For each entrant."""
NEAR = 4
"""With whom: at tables no further away."""
FARTHEST_STEP = 100
"""What a swap may take scores apart at first, in squared quarter points."""


def brought_together(sheet: Sheet, weights: Weights, chance: Chance) -> None:
    """Swaps in this round that bring scores nearer and repeat nothing for it, now or later.

    Threshold accepting: swaps may also take scores apart, by less and less.
    """
    points, steps = weights.points, SWAPS_TRIED * len(weights.points)
    apart = best = 0
    tables = sheet.copy_of_rounds()[0]
    playing = [one for table in tables for one in table]
    for step in range(steps):
        one = playing[chance.below(len(playing))]
        other = _near(sheet.rounds[0], sheet.at[0][one], chance)
        more = _taken_apart(sheet, points, one, other)
        if more is None or more > FARTHEST_STEP * (steps - step) // steps:
            continue
        costs = sheet.more_after(0, one, other)
        if costs <= 0:
            sheet.swap(0, one, other, costs)
            apart += more
            if apart < best or costs < 0:
                best, tables = apart, [list(table) for table in sheet.rounds[0]]
    sheet.replace(0, tables)


def _near(tables: Tables, here: int, chance: Chance) -> int:
    """Somebody at a table of about the same scores."""
    far = chance.below(2 * NEAR + 1) - NEAR
    table = tables[(here + far) % len(tables)]
    return table[chance.below(len(table))]


def _taken_apart(sheet: Sheet, points: Sequence[int], one: int, other: int) -> int | None:
    """By how much the squared distances at both tables grow if two change places; None if they cannot or need not."""
    at = sheet.at[0]
    here, there = sheet.rounds[0][at[one]], sheet.rounds[0][at[other]]
    apart = points[one] - points[other]
    if here is there or len(here) != len(there) or apart == 0:
        return None
    # The squares of the scores cancel out; what is left of all distances is this product.
    rest = sum([points[mate] for mate in there]) - sum([points[mate] for mate in here])
    return -2 * apart * (rest + apart)
