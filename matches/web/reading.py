"""What the match and player pages show, read in a bounded number of queries and handed over as frozen values.

Nothing in here looks at a card: records are opened by `replay` alone, and only once they are revealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet
from django.shortcuts import get_object_or_404

from matches.core.lifecycle import MatchStatus, PartyStatus
from matches.core.outcome import Outcome, score_of
from matches.models import Agent, Board, Match, MatchSeat, Party, PartyEvent, Player, ResultSeat
from matches.services.finish import party_score
from matches.web.wording import (
    MATCH_STATUS,
    PARTY_REASON,
    PARTY_STATUS,
    OptionLine,
    cause_words,
    control_words,
    deals_of,
    option_lines,
    plan_words,
    rules_words,
)

FAULTS_SHOWN = 200
MATCHES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Seat:
    """An entrant of a match; `points` and `outcome` are empty until it is decided, and once it is void."""

    index: int
    name: str
    player: str
    kind: str
    label: str
    points: int | None
    outcome: str


@dataclass(frozen=True, slots=True)
class PartyLine:
    """One party. `scores` (per match seat) and `reason` are shown once it is revealed; until then only its state."""

    number: int
    board: int
    public_id: str
    state: str
    state_words: str
    order: tuple[str, ...]
    revealed: bool
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    reason: str
    forfeited_by: str


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board's promise, and the seed that keeps it once nothing depends on it any more (R68)."""

    number: int
    commitment: str
    seed: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The platform played for somebody: where, for whom and why. Public."""

    party: int
    name: str
    cause: str
    cause_words: str
    forfeits: bool


@dataclass(frozen=True, slots=True)
class MatchPage:
    public_id: str
    title: str
    state: str
    state_words: str
    reason: str
    is_over: bool
    rules: str
    rules_words: str
    options: tuple[OptionLine, ...]
    plan: str
    control: str
    strict: bool
    forfeit_points: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    seats: tuple[Seat, ...]
    parties: tuple[PartyLine, ...]
    boards: tuple[BoardLine, ...]
    faults: tuple[Fault, ...]
    parties_done: int
    parties_total: int


def match_page(public_id: str) -> MatchPage:
    """Seven queries; raises Http404."""
    match = get_object_or_404(_matches(), public_id=public_id)
    seats = _seats(match)
    parties = [one for one in match.parties.all() if one.status != PartyStatus.VOID]
    return MatchPage(
        public_id=match.public_id,
        title=" – ".join(seat.name for seat in seats),
        state=match.status,
        state_words=str(MATCH_STATUS[MatchStatus(match.status)]),
        reason=match.status_reason,
        is_over=match.is_over,
        rules=match.rules,
        rules_words=rules_words(match.rules),
        options=option_lines(match.overrides),
        plan=plan_words(match.boards_planned, deals_of(match.rules, match.overrides), len(seats)),
        control=control_words(match.control),
        strict=match.strict,
        forfeit_points=match.forfeit_points,
        created_at=match.created_at,
        started_at=match.started_at,
        finished_at=match.finished_at,
        seats=seats,
        parties=tuple(_party(match, party, seats) for party in parties),
        boards=tuple(_board(board) for board in match.boards.all()),
        faults=_faults(match, seats),
        parties_done=sum(party.status == PartyStatus.FINISHED for party in parties),
        parties_total=len(parties),
    )


def _matches() -> QuerySet[Match]:
    boards = Board.objects.select_related("match").prefetch_related(_without_records())
    parties = (
        Party.objects.select_related("board__match")
        .defer("record_json")
        .prefetch_related(Prefetch("board__parties", Party.objects.defer("record_json")))
    )
    return Match.objects.select_related("result").prefetch_related(
        Prefetch("seats", MatchSeat.objects.select_related("agent__player").order_by("index")),
        Prefetch("boards", boards.order_by("number")),
        Prefetch("parties", parties.order_by("number", "attempt")),
        "result__seats",
    )


def _without_records() -> Prefetch:
    return Prefetch("parties", Party.objects.defer("record_json"))


def _seats(match: Match) -> tuple[Seat, ...]:
    result = getattr(match, "result", None) if match.status == MatchStatus.FINISHED else None
    decided = {seat.index: seat for seat in result.seats.all()} if result else {}
    return tuple(_seat(seat, decided.get(seat.index)) for seat in match.seats.all())


def _seat(seat: MatchSeat, decided: ResultSeat | None) -> Seat:
    return Seat(
        index=seat.index,
        name=seat.agent.player.name,
        player=seat.agent.player.public_id,
        kind=seat.agent.player.kind,
        label=seat.agent.label,
        points=decided.points if decided else None,
        outcome=decided.outcome if decided else "",
    )


def _party(match: Match, party: Party, seats: Sequence[Seat]) -> PartyLine:
    revealed = party.is_revealed
    score = party_score(match, party, len(seats)) if revealed else None
    return PartyLine(
        number=party.number,
        board=party.board.number,
        public_id=party.public_id,
        state=party.status,
        state_words=str(PARTY_STATUS[PartyStatus(party.status)]),
        order=tuple(seats[party.match_seat(seat, len(seats))].name for seat in range(len(seats))),
        revealed=revealed,
        scores=score_of(score, match.forfeit_points) if score else (),
        totals=score.totals if score else (),
        reason=str(PARTY_REASON.get(party.reason, party.reason)) if revealed else "",
        forfeited_by=seats[score.forfeiter].name if score and score.forfeiter is not None else "",
    )


def _board(board: Board) -> BoardLine:
    return BoardLine(board.number, board.commitment, bytes(board.seed).hex() if board.is_open else "")


def _faults(match: Match, seats: Sequence[Seat]) -> tuple[Fault, ...]:
    """What the platform had to do for somebody in parties that are over."""
    events = (
        PartyEvent.objects.filter(party__match=match, party__status=PartyStatus.FINISHED)
        .exclude(cause="")
        .select_related("party")
        .defer("party__record_json")
        .order_by("party__number", "seq")[:FAULTS_SHOWN]
    )
    return tuple(
        Fault(
            party=event.party.number,
            name=seats[event.party.match_seat(event.seat, len(seats))].name,
            cause=event.cause,
            cause_words=cause_words(event.cause),
            forfeits=event.kind == "forfeit",
        )
        for event in events
    )


@dataclass(frozen=True, slots=True)
class Played:
    """A match in a player's list, seen from that player."""

    match_id: str
    opponents: str
    label: str
    state: str
    state_words: str
    outcome: str
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


