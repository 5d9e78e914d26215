"""Columns of numbers made of the core's rows, with nothing but the standard library."""

from __future__ import annotations

import sys
from array import array
from typing import Any, Final

from engine.fast.parties import PartyRows
from engine.fast.rows import FACTS, Rows

Columns = dict[str, "array[int]"]
"""Columns by name; what belongs to sides lies side by side, the sides of one row after the other."""

BY_SIDE: Final = frozenset({"points", "written", "fines", "stakes", "totals", "baits"})
INT8, INT32, INT64 = "b", "i", "q"


def of_deals(rows: Rows, sides: int) -> Columns:
    """The columns of `engine.batch.Deals`."""
    count = rows.count
    fines, waiting = _zeros(count * sides), _zeros(count)
    for place, points in _pairs(rows.fined):
        fines[(place >> 2) * sides + (place & 3)] = points
    for place, points in _pairs(rows.waiting):
        waiting[place] = points
    facts = _little_end_first(rows.facts)
    columns = {
        "points": _halves(rows.points, count * sides),
        "written": _halves(rows.written, count * sides),
        "fines": fines,
        "stakes": _halves(rows.stakes, count * sides) if rows.stakes else _zeros(count * sides),
        "waiting": waiting,
    }
    return columns | {name: array(INT8, facts[place :: len(FACTS)]) for place, name in enumerate(FACTS)}


def of_parties(rows: PartyRows) -> Columns:
    """The columns of `engine.batch.Parties`."""
    return {
        "totals": array(INT64, rows.totals),
        "baits": array(INT32, rows.baits),
        "stakes": array(INT32, rows.stakes),
        "winner": array(INT8, rows.winner),
        "reason": array(INT8, rows.reason),
        "first_dealer": array(INT8, rows.first_dealer),
        "deals": array(INT32, rows.deals),
    }


def shaped(columns: Columns, sides: int) -> dict[str, Any]:
    """The columns, those by side as memoryviews of the shape (n, sides); of no rows at all there is no such shape."""
    return {name: _in_rows(column, sides) if name in BY_SIDE else column for name, column in columns.items()}


def _in_rows(column: array[int], sides: int) -> memoryview:
    flat: Any = memoryview(column)
    rows: memoryview = flat.cast("B").cast(column.typecode, (len(column) // sides, sides)) if column else flat
    return rows


def _zeros(count: int) -> array[int]:
    return array(INT32, bytes(4 * count))


def _pairs(numbers: list[int]) -> zip[tuple[int, int]]:
    return zip(numbers[::2], numbers[1::2], strict=True)


def _little_end_first(numbers: list[int]) -> bytes:
    """The numbers' bytes, eight each, the lowest first on every machine."""
    packed = array(INT64, numbers)
    _swap_where_big(packed)
    return packed.tobytes()


def _halves(numbers: list[int], count: int) -> array[int]:
    """The first so many 32-bit numbers, of which two lie in each."""
    halves = array(INT32, _little_end_first(numbers)[: 4 * count])
    _swap_where_big(halves)
    return halves


def _swap_where_big(column: array[int]) -> None:
    """Between bytes with the lowest first and those of this machine, either way."""
    if sys.byteorder == "big":
        column.byteswap()
