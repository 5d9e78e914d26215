"""The marked phase in which a draw is changed by hand: a name for every seat, what that breaks, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import RoundStatus, SeatState
from tournaments.models import PairingSeat, Round, Tournament
from tournaments.organising.rights import directed, who
from tournaments.services import draws
from tournaments.services.stages import seats_of
from tournaments.web.draw_page import names_of, round_address
from tournaments.web.reason_words import sentence_of

MORE_TABLES = 2
"""So many empty tables are offered below those that were drawn."""


class ChangeForm(forms.Form):
    """Tables as rows of choices. A table with one name alone is a bye; an empty one is none."""

    reason = forms.CharField(
        label=gettext_lazy("Why it is changed"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Needed for what differs from the proposal; shown beside the round."),
    )

    def __init__(self, seats: int, names: Mapping[str, str], tables: Sequence[Sequence[str]], *arguments: Any) -> None:
        super().__init__(*arguments)
        self.seats, self.tables = seats, len(tables) + MORE_TABLES
        offered = [("", "—"), *sorted(names.items(), key=lambda one: one[1].casefold())]
        for table in range(self.tables):
            for seat in range(seats):
                seated = tables[table] if table < len(tables) else ()
                self.fields[_seat(table, seat)] = forms.ChoiceField(
                    label=_("Table %(table)s, seat %(seat)s") % {"table": table + 1, "seat": seat + 1},
                    choices=offered,
                    required=False,
                    initial=seated[seat] if seat < len(seated) else "",
                )

    @property
    def rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        """The tables' numbers with the fields of their seats."""
        return [(table + 1, [self[_seat(table, seat)] for seat in range(self.seats)]) for table in range(self.tables)]

    @property
    def chosen(self) -> list[list[str]]:
        """Public ids by table; empty tables are left out."""
        tables = [
            [name for seat in range(self.seats) if (name := self.cleaned_data[_seat(table, seat)])]
            for table in range(self.tables)
        ]
        return [table for table in tables if table]


def _seat(table: int, seat: int) -> str:
    return f"t{table}s{seat}"


@require_http_methods(["GET", "HEAD", "POST"])
@directed
def change(request: HttpRequest, tournament: Tournament, public_id: str) -> HttpResponse:
    """Puts other tables in the place of the proposal."""
    rounds = Round.objects.select_related("stage__tournament").filter(stage__tournament=tournament)
    drawn = get_object_or_404(rounds, public_id=public_id)
    if drawn.status != RoundStatus.CHANGING:
        messages.error(request, _("A draw is changed while that is marked: press “Change by hand” first."))
        return redirect(round_address(tournament.slug, drawn.stage.number, drawn.number))
    form = _form(request, tournament, drawn)
    if form.is_valid() and _changed(request, drawn, form):
        return redirect("round-change", tournament.slug, public_id)
    name_of = names_of(drawn.stage_id)
    broken = [sentence_of(one.code, one.values, name_of, "violation") for one in draws.violations(drawn.pk)]
    context = {
        "tournament": tournament,
        "drawn": drawn,
        "address": round_address(tournament.slug, drawn.stage.number, drawn.number),
        "form": form,
        "violations": broken,
    }
    return render(request, "tournaments/organising/change.html", context)


def _form(request: HttpRequest, tournament: Tournament, drawn: Round) -> ChangeForm:
    entries = drawn.stage.stage_entries.values_list("entry__public_id", "entry__name")
    given = (drawn.changes or {}).get("reason", "")
    sent = request.POST if request.method == "POST" else None
    form = ChangeForm(seats_of(tournament), dict(entries), _tables(drawn), sent)
    form.fields["reason"].initial = given
    return form


def _tables(drawn: Round) -> list[list[str]]:
    """Public ids by table in seat order, as the round stands now."""
    seats = PairingSeat.objects.filter(round=drawn, state=SeatState.FILLED).order_by("pairing__number", "seat")
    tables: dict[int, list[str]] = {}
    for number, entry in seats.values_list("pairing__number", "entry__public_id"):
        tables.setdefault(number, []).append(entry)
    return list(tables.values())


def _changed(request: HttpRequest, drawn: Round, form: ChangeForm) -> bool:
    try:
        draws.change(drawn.pk, form.chosen, form.cleaned_data["reason"], by=who(request))
    except TournamentError as refusal:
        form.add_error(None, str(refusal))
        return False
    messages.success(request, _("Changed. Look at what it breaks, then confirm it."))
    return True
