"""Where a match was played. `matches` knows no tournament; pages are joined here, like everything in this room."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from tournaments.models import Pairing

register = template.Library()


@dataclass(frozen=True, slots=True)
class Place:
    """The tournament and round that drew a match."""

    slug: str
    name: str
    round_number: int


@register.simple_tag
def place_of(match_id: str) -> Place | None:
    """The place of a match by its public id; None for one that no tournament drew. One query."""
    row = (
        Pairing.objects.filter(match__public_id=match_id)
        .values_list("round__stage__tournament__slug", "round__stage__tournament__name", "round__number")
        .first()
    )
    return Place(*row) if row else None
