"""The pages of entries: all of them, and each with the numbers behind its place."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from tournaments.models import Entry
from tournaments.web.entry_facts import EntryFacts
from tournaments.web.entry_page import read_entry
from tournaments.web.frames import find, frame
from tournaments.web.tables import Member, members_of

ENTRIES_A_PAGE = 200


@dataclass(frozen=True, slots=True)
class EntryRow(EntryFacts):
    members: tuple[Member, ...]


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody who is entered, with what became of them."""
    row = find(request, slug)
    found = row.entries.order_by("number").prefetch_related("members__player", "members__agent")
    page = Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page", "1"))
    rows = [_row(entry) for entry in page.object_list]
    context = {
        **frame(request, row, "entries", page.paginator.count),
        "page": page,
        "rows": rows,
        "has_clubs": any(one.club for one in rows),
        "has_ratings": any(one.rating for one in rows),
        "has_members": any(len(one.members) > 1 or [m.name for m in one.members] != [one.name] for one in rows),
    }
    return render(request, "tournaments/entries.html", context)


def _row(entry: Entry) -> EntryRow:
    return EntryRow.of(entry, members=members_of(entry))


@require_safe
def entry(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """One entry; `?why=buchholz&stage=1` opens the numbers behind that value."""
    row = find(request, slug)
    found = get_object_or_404(row.entries.prefetch_related("members__player", "members__agent"), public_id=public_id)
    stage = request.GET.get("stage", "1")
    asked = int(stage) if stage.isascii() and stage.isdecimal() and len(stage) < 5 else 1
    page = read_entry(request.user, row, found, request.GET.get("why", ""), asked)
    return render(request, "tournaments/entry.html", {**frame(request, row, "entries"), "entry": page})