def results_of(player: Player) -> Results:
    """Five queries."""
    counted = ResultSeat.objects.filter(agent__player=player, result__match__status=MatchStatus.FINISHED).aggregate(
        **{outcome.value: Count("pk", filter=Q(outcome=outcome.value)) for outcome in Outcome}
    )
    newest = (
        Match.objects.filter(seats__agent__player=player)
        .select_related("result")
        .prefetch_related(Prefetch("seats", MatchSeat.objects.select_related("agent__player")), "result__seats")
        .order_by("-id")
        .distinct()[:MATCHES_SHOWN]
    )
    return Results(**counted, matches=tuple(_played(match, player) for match in newest))


def _played(match: Match, player: Player) -> Played:
    seats = list(match.seats.all())
    own = next(seat for seat in seats if seat.agent.player_id == player.pk)
    result = getattr(match, "result", None)
    decided = {seat.index: seat for seat in result.seats.all()} if result and match.status == "finished" else {}
    others = [seat for seat in seats if seat is not own]
    return Played(
        match_id=match.public_id,
        opponents=", ".join(seat.agent.player.name for seat in others),
        label=own.agent.label,
        state=match.status,
        state_words=str(MATCH_STATUS[MatchStatus(match.status)]),
        outcome=decided[own.index].outcome if decided else "",
        score=":".join(str(decided[seat.index].points) for seat in [own, *others]) if decided else "",
        when=match.finished_at or match.started_at or match.created_at,
    )


@dataclass(frozen=True, slots=True)
class PlayerPage:
    public_id: str
    name: str
    kind: str
    owner: str
    versions: tuple[Agent, ...]
    results: Results


def player_page(public_id: str) -> PlayerPage:
    """Raises Http404."""
    player = get_object_or_404(Player.objects.select_related("owner"), public_id=public_id)
    return PlayerPage(
        public_id=player.public_id,
        name=player.name,
        kind=str(player.get_kind_display()),
        owner=player.owner.username if player.owner else "",
        versions=tuple(player.agents.order_by("-created_at")),
        results=results_of(player),
    )
