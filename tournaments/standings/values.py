"""Values of criteria as they are written."""

from __future__ import annotations

from tournaments.standings.criteria import POINTS, UNIT
from tournaments.standings.points import QUARTERS

_PARTS = ("", "¼", "½", "¾")
_IN_QUARTERS = frozenset({POINTS, "progressive", "progressive_cut1"})
_SIGNED = frozenset({"point_difference"})
_MINUS = "−"


def format_value(criterion: str, value: int | None) -> str:
    """A value in its `UNIT` as it is read: `3½`, `12.25`, `+80`; empty for None.

    Two decimals at most, rounded half up; two values of Buchholz or Sonneborn-Berger that differ are never written
    alike.
    """
    if value is None:
        return ""
    sign = _MINUS if value < 0 else "+" if value > 0 and criterion in _SIGNED else ""
    return sign + _written(criterion, abs(value))


def _written(criterion: str, value: int) -> str:
    if criterion in _IN_QUARTERS:
        whole, part = divmod(value, QUARTERS)
        return (str(whole) if whole or not part else "") + _PARTS[part]
    unit = UNIT[criterion]
    hundredths = (200 * value + unit) // (2 * unit)
    whole, part = divmod(hundredths, 100)
    return f"{whole}.{part:02}".rstrip("0").rstrip(".") if part else str(whole)
