"""Whose sides meet: two that belong to one owner are flagged, for he decides for both."""

from __future__ import annotations

from collections.abc import Iterable


def have_one_owner(seats: Iterable[tuple[int, int | None]]) -> bool:
    """Whether any two sides have an owner in common, by side and owner of every seat; the house's have none."""
    sides_of: dict[int, set[int]] = {}
    for side, owner in seats:
        if owner is not None:
            sides_of.setdefault(owner, set()).add(side)
    return any(len(sides) > 1 for sides in sides_of.values())
