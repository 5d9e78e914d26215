"""What the tournament pages show, read in a bounded number of queries and handed over as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.core.plan import Length
from matches.models import Match, MatchSeat, PlayerKind, User
from matches.web.wording import control_words, known_rules, plan_words, rules_words
from tournaments.formats.lifecycle import Audience, RoundStatus, TournamentStatus
from tournaments.models import EntryMember, Round, Tournament
from tournaments.web.wording import STATUS

FINAL = (TournamentStatus.PUBLISHED, TournamentStatus.CANCELLED)
"""States after which a page need not be asked for again."""
OVER = (TournamentStatus.FINISHED, *FINAL)
OF_DRAW = ("position", "draw", "changes")
"""Columns of a round that grow with the field: not for a page that lists rounds."""
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
        plan=plan_words(
            tournament.boards,
            known_rules(tournament.rules, tournament.match_overrides),
            Length(tournament.length),
        ),
        control=control_words(tournament.control) if _has_programs(tournament) else "",
        entries=entries,
        is_final=tournament.status in FINAL,
        is_by_the_rules=tournament.is_by_the_rules,
        venue=tournament.venue.name if tournament.venue else "",
        starts_at=tournament.starts_at,
        created_at=tournament.created_at,
        started_at=tournament.started_at,
        finished_at=tournament.finished_at,
    )


def _has_programs(tournament: Tournament) -> bool:
    """Whether a clock runs for anybody, or may yet: people play by hand."""
    entered = EntryMember.objects.filter(tournament=tournament).order_by()
    return set(entered.values_list("agent__kind", flat=True).distinct()) != {PlayerKind.PERSON}
