"""What the tournament pages show, read in a bounded number of queries and handed over as frozen values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from matches.models import Match, MatchSeat, User
from matches.web.wording import control_words, known_rules, plan_words, rules_words
from tournaments.formats.lifecycle import Audience, PairingStatus, RoundStatus, TournamentStatus
from tournaments.models import EntryMember, Pairing, Round, StandingsSnapshot, Tournament
from tournaments.services.publishing import live_standings
from tournaments.web.wording import STATUS

FINAL = (TournamentStatus.PUBLISHED, TournamentStatus.CANCELLED)
"""States after which a page need not be asked for again."""
OVER = (TournamentStatus.FINISHED, *FINAL)
RUNNING_SHOWN = 4
RECENT_SHOWN = 8
NONE_DRAWN = (0, 0)
SHOWN = (RoundStatus.RELEASED, RoundStatus.CLOSED, RoundStatus.WITHDRAWN)
"""States in which a round may be seen by others than its organisers, as far as its audience goes."""


def visible_to(user: User | AnonymousUser) -> QuerySet[Tournament]:
    """Everything but drafts; a draft is for its organiser and for whoever may look at all of them."""
    tournaments = Tournament.objects.select_related("organiser", "venue")
    if user.has_perm("tournaments.view_tournament"):
        return tournaments
    seen = ~Q(status=TournamentStatus.DRAFT)
    return tournaments.filter(seen | Q(organiser=user) if user.is_authenticated else seen)


def sees_all(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether nothing of a tournament is hidden from this reader: its organiser, and whoever has the desk's rights."""
    if user.pk is not None and user.pk == tournament.organiser_id:
        return True
    return user.has_perm("tournaments.view_tournament") or user.has_perm("tournaments.change_tournament")


def visible_rounds(user: User | AnonymousUser, tournament: Tournament) -> QuerySet[Round]:
    """The rounds of a tournament that this reader may see, for pages, API and exports alike.

    A draw that is not released is its organisers' alone, and so is one released to nobody. One for the participants
    is for whoever owns a player that is entered. One taken back stays in sight of those who could see it before.
    """
    rounds = Round.objects.filter(stage__tournament=tournament)
    return rounds if sees_all(user, tournament) else rounds.filter(_is_shown_to(user))


def _is_shown_to(user: User | AnonymousUser) -> Q:
    """The rounds that are out, as far as their audience goes."""
    audience = Q(audience=Audience.PUBLIC)
    if user.is_authenticated:
        own = EntryMember.objects.filter(tournament=OuterRef("stage__tournament"), player__owner=user)
        audience |= Q(Exists(own), audience=Audience.PARTICIPANTS)
    return audience & Q(status__in=SHOWN)


