"""Tournaments as lists show them: on the front page, on the page of all of them, and the reader's own above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.core.lifecycle import MatchStatus
from matches.models import Match, User
from matches.web.wording import rules_words
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, TournamentStatus
from tournaments.models import Pairing, StandingsSnapshot, Tournament
from tournaments.services.publishing import live_standings
from tournaments.web.reading import FINAL, OVER, visible_to
from tournaments.web.wording import STATUS, points_words

RUNNING_SHOWN = 4
RECENT_SHOWN = 8
SHOWN_A_PAGE = 24
YOURS_SHOWN = 24
LEADERS_NAMED = 3
LEADERS_KEPT_SECONDS = 60
NONE_DRAWN = (0, 0)
ON = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
STATES = {
    "on": (gettext_lazy("being played"), ON),
    "soon": (gettext_lazy("to come"), (TournamentStatus.REGISTRATION, TournamentStatus.CHECK_IN)),
    "over": (gettext_lazy("over"), OVER),
    "drafts": (gettext_lazy("drafts"), (TournamentStatus.DRAFT,)),
}
"""What the page of all tournaments can be narrowed down to."""


@dataclass(frozen=True, slots=True)
class Card:
    """A tournament as a list shows it: how far it is, and who leads or has won. `led_by` is a whole sentence."""

    slug: str
    name: str
    status: str
    status_words: str
    rules_words: str
    entries: int
    done: int
    total: int
    winner: str
    led_by: str
    is_over: bool
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Yours:
    """What is the reader's own. `reports`: id, title and tournament of the matches that wait for his word, and whether
    another side has spoken already.
    """

    organised: tuple[Card, ...]
    entered: tuple[Card, ...]
    reports: tuple[tuple[str, str, str, bool], ...]

    def __bool__(self) -> bool:
        return bool(self.organised or self.entered or self.reports)


def front_page(user: User | AnonymousUser) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The tournaments that are on or to come, and those that are over, newest first."""
    tournaments = _counted(visible_to(user))
    open_ones = list(tournaments.exclude(status__in=OVER)[:RUNNING_SHOWN])
    over = list(tournaments.filter(status__in=OVER)[:RECENT_SHOWN])
    cards = _cards([*open_ones, *over], open_ones)
    return cards[: len(open_ones)], cards[len(open_ones) :]


def all_tournaments(user: User | AnonymousUser, state: str, search: str, page: str) -> Page[Any]:
    """One page of what the reader may see, newest first. Four queries."""
    found = _counted(visible_to(user))
    if state in STATES:
        found = found.filter(status__in=STATES[state][1])
    if search:
        found = found.filter(Q(name__icontains=search) | Q(description__icontains=search))
    shown: Page[Any] = Paginator(found, SHOWN_A_PAGE).get_page(page)
    shown.object_list = _cards(list(shown.object_list))
    return shown


def yours_of(user: User | AnonymousUser) -> Yours:
    """Six queries; nothing of whoever is not logged in. Tournaments that are final are not in it."""
    if not user.is_authenticated:
        return Yours((), (), ())
    open_ones = _counted(visible_to(user).exclude(status__in=FINAL))
    organised = list(open_ones.filter(organiser=user)[:YOURS_SHOWN])
    entered = list(open_ones.filter(pk__in=Tournament.objects.filter(entries__members__player__owner=user)))
    return Yours(_cards(organised), _cards(entered[:YOURS_SHOWN]), _reports_of(user))


def _reports_of(user: User) -> tuple[tuple[str, str, str, bool], ...]:
    """The matches of released rounds at which one of his people sits and whose result is not agreed on."""
    waiting = Match.objects.filter(
        status__in=[MatchStatus.AWAITED, MatchStatus.REPORTED],
        pk__in=Match.objects.filter(seats__agent__player__owner=user),
        pairing__round__status=RoundStatus.RELEASED,
    )
    columns = ("public_id", "title", "pairing__round__stage__tournament__name", "status")
    found = waiting.order_by("pairing__round__stage__tournament", "pk").values_list(*columns)[:YOURS_SHOWN]
    return tuple((match, title, event, status == MatchStatus.REPORTED) for match, title, event, status in found)


