"""Correcting a result: first what would follow from it, then the correction itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from matches.core.agreement import ReportedScore
from matches.directing import RulingTerms
from matches.models import Match
from matches.services.reports import ReportRefused
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Tournament
from tournaments.organising.rights import directed, who
from tournaments.services import corrections
from tournaments.services.directing import why_not_ruled
from tournaments.services.writing import DRAWN_FROM
from tournaments.web.change_words import change_words, names_of_entries
from tournaments.web.draw_page import round_address
from tournaments.web.meetings import Side, meetings_of_round

REFUSALS = (TournamentError, ReportRefused)


def ruling_terms(match: Match) -> RulingTerms | None:
    """Of a match at a table of a tournament, None of another. The setting MATCH_RULINGS leads here. One query."""
    tables = Pairing.objects.filter(match=match).values_list("round__stage__tournament__slug", "round__status")
    found = tables.first()
    if found is None:
        return None
    slug, round_status = found
    return RulingTerms(reverse("match-correct", args=[slug, match.public_id]), why_not_ruled(round_status))


class ScoreForm(forms.Form):
    """A number for each side, or that it was absent; and why this is ruled."""

    reason = forms.CharField(label=gettext_lazy("Why"), required=False, max_length=300)
    even_played = forms.BooleanField(
        label=gettext_lazy("Later matches that were played with others are void and played again"), required=False
    )

    def __init__(self, sides: list[Side], *arguments: Any) -> None:
        super().__init__(*arguments)
        self.sides = sides
        for number, side in enumerate(sides):
            self.fields[f"points{number}"] = forms.IntegerField(
                label=side.name,
                required=False,
                initial=side.points,
                min_value=-99_999,
                max_value=99_999,
                widget=forms.NumberInput({"inputmode": "numeric"}),
            )
            self.fields[f"absent{number}"] = forms.BooleanField(
                label=_("absent"), required=False, initial=side.is_absent
            )

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"points{number}"], self[f"absent{number}"]) for number in range(len(self.sides))]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for number in range(len(self.sides)):
            is_empty = cleaned.get(f"points{number}") is None and f"points{number}" not in self.errors
            if is_empty and not any(cleaned.get(f"absent{other}") for other in range(len(self.sides))):
                self.add_error(f"points{number}", _("Type a number, or say who was absent."))
        return cleaned

    @property
    def score(self) -> ReportedScore:
        sent, sides = self.cleaned_data, range(len(self.sides))
        absent = frozenset(number for number in sides if sent[f"absent{number}"])
        points = tuple(0 if number in absent else sent[f"points{number}"] or 0 for number in sides)
        return ReportedScore(points, absent=absent)


@require_http_methods(["GET", "HEAD", "POST"])
@directed
def correct(request: HttpRequest, tournament: Tournament, match_id: str) -> HttpResponse:
    """`look` shows what would change, `do` changes it; without either the form alone."""
    pairing = get_object_or_404(
        Pairing.objects.select_related("round__stage", "match")
        .defer(*DRAWN_FROM)
        .filter(round__stage__tournament=tournament),
        match__public_id=match_id,
    )
    meeting = next(one for one in meetings_of_round(tournament, pairing.round_id) if one.public_id == pairing.public_id)
    form = ScoreForm(list(meeting.sides), _sent(request))
    looked = None
    if form.is_valid():
        if "do" in request.POST and _done(request, match_id, form):
            return redirect(round_address(tournament.slug, pairing.round.stage.number, pairing.round.number))
        looked = _looked(match_id, form)
    context = {
        "tournament": tournament,
        "meeting": meeting,
        "match": pairing.match,
        "form": form,
        "looked": looked,
        "told": [change_words(one, names_of_entries(tournament)) for one in looked.changes] if looked else [],
    }
    return render(request, "tournaments/organising/correct.html", context)


def _looked(match_id: str, form: ScoreForm) -> corrections.Preview | None:
    try:
        return corrections.preview(match_id, form.score)
    except REFUSALS as refusal:
        form.add_error(None, str(refusal))
        return None


def _done(request: HttpRequest, match_id: str, form: ScoreForm) -> bool:
    sent = form.cleaned_data
    try:
        corrections.correct(match_id, form.score, sent["reason"], who(request), even_played=sent["even_played"])
    except REFUSALS as refusal:
        form.add_error(None, str(refusal))
        return False
    messages.success(request, _("The result is corrected, and all that follows from it is up to date."))
    return True


@require_http_methods(["POST"])
@directed
def annul(request: HttpRequest, tournament: Tournament, match_id: str) -> HttpResponse:
    """Voids a match for good, or (`again`) so that it is played again."""
    match = get_object_or_404(Match, public_id=match_id, pairing__round__stage__tournament=tournament)
    even_played = "even_played" in request.POST
    act = corrections.reopen if "again" in request.POST else corrections.void
    try:
        act(match.public_id, request.POST.get("reason", ""), who(request), even_played=even_played)
    except REFUSALS as refusal:
        messages.error(request, str(refusal))
        return redirect("match-correct", tournament.slug, match_id)
    messages.success(request, _("Done, and all that follows from it is up to date."))
    return redirect("tournament-desk", tournament.slug)


def _sent(request: HttpRequest) -> Mapping[str, Any] | None:
    return request.POST if request.method == "POST" else None
