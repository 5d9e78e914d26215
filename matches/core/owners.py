"""Whose sides meet: two that belong to one owner are flagged, for he decides for both."""

from __future__ import annotations

from collections.abc import Iterable


def have_one_owner(seats: Iterable[tuple[int, int | None]]) -> bool:
    """Whether any two sides have an owner in common, by side and owner of every seat; the house's have none."""
    return bool(owners_of_several(seats))


def owners_of_several(seats: Iterable[tuple[int, int | None]]) -> tuple[int, ...]:
    """The owners who have more than one side of a table, from seats as `have_one_owner` takes them."""
    sides_of: dict[int, set[int]] = {}
    for side, owner in seats:
        if owner is not None:
            sides_of.setdefault(owner, set()).add(side)
    return tuple(owner for owner, sides in sides_of.items() if len(sides) > 1)
