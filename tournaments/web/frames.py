"""What the pages of one tournament have in common: how it is found, its head, and who runs it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.models import Tournament
from tournaments.services.directing import directs_tournament
from tournaments.web.reading import Heading, heading, visible_to


def find(request: HttpRequest, slug: str) -> Tournament:
    """The tournament at this address; 404 for what the reader may not know of."""
    return get_object_or_404(visible_to(request.user), slug=slug)


def frame(
    request: HttpRequest, row: Tournament, tab: str, entries: int | None = None, head: Heading | None = None
) -> dict[str, Any]:
    """The context of the head: facts, tabs, and the ways that whoever runs the tournament has from here.

    `entries`, `head`: what is known already and not to be asked for again.
    """
    directs = directs_tournament(request.user, row)
    return {
        "heading": head or heading(row, row.entries.count() if entries is None else entries),
        "tab": tab,
        "directs": directs,
        "may_change": directs and not row.is_frozen,
    }