def has_hidden_rounds(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether results may stand that this reader may not see with their pairings. One query."""
    out = Round.objects.filter(stage__tournament=tournament, status__in=[RoundStatus.RELEASED, RoundStatus.CLOSED])
    return out.exclude(pk__in=visible_rounds(user, tournament)).exists()


def hidden_matches(user: User | AnonymousUser) -> QuerySet[Any]:
    """Keys of the matches that are kept from this reader: those of draws that he may not see. His own he
    sees once the draw is released, whoever else does: before that it may still be another.

    The setting MATCH_AUDIENCE leads here: pages, lists and API of matches leave these out.
    """
    if user.has_perm("tournaments.view_tournament") or user.has_perm("tournaments.change_tournament"):
        return Match.objects.none().values("pk")
    shown = Round.objects.filter(_is_shown_to(user))
    hidden = Match.objects.filter(
        Q(pairing__isnull=False) & ~Q(pairing__round__in=shown)
        | Q(former_pairing__isnull=False) & ~Q(former_pairing__pairing__round__in=shown)
    )
    if user.is_authenticated:
        own = MatchSeat.objects.filter(match=OuterRef("pk"), agent__player__owner=user)
        out = Q(pairing__round__status__in=SHOWN) | Q(former_pairing__pairing__round__status__in=SHOWN)
        directed = Q(pairing__round__stage__tournament__organiser=user)
        hidden = hidden.exclude(directed).exclude(out & Exists(own))
    return hidden.values("pk")


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of every page of a tournament."""

    slug: str
    public_id: str
    name: str
    description: str
    status: str
    status_words: str
    organiser: str
    rules: str
    rules_words: str
    plan: str
    control: str
    entries: int
    is_final: bool
    is_by_the_rules: bool
    venue: str
    starts_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


def heading(tournament: Tournament, entries: int) -> Heading:
    return Heading(
        slug=tournament.slug,
        public_id=tournament.public_id,
        name=tournament.name,
        description=tournament.description,
        status=tournament.status,
        status_words=str(STATUS[TournamentStatus(tournament.status)]),
        organiser=tournament.organiser.username,
        rules=tournament.rules,
        rules_words=rules_words(tournament.rules),
        plan=plan_words(tournament.boards, known_rules(tournament.rules, tournament.match_overrides)),
        control=control_words(tournament.control),
        entries=entries,
        is_final=tournament.status in FINAL,
        is_by_the_rules=tournament.is_by_the_rules,
        venue=tournament.venue.name if tournament.venue else "",
        starts_at=tournament.starts_at,
        created_at=tournament.created_at,
        started_at=tournament.started_at,
        finished_at=tournament.finished_at,
    )


@dataclass(frozen=True, slots=True)
class Card:
    """A tournament as a list shows it: how far it is, and who leads or has won."""

    slug: str
    name: str
    status: str
    status_words: str
    rules_words: str
    entries: int
    done: int
    total: int
    leader: str
    is_over: bool
    started_at: datetime | None
    finished_at: datetime | None


def front_page(user: User | AnonymousUser) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The tournaments that are on or to come, and those that are over, newest first."""
    tournaments = visible_to(user).annotate(entry_count=Count("entries")).order_by("-created_at")
    open_ones = list(tournaments.exclude(status__in=OVER)[:RUNNING_SHOWN])
    over = list(tournaments.filter(status__in=OVER)[:RECENT_SHOWN])
    progress = _progress_of([*open_ones, *over])
    winners = _winners_of(over)
    return (
        tuple(_card(one, one.entry_count, progress.get(one.pk, NONE_DRAWN), _leader_now(one)) for one in open_ones),
        tuple(_card(one, one.entry_count, progress.get(one.pk, NONE_DRAWN), winners.get(one.pk, "")) for one in over),
    )


def _progress_of(tournaments: Sequence[Tournament]) -> dict[int, tuple[int, int]]:
    """Matches done and in all, by tournament. One query."""
    pairings = Pairing.objects.filter(round__stage__tournament__in=tournaments).exclude(
        status__in=[PairingStatus.BYE, PairingStatus.VOID]
    )
    counted = pairings.values_list("round__stage__tournament").annotate(
        done=Count("pk", filter=Q(status=PairingStatus.DECIDED)), total=Count("pk")
    )
    return {pk: (done, total) for pk, done, total in counted.order_by()}


def _winners_of(tournaments: Sequence[Tournament]) -> dict[int, str]:
    """Who stands first in the newest published standings, by tournament. One query."""
    newest = StandingsSnapshot.objects.filter(tournament__in=tournaments).order_by("tournament_id", "-number")
    return {
        snapshot.tournament_id: ", ".join(row["name"] for row in snapshot.rows if row["place"] == 1)
        for snapshot in newest.distinct("tournament_id")
    }


def _leader_now(tournament: Tournament) -> str:
    """Who leads a tournament that is on; nobody before the first result."""
    if tournament.status not in (TournamentStatus.RUNNING, TournamentStatus.PAUSED):
        return ""
    names = dict(tournament.entries.values_list("public_id", "name"))
    return ", ".join(names[row.entry] for row in live_standings(tournament) if row.place == 1 and row.played)


def _card(tournament: Tournament, entries: int, progress: tuple[int, int], leader: str) -> Card:
    return Card(
        slug=tournament.slug,
        name=tournament.name,
        status=tournament.status,
        status_words=str(STATUS[TournamentStatus(tournament.status)]),
        rules_words=rules_words(tournament.rules),
        entries=entries,
        done=progress[0],
        total=progress[1],
        leader=leader,
        is_over=tournament.status in OVER,
        started_at=tournament.started_at,
        finished_at=tournament.finished_at,
    )
