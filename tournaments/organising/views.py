"""The pages on which an organiser draws a tournament up and changes it before the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.forms import SiteTournamentForm
from tournaments.models import Tournament
from tournaments.services import drawing_up, entries, stages
from tournaments.services.directing import directs_tournament
from tournaments.web.reading import visible_to


@login_required
@permission_required("tournaments.add_tournament", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Draws a tournament up, with house programs if they are asked for: a draft, which its organiser alone sees."""
    organiser = cast(User, request.user)
    form = SiteTournamentForm(_sent(request), instance=Tournament(organiser=organiser), owner=organiser)
    if form.is_valid() and (drawn_up := _drawn_up(request, form)):
        messages.success(request, _("The tournament is drawn up. It is a draft until registration is opened."))
        return redirect("tournament-desk", drawn_up.slug)
    return render(request, "tournaments/organising/tournament.html", {"form": form})


def _drawn_up(request: HttpRequest, form: SiteTournamentForm) -> Tournament | None:
    try:
        with transaction.atomic():
            if not form.save_preset():
                return None
            drawn_up = form.save()
            if chosen := form.cleaned_data["format"]:
                stages.plan(drawn_up.pk, chosen, by=drawn_up.organiser)
            _enter_house(drawn_up, form)
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return None
    return drawn_up


def _enter_house(tournament: Tournament, form: SiteTournamentForm) -> None:
    """Raises TournamentError."""
    if form.cleaned_data["house"]:
        entries.enter_house(tournament.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Changes a tournament for as long as it has not started."""
    tournament = get_object_or_404(visible_to(request.user), slug=slug)
    if not may_edit(cast(User, request.user), tournament):
        raise PermissionDenied
    if tournament.is_frozen:
        messages.error(request, _("It has started: rules, plan and entries stay as they are."))
        return redirect(tournament)
    form = SiteTournamentForm(_sent(request), instance=tournament, owner=cast(User, request.user))
    if form.is_valid() and (changed := _redraw(request, tournament, form)):
        return redirect(changed)
    tournament.refresh_from_db()  # the form has written on it what was typed
    return render(
        request,
        "tournaments/organising/tournament.html",
        {"form": form, "tournament": tournament, "stages": stages.chain_of(tournament)},
    )


def may_edit(user: User, tournament: Tournament) -> bool:
    """Whoever organises it, and whoever has the desk's right to change tournaments."""
    return directs_tournament(user, tournament)


def _redraw(request: HttpRequest, tournament: Tournament, form: SiteTournamentForm) -> Tournament | None:
    drawn_up = [name for name in form.changed_data if name in drawing_up.DRAWN_UP]
    try:
        with transaction.atomic():
            if not form.save_preset():
                return None
            changed = drawing_up.redraw(tournament.pk, {name: form.cleaned_data[name] for name in drawn_up})
            _enter_house(changed, form)
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return None
    messages.success(request, _("Saved."))
    return changed


def _sent(request: HttpRequest) -> Mapping[str, Any] | None:
    return request.POST if request.method == "POST" else None