def _counted(tournaments: QuerySet[Tournament]) -> QuerySet[Any]:
    return tournaments.annotate(entry_count=Count("entries")).order_by("-created_at", "-pk")


def _cards(tournaments: Sequence[Any], led: Sequence[Any] = ()) -> tuple[Card, ...]:
    """`led`: those of which it is also told who leads. Two queries for all others."""
    progress, winners = _progress_of(tournaments), _winners_of([one for one in tournaments if one.status in OVER])
    leaders = {one.pk: _led_by(one) for one in led}
    return tuple(
        _card(one, progress.get(one.pk, NONE_DRAWN), _named(winners.get(one.pk, [])), leaders.get(one.pk, ""))
        for one in tournaments
    )


def _progress_of(tournaments: Sequence[Tournament]) -> dict[int, tuple[int, int]]:
    """Matches done and in all, by tournament. One query."""
    pairings = Pairing.objects.filter(round__stage__tournament__in=tournaments).exclude(
        Q(status__in=[PairingStatus.BYE, PairingStatus.VOID]) | Q(round__status=RoundStatus.WITHDRAWN)
    )
    counted = pairings.values_list("round__stage__tournament").annotate(
        done=Count("pk", filter=Q(status=PairingStatus.DECIDED)), total=Count("pk")
    )
    return {pk: (done, total) for pk, done, total in counted.order_by()}


def _winners_of(tournaments: Sequence[Tournament]) -> dict[int, list[str]]:
    """Who stands first in the newest published standings, by tournament. One query."""
    newest = StandingsSnapshot.objects.filter(tournament__in=tournaments).order_by("tournament_id", "-number")
    return {
        snapshot.tournament_id: [row["name"] for row in snapshot.rows if row["place"] == 1]
        for snapshot in newest.distinct("tournament_id")
    }


def _led_by(tournament: Tournament) -> str:
    """Who leads a tournament that is on; empty before the first result. Reckoned anew when anything was done to it."""
    if tournament.status not in ON:
        return ""
    decided = Pairing.objects.filter(round__stage__tournament=tournament, status=PairingStatus.DECIDED).count()
    newest = tournament.events.aggregate(newest=Max("pk"))["newest"]
    return str(
        cache.get_or_set(f"led-by-{tournament.pk}-{decided}-{newest}", lambda: _told(tournament), LEADERS_KEPT_SECONDS)
    )


def _told(tournament: Tournament) -> str:
    leaders = [row for row in live_standings(tournament) if row.place == 1 and row.played]
    if len(leaders) > LEADERS_NAMED and leaders[0].points:
        words = {"count": len(leaders), "points": points_words(leaders[0].points)}
        return _("%(count)s lead with %(points)s") % words
    names = dict(tournament.entries.values_list("public_id", "name"))
    named = _named([names[row.entry] for row in leaders])
    return _("led by %(names)s") % {"names": named} if named else ""


def _named(names: Sequence[str]) -> str:
    """Those who share a place, as far as they can be named in a line."""
    return ", ".join(names) if len(names) <= LEADERS_NAMED else _("%(count)s together") % {"count": len(names)}


def _card(tournament: Any, progress: tuple[int, int], winner: str, led_by: str) -> Card:
    return Card(
        slug=tournament.slug,
        name=tournament.name,
        status=tournament.status,
        status_words=str(STATUS[TournamentStatus(tournament.status)]),
        rules_words=rules_words(tournament.rules),
        entries=tournament.entry_count,
        done=progress[0],
        total=progress[1],
        winner=winner,
        led_by=led_by,
        is_over=tournament.status in OVER,
        started_at=tournament.started_at,
        finished_at=tournament.finished_at,
    )
