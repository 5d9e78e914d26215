"""What the pages of one tournament have in common: how it is found, its head, and who runs it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.models import Tournament
from tournaments.services.directing import directs_tournament
from tournaments.web.reading import heading, visible_to


def find(request: HttpRequest, slug: str) -> Tournament:
    """The tournament at this address; 404 for what the reader may not know of."""
    return get_object_or_404(visible_to(request.user), slug=slug)


def frame(request: HttpRequest, row: Tournament, tab: str, entries: int | None = None) -> dict[str, Any]:
    """The context of the head: facts, tabs, and the ways that whoever runs the tournament has from here."""
    directs = directs_tournament(request.user, row)
    return {
        "heading": heading(row, row.entries.count() if entries is None else entries),
        "tab": tab,
        "directs": directs,
        "may_change": directs and not row.is_frozen,
    }
