"""The pages on which the chain of a tournament's stages is planned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.errors import TournamentError
from tournaments.formats.registry import Format, formats_for
from tournaments.models import Stage, Tournament
from tournaments.organising.rights import directed, who
from tournaments.organising.stage_forms import StageForm
from tournaments.services import stages
from tournaments.web.format_words import FORMATS, Offered, offered
from tournaments.web.stage_words import StageLine, stage_line

MOST_ASKED = 10_000


@require_http_methods(["GET", "HEAD"])
@directed
def chain(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All stages in their order, and whether the chain can be played with so many entries."""
    asked = _entries_asked(request)
    entries = tournament.entries.filter(status="active").count() if asked is None else asked
    context = {
        "tournament": tournament,
        "lines": chain_lines(tournament),
        "is_planned": tournament.stages.exists(),
        "entries": entries,
        "troubles": stages.why_not(tournament, entries),
        "offered": _offered(tournament),
    }
    return render(request, "tournaments/organising/stages.html", context)


def chain_lines(tournament: Tournament) -> tuple[StageLine, ...]:
    return tuple(stage_line(stage) for stage in stages.chain_of(tournament))


def _entries_asked(request: HttpRequest) -> int | None:
    typed = request.GET.get("entries", "")
    return min(int(typed), MOST_ASKED) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else None


@require_http_methods(["GET", "HEAD", "POST"])
@directed
def add(request: HttpRequest, tournament: Tournament, name: str) -> HttpResponse:
    """One more stage at the end of the chain, in this format."""
    if refusal := _frozen(request, tournament):
        return refusal
    chosen = _format(tournament, name)
    form = StageForm(chosen, tournament.stages.count() + 1, _sent(request))
    if form.is_valid():
        try:
            stage = stages.plan(tournament.pk, name, settings=form.settings, by=who(request), **form.columns)
        except TournamentError as why:
            form.add_error(None, str(why))
        else:
            messages.success(request, _("Stage %(number)s is planned.") % {"number": stage.number})
            return redirect("tournament-stages", tournament.slug)
    return _form_page(request, tournament, form, chosen)


@require_http_methods(["GET", "HEAD", "POST"])
@directed
def change(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """A stage's format and settings; `?format=` looks at another format."""
    if refusal := _frozen(request, tournament):
        return refusal
    stage = get_object_or_404(tournament.stages, number=number)
    chosen = _format(tournament, request.GET.get("format", stage.format))
    form = StageForm(chosen, number, _sent(request), stage=stage)
    if form.is_valid():
        try:
            stages.change(stage.pk, by=who(request), format=chosen.name, settings=form.settings, **form.columns)
        except TournamentError as why:
            form.add_error(None, str(why))
        else:
            messages.success(request, _("Saved."))
            return redirect("tournament-stages", tournament.slug)
    return _form_page(request, tournament, form, chosen, stage)


@require_POST
@directed
def remove(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Takes a stage out of the chain."""
    stage = get_object_or_404(tournament.stages, number=number)
    try:
        stages.remove(stage.pk, by=who(request))
    except TournamentError as why:
        messages.error(request, str(why))
    else:
        messages.success(request, _("Stage %(number)s is taken out.") % {"number": number})
    return redirect("tournament-stages", tournament.slug)


def _offered(tournament: Tournament) -> tuple[Offered, ...]:
    return offered(formats_for(stages.meets_of(tournament)))


def _frozen(request: HttpRequest, tournament: Tournament) -> HttpResponse | None:
    if not tournament.is_frozen:
        return None
    messages.error(request, _("It has started: its stages stay as they are."))
    return redirect("tournament-stages", tournament.slug)


def _format(tournament: Tournament, name: str) -> Format:
    for one in formats_for(stages.meets_of(tournament)):
        if one.name == name:
            return one
    raise Http404


def _form_page(
    request: HttpRequest, tournament: Tournament, form: StageForm, chosen: Format, stage: Stage | None = None
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "form": form,
        "stage": stage,
        "words": FORMATS[chosen.name],
        "chosen": chosen.name,
        "offered": _offered(tournament),
    }
    return render(request, "tournaments/organising/stage.html", context)


def _sent(request: HttpRequest) -> Mapping[str, Any] | None:
    return request.POST if request.method == "POST" else None
