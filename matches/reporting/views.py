"""What the buttons of a match's page do; each goes back to it. Without a script, and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from matches.audience import visible_matches
from matches.core.lifecycle import MatchStatus
from matches.directing import enter_ruling, may_rule
from matches.models import Match, ReportStatus, ScoreReport, User
from matches.reporting.forms import ScoreForm
from matches.reporting.reading import reporting_of
from matches.services import reports
from matches.services.reports import ReportRefused
from matches.web.reading import match_page, read_match

button = require_http_methods(["GET", "HEAD", "POST"])
"""Who comes by GET, from the login page, is shown the match."""


@button
@login_required
def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """A side reports a score, or says that another one's is not what happened."""

    def say(match: Match, form: ScoreForm) -> ScoreReport:
        return reports.report(match.pk, _user(request), form.score, form.cleaned_data["reason"])

    return _typed(request, public_id, say, as_ruling=False)


@button
@login_required
def rule(request: HttpRequest, public_id: str) -> HttpResponse:
    """An organiser says how the match ended; what a competition has taken from it is corrected there alone."""

    def say(match: Match, form: ScoreForm) -> ScoreReport:
        return enter_ruling(match, _user(request), form.score, form.cleaned_data["reason"])

    return _typed(request, public_id, say, as_ruling=True)


@button
@login_required
def confirm(request: HttpRequest, public_id: str) -> HttpResponse:
    """A side confirms the version that it was shown."""

    def say(match: Match) -> str:
        version = request.POST.get("version", "")
        if not version.isascii() or not version.isdigit() or len(version) > 4:
            raise ReportRefused("no_such_version", _("Say which version is confirmed."))
        reports.confirm(match.pk, int(version), _user(request))
        return _("Confirmed: the match is decided.")

    return _pressed(request, public_id, say)


@button
@login_required
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """A side takes back what it has reported."""

    def say(match: Match) -> str:
        reports.withdraw_report(match.pk, _user(request))
        return _("Your report is taken back.")

    return _pressed(request, public_id, say)


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


def _pressed(request: HttpRequest, public_id: str, say: Callable[[Match], str]) -> HttpResponse:
    match = get_object_or_404(visible_matches(request.user), public_id=public_id)
    if request.method == "POST":
        try:
            messages.success(request, say(match))
        except ReportRefused as refusal:
            messages.error(request, str(refusal))
    return redirect(match)


def _typed(
    request: HttpRequest, public_id: str, say: Callable[[Match, ScoreForm], ScoreReport], *, as_ruling: bool
) -> HttpResponse:
    """Says what was typed, or shows the page again with what is wrong with it."""
    match = read_match(public_id, request.user)
    if request.method != "POST":
        return redirect(match)
    if as_ruling and not may_rule(_user(request), match):
        raise PermissionDenied
    page = match_page(match)
    names = [side.name for side in page.sides]
    form = ScoreForm(match.terms, names, request.POST, prefix="rule" if as_ruling else None)
    if form.is_valid():
        try:
            messages.success(request, _words_of(say(match, form)))
        except ReportRefused as refusal:
            form.add_error("reason" if refusal.code == "reason_missing" else None, str(refusal))
        else:
            return redirect(match)
    shown = {"ruling": form} if as_ruling else {"form": form}
    reporting = reporting_of(match, names, _user(request), **shown)
    if reporting is None or form not in (reporting.form, reporting.ruling):
        messages.error(request, " ".join(str(told) for errors in form.errors.values() for told in errors))
        return redirect(match)  # it has moved on since the page was shown, or he does not play in it
    return render(request, "matches/match.html", {"match": page, "reporting": reporting})


def _words_of(said: ScoreReport) -> str:
    if said.status == ReportStatus.CONFIRMED:
        return _("The match is decided.")
    if Match.objects.filter(pk=said.match_id, status=MatchStatus.DISPUTED).exists():
        return _("Reported. The versions differ: the organiser rules.")
    return _("Reported. It counts as soon as another side confirms it.")
