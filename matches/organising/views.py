"""The page on which an organiser makes a single match."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from matches.models import Match, User
from matches.organising.forms import MatchForm


@login_required
@permission_required("matches.add_match", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Makes a match from versions, rules and a plan, and goes to its page."""
    form = MatchForm(request.POST if request.method == "POST" else None, owner=cast(User, request.user))
    if form.is_valid() and (match := _made(form)):
        messages.success(request, made_words(match))
        return redirect(match)
    return render(request, "matches/organising/match.html", {"form": form})


def made_words(match: Match) -> str:
    """What becomes of a match that has just been made."""
    if match.is_reported:
        return _("The match is made; those who play it say how it ended.")
    return _("The match is made; it is played as soon as a worker is free.")


@transaction.atomic
def _made(form: MatchForm) -> Match | None:
    return form.create()
