"""What the page of a player shows: its versions, its matches and what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Prefetch, Q
from django.shortcuts import get_object_or_404

from matches.audience import visible_matches
from matches.core.house import KIND
from matches.core.lifecycle import MatchStatus
from matches.core.outcome import Outcome
from matches.models import Agent, Match, MatchSeat, Player, ResultSeat, User
from matches.web.wording import MATCH_STATUS, budget_words, minus, place_words

MATCHES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Played:
    """A match in a player's list, seen from that player.

    `partner`: who sat opposite on the same side, empty for the player himself; `place`: “2nd of 3”, only where more
    than two sides met.
    """

    match_id: str
    opponents: str
    partner: str
    label: str
    state: str
    state_words: str
    outcome: str
    place: str
    score: str
    when: datetime


@dataclass(frozen=True, slots=True)
class Results:
    """A player's record: matches won, drawn, lost, by any of the versions, and the newest of them."""

    won: int
    drawn: int
    lost: int
    matches: tuple[Played, ...]

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def results_of(player: Player, user: User | AnonymousUser) -> Results:
    """Of the matches that this reader may see. Five queries."""
    seen = visible_matches(user, Match.objects.filter(seats__agent__player=player))
    finished = ResultSeat.objects.filter(agent__player=player, result__match__status=MatchStatus.FINISHED)
    counted = finished.filter(result__match__in=seen).aggregate(
        **{one.value: Count("result", filter=Q(outcome=one.value), distinct=True) for one in Outcome}
    )
    newest = (
        seen.select_related("result")
        .prefetch_related(
            Prefetch("seats", MatchSeat.objects.select_related("agent__player").order_by("index")), "result__seats"
        )
        .order_by("-id")
        .distinct()[:MATCHES_SHOWN]
    )
    return Results(**counted, matches=tuple(_played(match, player) for match in newest))


def _played(match: Match, player: Player) -> Played:
    seats = list(match.seats.all())
    own = next(seat for seat in seats if seat.agent.player_id == player.pk)
    decided = _decided(match)
    return Played(
        match_id=match.public_id,
        opponents=_names(seat for seat in seats if seat.side != own.side),
        partner=_names(seat for seat in seats if seat.side == own.side and seat.agent.player_id != player.pk),
        label=own.agent.label,
        state=match.status,
        state_words=str(MATCH_STATUS[MatchStatus(match.status)]),
        outcome=decided[own.side].outcome if decided else "",
        place=_place(decided, own.side),
        score=_score(decided, own.side),
        when=match.finished_at or match.started_at or match.created_at,
    )


def _decided(match: Match) -> list[ResultSeat]:
    """The result by side, empty until there is one: the first seats have the sides' numbers."""
    result = getattr(match, "result", None) if match.status == MatchStatus.FINISHED else None
    if result is None:
        return []
    sides = len({seat.side for seat in match.seats.all()})
    return sorted(result.seats.all(), key=lambda seat: seat.index)[:sides]


def _names(seats: Iterable[MatchSeat]) -> str:
    return ", ".join(dict.fromkeys(seat.agent.player.name for seat in seats))


def _place(decided: Sequence[ResultSeat], side: int) -> str:
    if len(decided) <= 2:
        return ""
    place = decided[side].place
    return place_words(place, len(decided), sum(one.place == place for one in decided) > 1)


def _score(decided: Sequence[ResultSeat], side: int) -> str:
    """The own points first."""
    return ":".join(minus(one.points) for one in [*decided[side : side + 1], *decided[:side], *decided[side + 1 :]])


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a player; `budget`: of a house program, what it may compute, in words."""

    label: str
    status: str
    budget: str


@dataclass(frozen=True, slots=True)
class PlayerPage:
    public_id: str
    name: str
    kind: str
    owner: str
    versions: tuple[Version, ...]
    results: Results


def player_page(public_id: str, user: User | AnonymousUser) -> PlayerPage:
    """Raises Http404."""
    player = get_object_or_404(Player.objects.select_related("owner"), public_id=public_id)
    return PlayerPage(
        public_id=player.public_id,
        name=player.name,
        kind=str(player.get_kind_display()),
        owner=player.owner.username if player.owner else "",
        versions=tuple(_version(agent) for agent in player.agents.order_by("-created_at")),
        results=results_of(player, user),
    )


def _version(agent: Agent) -> Version:
    return Version(agent.label, agent.get_status_display(), budget_words(agent.label) if agent.kind == KIND else "")
