"""When a round is played and at which tables."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tournaments.errors import TournamentError
from tournaments.models import Round, Tournament
from tournaments.organising.rights import directed, who
from tournaments.services import schedule
from tournaments.web.draw_page import round_address

USUAL_MINUTES = 60


class TimeForm(forms.Form):
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Begins"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"],
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"),
        min_value=1,
        max_value=schedule.LONGEST_MINUTES,
        widget=forms.NumberInput({"inputmode": "numeric"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@directed
def plan(request: HttpRequest, tournament: Tournament, public_id: str) -> HttpResponse:
    """Gives a round its time, and its meetings the tables of the venue; `clear` takes them away."""
    rounds = Round.objects.select_related("stage").filter(stage__tournament=tournament)
    drawn = get_object_or_404(rounds, public_id=public_id)
    address = round_address(tournament.slug, drawn.stage.number, drawn.number)
    if "clear" in request.POST:
        schedule.clear(drawn.pk, by=who(request))
        messages.success(request, _("The round has no time and no tables any more."))
        return redirect(address)
    given = {"starts_at": drawn.starts_at, "minutes": drawn.minutes or USUAL_MINUTES}
    form = TimeForm(request.POST if request.method == "POST" else None, initial=given)
    if form.is_valid():
        try:
            schedule.plan_round(drawn.pk, form.cleaned_data["starts_at"], form.cleaned_data["minutes"], by=who(request))
        except TournamentError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The round has its time and its tables."))
            return redirect(address)
    context = {"tournament": tournament, "drawn": drawn, "address": address, "form": form}
    return render(request, "tournaments/organising/time.html", context)
