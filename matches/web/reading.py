"""What the page of a match shows, read in a bounded number of queries and handed over as frozen values.

Nothing in here looks at a card: records are opened by `replay` alone, and only once they are revealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.safestring import SafeString, mark_safe

from engine.marks import marks_of, marks_svg
from matches.audience import visible_matches
from matches.core.house import KIND
from matches.core.lifecycle import MatchStatus, PartyStatus
from matches.core.outcome import PartyScore, Unit, card_points_of, score_of, unit_of
from matches.core.owners import owners_of_several
from matches.core.plan import Length, parties_of
from matches.models import Board, Match, MatchSeat, Party, PartyEvent, ResultSeat, User
from matches.rulebook.sheet import RulesSheet, rules_sheet
from matches.services.finish import party_score
from matches.web.wording import (
    MATCH_STATUS,
    PARTY_REASON,
    PARTY_STATUS,
    budget_words,
    cause_words,
    control_words,
    counted_words,
    forfeit_words,
    known_rules,
    minus,
    one_owner_words,
    place_words,
    plan_words,
    rules_words,
    seat_names,
    signed,
    unit_words,
)

FAULTS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Hand:
    """Who plays a seat of the match. `name`: the player's, with the version where another of his plays too.

    `budget`: of a house program, what it may compute, in words.
    """

    name: str
    player_name: str
    player: str
    label: str
    is_house: bool
    budget: str


@dataclass(frozen=True, slots=True)
class Side:
    """Who scores together: one hand, or two partners; one program may play both hands, and is then named once.

    What was won is empty until the match is decided, and once it is void. `place` only where more than two sides met,
    `beside` only where card points decide between equals.
    """

    name: str
    hands: tuple[Hand, ...]
    both_hands: bool
    points: str
    counts: str
    beside: str
    place: str
    outcome: str
    absent: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """What a party brought a side: the number, its marks on a score sheet, and beside stakes the points behind them."""

    number: str
    marks: SafeString
    beside: str
    won: bool


@dataclass(frozen=True, slots=True)
class PartyLine:
    """One party. `cells` (by side of the match) and `reason` are shown once it is revealed, till then only its state.

    `order`: who sat at the table's seats.
    """

    number: int
    board: int
    public_id: str
    state: str
    state_words: str
    order: tuple[str, ...]
    revealed: bool
    cells: tuple[Cell, ...]
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
    """`one_owner`: that somebody decides for several sides, in words; empty where nobody does."""

    public_id: str
    title: str
    state: str
    state_words: str
    reason: str
    is_over: bool
    is_reported: bool
    rules: str
    rules_words: str
    sheet: RulesSheet | None
    counted: str
    forfeit: str
    plan: str
    control: str
    strict: bool
    house_thinks: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    one_owner: str
    sides: tuple[Side, ...]
    parties: tuple[PartyLine, ...]
    boards: tuple[BoardLine, ...]
    faults: tuple[Fault, ...]
    parties_done: int
    parties_total: int
    not_played: int

    @property
    def is_played_now(self) -> bool:
        """Whether the page has to look again by itself: cards are or will be played, and nobody types into it."""
        return not self.is_over and not self.is_reported


def read_match(public_id: str, user: User | AnonymousUser) -> Match:
    """A match with all that its page shows, in seven queries; raises Http404, for what the reader may not see too."""
    return get_object_or_404(visible_matches(user, _matches()), public_id=public_id)


def match_page(match: Match) -> MatchPage:
    """Of a match as `read_match` gives it; one query more."""
    rules = known_rules(match.rules, match.overrides)
    unit = unit_of(rules) if rules else Unit.POINTS
    hands = _hands(match)
    sides = _sides(match, hands, unit)
    parties = [one for one in match.parties.all() if one.status != PartyStatus.VOID]
    return MatchPage(
        public_id=match.public_id,
        title=" – ".join(side.name for side in sides),
        state=match.status,
        state_words=str(MATCH_STATUS[MatchStatus(match.status)]),
        reason=match.status_reason,
        is_over=match.is_over,
        is_reported=match.is_reported,
        rules=match.rules,
        rules_words=rules_words(match.rules),
        sheet=rules_sheet(rules, on_boards=match.length == Length.BOARDS) if rules else None,
        counted=counted_words(
            unit, match.boards_planned if match.length == Length.BEST_OF else 0, is_reported=match.is_reported
        ),
        forfeit=forfeit_words(unit, rules, match.forfeit_points),
        plan=plan_words(match.boards_planned, rules, Length(match.length)),
        control=control_words(match.control),
        strict=match.strict,
        house_thinks=match.house_thinks,
        created_at=match.created_at,
        started_at=match.started_at,
        finished_at=match.finished_at,
        one_owner=_one_owner(match, len(sides)),
        sides=sides,
        parties=tuple(_party(match, party, hands, unit) for party in parties),
        boards=tuple(_board(board) for board in match.boards.all()),
        faults=_faults(parties, hands),
        parties_done=sum(party.status == PartyStatus.FINISHED for party in parties),
        parties_total=len(parties),
        not_played=_not_played(match, parties),
    )


def _one_owner(match: Match, sides: int) -> str:
    seats = [(seat.side, seat.agent.player.owner_id) for seat in match.seats.all()]
    both = owners_of_several(seats)
    names = {seat.agent.player.owner_id: seat.agent.player.owner for seat in match.seats.all()}
    return one_owner_words(", ".join(str(names[owner]) for owner in both), sides) if both else ""


def _not_played(match: Match, parties: Sequence[Party]) -> int:
    """How many parties of a decided match were left out: a best of was over, or an organiser has ruled."""
    if match.status != MatchStatus.FINISHED or match.is_reported:
        return 0
    return parties_of(Length(match.length), match.boards_planned, len(match.seats.all())) - len(parties)


def _matches() -> QuerySet[Match]:
    boards = Board.objects.select_related("match").prefetch_related(_without_records())
    parties = (
        Party.objects.select_related("board__match")
        .defer("record_json")
        .prefetch_related(Prefetch("board__parties", Party.objects.defer("record_json")))
    )
    return Match.objects.select_related("result").prefetch_related(
        Prefetch("seats", MatchSeat.objects.select_related("agent__player__owner").order_by("index")),
        Prefetch("boards", boards.order_by("number")),
        Prefetch("parties", parties.order_by("number", "attempt")),
        "result__seats",
        "reports",
    )


def _without_records() -> Prefetch:
    return Prefetch("parties", Party.objects.defer("record_json"))


def _hands(match: Match) -> tuple[Hand, ...]:
    agents = [seat.agent for seat in match.seats.all()]
    return tuple(
        Hand(
            name,
            agent.player.name,
            agent.player.public_id,
            agent.label,
            is_house=agent.kind == KIND,
            budget=budget_words(agent.label) if agent.kind == KIND else "",
        )
        for name, agent in zip(seat_names(agents), agents, strict=True)
    )


def _sides(match: Match, hands: Sequence[Hand], unit: Unit) -> tuple[Side, ...]:
    """The sides in order; the first seats of a match have their numbers."""
    sides = [seat.side for seat in match.seats.all()]
    result = getattr(match, "result", None) if match.status == MatchStatus.FINISHED else None
    decided = sorted(result.seats.all(), key=lambda seat: seat.index)[: len(set(sides))] if result else ()
    has_cards = result is not None and result.report_id is None
    return tuple(
        _side([hand for at, hand in zip(sides, hands, strict=True) if at == side], decided, side, unit, has_cards)
        for side in sorted(set(sides))
    )


def _side(hands: Sequence[Hand], decided: Sequence[ResultSeat], side: int, unit: Unit, has_cards: bool) -> Side:
    """`has_cards`: whether anybody knows the card points behind parties won."""
    different = tuple(dict.fromkeys(hands))
    won = decided[side] if decided else None
    shared = [one.place for one in decided].count(won.place) > 1 if won else False
    return Side(
        name=" & ".join(dict.fromkeys(hand.name for hand in hands)),
        hands=different,
        both_hands=len(different) < len(hands),
        points=_number(won.points, unit) if won else "",
        counts=unit_words(unit, won.points) if won else "",
        beside=_beside(won, unit) if won and has_cards else "",
        place=place_words(won.place, len(decided), shared) if won and len(decided) > 2 else "",
        outcome=won.outcome if won else "",
        absent=won.is_absent if won else False,
    )


def _beside(won: ResultSeat, unit: Unit) -> str:
    """The card points, where they are not what the match counts but may decide it."""
    if unit is not Unit.PARTIES:
        return ""
    return f"{minus(won.card_points)} {unit_words(Unit.POINTS, won.card_points)}"


def _number(points: int, unit: Unit) -> str:
    return signed(points) if unit is Unit.STAKES else minus(points)


def _party(match: Match, party: Party, hands: Sequence[Hand], unit: Unit) -> PartyLine:
    revealed = party.is_revealed
    score = party_score(match, party, len(hands)) if revealed else None
    return PartyLine(
        number=party.number,
        board=party.board.number,
        public_id=party.public_id,
        state=party.status,
        state_words=str(PARTY_STATUS[PartyStatus(party.status)]),
        order=tuple(hands[party.match_seat(seat, len(hands))].name for seat in range(len(hands))),
        revealed=revealed,
        cells=_cells(score, match.forfeit_points, unit) if score else (),
        reason=str(PARTY_REASON.get(party.reason, party.reason)) if revealed else "",
        forfeited_by=_forfeited_by(score, hands) if score else "",
    )


def _forfeited_by(score: PartyScore, hands: Sequence[Hand]) -> str:
    """Who lost the party without playing it to its end, and whoever else could not play at all."""
    if score.forfeiter is None:
        return ""
    return ", ".join(dict.fromkeys(hands[seat].name for seat in (score.forfeiter, *score.absent)))


def _cells(score: PartyScore, forfeit_points: int, unit: Unit) -> tuple[Cell, ...]:
    written, counted = card_points_of(score, forfeit_points), score_of(score, forfeit_points, unit)
    parties = score_of(score, forfeit_points, Unit.PARTIES)
    shown = counted if unit is Unit.STAKES else written
    return tuple(
        Cell(
            number=_number(shown[side], unit),
            marks=mark_safe(marks_svg(marks_of(written[side]))),
            beside=minus(written[side]) if unit is Unit.STAKES else "",
            won=bool(parties[side]),
        )
        for side in range(len(written))
    )


def _board(board: Board) -> BoardLine:
    return BoardLine(board.number, board.commitment, bytes(board.seed).hex() if board.is_open else "")


def _faults(parties: Sequence[Party], hands: Sequence[Hand]) -> tuple[Fault, ...]:
    """What the platform had to do for somebody. Of a closed board not even their number is told (R68)."""
    events = (
        PartyEvent.objects.filter(party__in=[party.pk for party in parties if party.is_revealed])
        .exclude(cause="")
        .select_related("party")
        .defer("party__record_json")
        .order_by("party__number", "seq")[:FAULTS_SHOWN]
    )
    return tuple(
        Fault(
            party=event.party.number,
            name=hands[event.party.match_seat(event.seat, len(hands))].name,
            cause=event.cause,
            cause_words=cause_words(event.cause),
            forfeits=event.kind == "forfeit",
        )
        for event in events
    )
