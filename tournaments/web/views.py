"""The pages of a tournament's standings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from matches.rulebook.sheet import sheet_of
from matches.web.polling import last_answer
from tournaments.models import Tournament
from tournaments.services.ranking import stages_begun
from tournaments.web.files import files_for
from tournaments.web.frames import find, frame
from tournaments.web.reading import FINAL
from tournaments.web.standings_page import read_part, read_standings, rows_of, sides_at
from tournaments.web.tables import entrants_of, published


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings page: progress, live table, published standings, cross table. `?stage=` looks at an earlier one."""
    row = find(request, slug)
    context = _standings(request, row)
    sheet = sheet_of(row.rules, row.match_overrides)
    around = frame(request, row, "standings", head=context["heading"])
    told = {"sheet": sheet, "files": files_for(request.user, row)}
    return render(request, "tournaments/tournament.html", around | context | told)


@require_safe
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the standings page that changes while cards are played; `?part=progress` leaves the tables out."""
    row = find(request, slug)
    if request.GET.get("part") == "progress":
        response = render(request, "tournaments/progress.html", read_part(request.user, row))
        return last_answer(response, reload=True) if row.status in FINAL else response
    response = render(request, "tournaments/live.html", _standings(request, row))
    return last_answer(response) if row.status in FINAL else response


@require_safe
def snapshot(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Standings as they were published, under an address that stays."""
    row = find(request, slug)
    found = get_object_or_404(row.snapshots, number=number)
    entrants, begun = entrants_of(row), stages_begun(row)
    stage = next((one for one in begun if one.pk == found.stage_id), None)
    live_rows = rows_of(row, stage, begun[-1] if begun else None)
    context = frame(request, row, "", len(entrants)) | {
        "published": published(found, entrants, live_rows, sides_at(row)),
        "stage_number": stage.number if stage else 1,
    }
    return render(request, "tournaments/published.html", context)


def _standings(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    asked = request.GET.get("stage", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 5 else 0
    return read_standings(request.user, row, number)
