"""What the rows of this room have in common."""

from __future__ import annotations

from enum import StrEnum

from django.db.models import Q

MOST_SIDES = 4
PAIRS = "pairs"
LONGEST_ENTRY_NAME = 123
"""Two players' names and what stands between them."""
MOST_MEMBERS = 8
"""A pair or a team with its substitutes."""


def choices(states: type[StrEnum]) -> list[tuple[str, str]]:
    return [(state.value, state.value.replace("_", " ")) for state in states]


def known(field: str, states: type[StrEnum]) -> Q:
    """A condition for constraints: the column holds one of these."""
    return Q(**{f"{field}__in": [state.value for state in states]})
