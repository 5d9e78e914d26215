"""The page on which a tournament is run, and what its buttons do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from matches.web.polling import HtmxRequest
from tournaments.errors import TournamentError
from tournaments.models import Entry, Round, Tournament
from tournaments.organising.desk_page import AUDIENCES, entry_line, entry_lines, newest_events, read_desk
from tournaments.organising.entry_forms import EnterForm, SubstituteForm
from tournaments.organising.rights import directed, who
from tournaments.organising.verbs import OF_ENTRY, OF_ROUND, OF_TOURNAMENT, carry_out
from tournaments.services.entries import stage_to_join
from tournaments.web.frames import frame
from tournaments.web.idle import Idle
from tournaments.web.meetings import read_progress
from tournaments.web.pulse import read_pulse

EVENTS_OF_THE_LOG = 500
SAID_BY_THE_STEP = frozenset(
    {
        *(Idle.DRAFT, Idle.REGISTRATION, Idle.CHECK_IN, Idle.PAUSED, Idle.FINISHED, Idle.PUBLISHED, Idle.CANCELLED),
        *(Idle.DISPUTED, Idle.UNRELEASED, Idle.UNDRAWN),
    }
)
"""Why nothing is played, where the next step tells whoever takes it the same."""


@require_http_methods(["GET", "HEAD"])
@directed
def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What happens now, what to do next, rounds, entries, the log."""
    return render(request, "tournaments/organising/desk.html", _desk_context(request, tournament))


def _desk_context(request: HttpRequest, tournament: Tournament, form: EnterForm | None = None) -> dict[str, Any]:
    page, search = read_desk(tournament), request.GET.get("q", "").strip()[:60]
    pulse = read_pulse(tournament, read_progress(tournament)) if tournament.is_frozen else None
    return {
        **frame(request, tournament, "desk", page.entries),
        "tournament": tournament,
        "desk": page,
        "pulse": pulse,
        "idle": pulse.idle if pulse and pulse.idle_code not in SAID_BY_THE_STEP else "",
        "audiences": AUDIENCES,
        "lines": entry_lines(tournament, search, request.GET.get("page", "1")),
        "search": search,
        "events": newest_events(tournament),
        "form": form or EnterForm(tournament),
        "takes_entries": _takes_entries(tournament),
    }


def _takes_entries(tournament: Tournament) -> bool:
    try:
        stage_to_join(tournament)
    except TournamentError:
        return False
    return True


@require_http_methods(["GET", "HEAD"])
@directed
def log(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All that was done to a tournament, newest first."""
    context = {"tournament": tournament, "events": newest_events(tournament, EVENTS_OF_THE_LOG)}
    return render(request, "tournaments/organising/log.html", context)


@require_POST
@directed
def do(request: HttpRequest, tournament: Tournament, verb: str) -> HttpResponse:
    carry_out(request, OF_TOURNAMENT, verb, tournament)
    return redirect("tournament-desk", tournament.slug)


@require_POST
@directed
def do_round(request: HttpRequest, tournament: Tournament, public_id: str, verb: str) -> HttpResponse:
    rounds = Round.objects.select_related("stage__tournament").filter(stage__tournament=tournament)
    drawn = get_object_or_404(rounds, public_id=public_id)
    done = carry_out(request, OF_ROUND, verb, drawn)
    if verb == "begin_changes" and done:
        return redirect("round-change", tournament.slug, drawn.public_id)
    return _back(request, tournament)


@require_POST
@directed
def do_entry(request: HtmxRequest, tournament: Tournament, public_id: str, verb: str) -> HttpResponse:
    """Answers a script with the entry's line alone, and a form with the page it came from."""
    entry = _entry(tournament, public_id)
    done = carry_out(request, OF_ENTRY, verb, entry)
    if request.htmx and done and verb in ("check_in", "check_out"):
        list(messages.get_messages(request))  # the line itself says what was done
        line = entry_line(tournament, _entry(tournament, public_id))
        return render(request, "tournaments/organising/entry_line.html", {"line": line, "tournament": tournament})
    return _back(request, tournament, f"#{public_id}")


def _entry(tournament: Tournament, public_id: str) -> Entry:
    return get_object_or_404(tournament.entries.select_related("tournament"), public_id=public_id)


def _back(request: HttpRequest, tournament: Tournament, anchor: str = "") -> HttpResponse:
    """To the page of ours that the button stood on, else to the desk."""
    wanted = request.POST.get("back", "")
    if wanted.startswith(f"/t/{tournament.slug}/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return redirect(wanted + anchor)
    return redirect("tournament-desk", tournament.slug)


@require_POST
@directed
def enter(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Enters a player or a pair, new ones among them, before the start or late."""
    form = EnterForm(tournament, request.POST)
    if form.is_valid() and (entry := form.enter(who(request))):
        messages.success(request, _("“%(name)s” is entered.") % {"name": entry})
        return redirect("tournament-desk", tournament.slug)
    return render(request, "tournaments/organising/desk.html", _desk_context(request, tournament, form))


@require_http_methods(["GET", "HEAD", "POST"])
@directed
def substitute(request: HttpRequest, tournament: Tournament, public_id: str) -> HttpResponse:
    """Brings somebody else in for one of an entry's players."""
    entry = _entry(tournament, public_id)
    form = SubstituteForm(entry, request.POST if request.method == "POST" else None)
    if form.is_valid() and form.bring_in(who(request)):
        messages.success(request, _("Done: he plays from the next match on."))
        return redirect("tournament-desk", tournament.slug)
    return render(
        request,
        "tournaments/organising/substitute.html",
        {"form": form, "entry": entry, "tournament": tournament},
    )
