"""Addresses of calendars: for everybody, whoever asks, since phones ask without logging in."""

from __future__ import annotations

import hashlib

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from matches.models import Player
from tournaments.ical import calendar_of_player, calendar_of_tournament
from tournaments.web.reading import visible_to

FRESH_SECONDS = 60


@require_safe
def of_tournament(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A tournament's rounds as a calendar."""
    tournament = get_object_or_404(visible_to(AnonymousUser()).select_related("venue"), slug=slug)
    return _answer(request, calendar_of_tournament(tournament, request.build_absolute_uri), tournament.slug)


@require_safe
def of_player(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """A player's meetings as a calendar."""
    player = get_object_or_404(Player, public_id=public_id)
    return _answer(request, calendar_of_player(player, request.build_absolute_uri), player.public_id)


def _answer(request: HttpRequest, content: bytes, name: str) -> HttpResponseBase:
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response.headers["ETag"] = tag
    response.headers["Content-Disposition"] = f'inline; filename="{name}.ics"'
    patch_cache_control(response, max_age=FRESH_SECONDS)
    return get_conditional_response(request, etag=tag, response=response) or response
