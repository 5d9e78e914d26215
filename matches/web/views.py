"""The pages of a match, of a party's replay and of a player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from matches.audience import visible_matches
from matches.core.lifecycle import PartyStatus
from matches.models import Match, Party
from matches.reporting.reading import reporting_of
from matches.web.players import player_page
from matches.web.polling import HtmxRequest, last_answer
from matches.web.reading import match_page, read_match
from matches.web.replay import replay_page

NOT_YET = 409


@require_safe
def match(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Seats, result, parties, promises and faults, or what people report; while it runs its progress alone."""
    found = read_match(public_id, request.user)
    page = match_page(found)
    reporting = reporting_of(found, [side.name for side in page.sides], request.user)
    response = render(request, "matches/match.html", {"match": page, "reporting": reporting})
    if request.htmx and page.is_over:
        return last_answer(response, reload=True)  # the head of the page has a result to show now
    return response


@require_safe
def replay(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """A party card by card, once every exposure of its board is over; until then a page that says so (409)."""
    parties = Party.objects.exclude(status=PartyStatus.VOID).select_related("board", "match")
    seen = visible_matches(request.user, Match.objects.filter(public_id=public_id))
    party = get_object_or_404(parties, match__in=seen, number=number)
    if not party.is_revealed:
        return render(request, "matches/not_yet.html", {"match": party.match, "number": number}, status=NOT_YET)
    return render(request, "matches/replay.html", {"page": replay_page(party)})


@require_safe
def player(request: HttpRequest, public_id: str) -> HttpResponse:
    """A player's versions and results; what a program adds to it is the business of its own room."""
    return render(request, "matches/player.html", {"player": player_page(public_id, request.user)})
