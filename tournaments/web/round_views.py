"""The pages of rounds: all of them, and each draw on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods, require_safe

from matches.web.polling import HtmxRequest, last_answer
from tournaments.formats.lifecycle import RoundStatus
from tournaments.models import Round, Tournament
from tournaments.organising.desk_page import AUDIENCES, round_line
from tournaments.services import draws
from tournaments.web.draw_page import read_round
from tournaments.web.frames import find, frame
from tournaments.web.meetings import meetings_of_round, read_draw, read_progress
from tournaments.web.pulse import read_pulse
from tournaments.web.reading import FINAL, OF_DRAW, heading, visible_rounds
from tournaments.web.rounds import MOST_MEETINGS_SHOWN, StageOfRounds, by_name, stages_of


@require_safe
def rounds(request: HtmxRequest, slug: str) -> HttpResponse:
    """Every round that the reader may see, with its pairings and results; `?part=now` the one that is played."""
    row = find(request, slug)
    visible = visible_rounds(request.user, row)
    shown = list(visible.select_related("stage").defer(*OF_DRAW).order_by("stage__number", "number", "pk"))
    if request.GET.get("part") == "now":
        context = {"heading": heading(row, 0), "pulse": read_pulse(row, read_progress(row, visible))}
        response = render(request, "tournaments/round_now.html", context | {"now": _now(row, shown)})
        return last_answer(response) if row.status in FINAL else response
    draw = read_draw(row, visible)
    is_large = len(draw.meetings) > MOST_MEETINGS_SHOWN
    context = {
        **frame(request, row, "rounds"),
        "pulse": read_pulse(row, draw),
        "stages": stages_of(row, shown, draw.meetings),
        "is_large": is_large,
        "now": _now(row, shown) if is_large else (),
    }
    response = render(request, "tournaments/rounds.html", context)
    return last_answer(response) if request.htmx and row.status in FINAL else response


def _now(row: Tournament, rounds: Sequence[Round]) -> tuple[StageOfRounds, ...]:
    """The round that is played, or else the last of those `rounds`; with its title above it where there are stages."""
    standing = [one for one in rounds if one.status != RoundStatus.WITHDRAWN]
    played = next((one for one in standing if one.status != RoundStatus.CLOSED), standing[-1] if standing else None)
    return stages_of(row, [played], meetings_of_round(row, played.pk)) if played else ()


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str, number: int, stage: int = 1) -> HttpResponse:
    """One draw: who meets whom and why. `?print`: the sheets that are hung up.

    A POST draws it once more and compares: work that no link should cause.
    """
    row = find(request, slug)
    drawn = _find_round(request, row, stage, number)
    page = read_round(row, drawn)
    context = {**frame(request, row, "rounds"), "draw": page, "by_the_rules": row.is_by_the_rules}
    if "print" in request.GET:
        context["by_name"] = by_name([one.meeting for one in (*page.tables, *page.byes)])
        return render(request, "tournaments/pairing_sheet.html", context)
    context |= _around(request, row, drawn)
    if context["directs"]:
        context |= {"acts": round_line(row, drawn), "audiences": AUDIENCES}
    context["commitment"] = row.lots_commitment
    context["checked"] = draws.drawn_again(drawn) if request.method == "POST" else None
    return render(request, "tournaments/draw.html", context)


def _find_round(request: HttpRequest, row: Tournament, stage: int, number: int) -> Round:
    """The round that stands; where it was taken back and none came after it, that one."""
    of_number = visible_rounds(request.user, row).filter(stage__number=stage, number=number).select_related("stage")
    standing = of_number.exclude(status=RoundStatus.WITHDRAWN).first()
    return standing or get_object_or_404(of_number.order_by("-pk")[:1])


def _around(request: HttpRequest, row: Tournament, drawn: Round) -> dict[str, Any]:
    """The draws that were taken back for this one, and the rounds before and after it."""
    of_stage = visible_rounds(request.user, row).filter(stage=drawn.stage_id).select_related("stage")
    withdrawn = of_stage.filter(number=drawn.number, status=RoundStatus.WITHDRAWN).exclude(pk=drawn.pk)
    return {
        "withdrawn": [read_round(row, one) for one in withdrawn.order_by("-pk")],
        "numbers": sorted(set(of_stage.values_list("number", flat=True))),
    }
