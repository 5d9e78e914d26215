"""The pages of a tournament."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from matches.rulebook.sheet import sheet_of
from matches.web.polling import HtmxRequest, last_answer
from tournaments.formats.drawing import entries_least
from tournaments.models import Tournament
from tournaments.organising.views import may_edit
from tournaments.services.publishing import live_standings
from tournaments.web.crossing import cross_of
from tournaments.web.meetings import Draw, read_draw, read_pulse
from tournaments.web.reading import FINAL, heading, visible_to
from tournaments.web.rounds import rounds_of
from tournaments.web.tables import entrants_of, published, table_of


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings page: progress, live table, published standings, cross table."""
    row = _find(request, slug)
    sheet = sheet_of(row.rules, row.match_overrides)
    return render(
        request,
        "tournaments/tournament.html",
        _live(row) | {"tab": "standings", "sheet": sheet, "may_change": _may_change(request, row)},
    )


@require_safe
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the standings page that changes while cards are played."""
    row = _find(request, slug)
    return _last_if_over(row, render(request, "tournaments/live.html", _live(row)))


@require_safe
def rounds(request: HtmxRequest, slug: str) -> HttpResponse:
    """Every round with its pairings and results."""
    row = _find(request, slug)
    draw = read_draw(row)
    context = {"tab": "rounds", "rounds": rounds_of(draw.meetings), "is_large": _sides_at(row) > 2, **_head(row, draw)}
    response = render(request, "tournaments/rounds.html", context)
    return _last_if_over(row, response) if request.htmx else response


@require_safe
def snapshot(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Standings as they were published, under an address that stays."""
    row = _find(request, slug)
    found = get_object_or_404(row.snapshots, number=number)
    entrants = entrants_of(row)
    context = {
        "tab": "",
        "heading": heading(row, len(entrants)),
        "published": published(found, entrants, live_standings(row), _sides_at(row)),
    }
    return render(request, "tournaments/published.html", context)


def _find(request: HttpRequest, slug: str) -> Tournament:
    return get_object_or_404(visible_to(request.user), slug=slug)


def _may_change(request: HttpRequest, row: Tournament) -> bool:
    """Whether this reader finds a way to the form in which the tournament is drawn up."""
    return request.user.is_authenticated and not row.is_frozen and may_edit(request.user, row)


def _head(row: Tournament, draw: Draw) -> dict[str, Any]:
    return {"heading": heading(row, row.entries.count()), "pulse": read_pulse(row, draw)}


def _live(row: Tournament) -> dict[str, Any]:
    draw, entrants = read_draw(row), entrants_of(row)
    rows = live_standings(row)
    table = table_of(rows, entrants, _sides_at(row), draw.meetings)
    newest = row.snapshots.order_by("-number").first()
    return {
        "heading": heading(row, len(entrants)),
        "pulse": read_pulse(row, draw),
        "table": table,
        "cross": cross_of(table, draw.meetings),
        "published": published(newest, entrants, rows, _sides_at(row)) if newest else None,
    }


def _sides_at(row: Tournament) -> int:
    """How many meet at a table of this tournament."""
    return entries_least(row.table_kind)


def _last_if_over(row: Tournament, response: HttpResponse) -> HttpResponse:
    """Tells the page to stop asking once nothing can change any more."""
    return last_answer(response) if row.status in FINAL else response
