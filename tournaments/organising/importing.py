"""Entering players from a file: first what it would do, with every problem in it; then all of it or nothing."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from tournaments.errors import TournamentError
from tournaments.imports.players import Report, dry_run, format_report, parse_report, take
from tournaments.models import Tournament
from tournaments.organising.rights import directed, who

SALT = "tournaments.import"
KEPT_SECONDS = 60 * 60 * 12


class UploadForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("A list of players"),
        help_text=gettext_lazy(
            "CSV or XLSX. Columns, in any order: name, partner or members, club, rating, seed, substitutes."
        ),
        widget=forms.ClearableFileInput({"accept": ".csv,.tsv,.txt,.xlsx"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@directed
def upload(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Reads a file and tells what it would do; with `confirm` does what was told.

    What was read goes along in the page, signed, so that nothing is kept for those who think better of it.
    """
    if "confirm" in request.POST:
        return _confirmed(request, tournament)
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    context: dict[str, Any] = {"tournament": tournament, "form": form}
    if form.is_valid():
        report = dry_run(tournament, form.cleaned_data["file"].file)
        kept = json.dumps(format_report(report))
        sealed = signing.dumps([tournament.pk, kept], salt=SALT, compress=True) if report.may_be_taken else ""
        context |= {"report": report, "sealed": sealed}
    return render(request, "tournaments/organising/import.html", context)


def _confirmed(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    report = _unsealed(tournament, request.POST.get("report", ""))
    if report is None:
        messages.error(request, _("What was read is too old or not of this page: upload the file again."))
        return redirect("desk-import", tournament.slug)
    try:
        entered = take(tournament, report, who(request))
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return redirect("desk-import", tournament.slug)
    told = ngettext("%(count)s entry is new.", "%(count)s entries are new.", len(entered)) % {"count": len(entered)}
    messages.success(request, _("The list is taken. %(told)s") % {"told": told})
    return redirect("tournament-desk", tournament.slug)


def _unsealed(tournament: Tournament, sealed: str) -> Report | None:
    """None for what was not signed for this tournament in the last hours."""
    try:
        tournament_id, kept = signing.loads(sealed, salt=SALT, max_age=KEPT_SECONDS)
    except signing.BadSignature:
        return None
    return parse_report(json.loads(kept)) if tournament_id == tournament.pk else None
