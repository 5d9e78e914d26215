"""The meetings of a tournament as they stand: who sits at which table, what came of it, and how play goes on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.core.lifecycle import MatchStatus
from matches.models import ResultKind, ResultSeat
from matches.web.wording import MATCH_STATUS
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, SeatState
from tournaments.formats.meetings import Kind
from tournaments.models import Pairing, PairingSeat, Sitting, Tournament
from tournaments.services.history import scheme_of
from tournaments.services.writing import DRAWN_FROM
from tournaments.standings.points import PLACE_POINTS, Count, Scheme, points_of
from tournaments.web.idle import Tally
from tournaments.web.tally import tally_of
from tournaments.web.wording import BYE, points_words

FULL_LEVEL = 4
BY_OUTCOME = {"won": 4, "drawn": 2, "lost": 0}
NOT_PLAYED = ("bye", MatchStatus.VOID, "waiting", "open")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a meeting; all but who it is is empty until the meeting is decided.

    `entries`: public id and name of each entry: two where the draw makes partners, none while the seat is still to be
    filled; `name` then says from where. `mark`: what it brought as it is written (1, ½, 2¼); `level`: the same from 0
    to 4, whatever the table gives.
    """

    entries: tuple[tuple[str, str], ...]
    name: str
    place: int = 0
    mark: str = ""
    level: int = 0
    outcome: str = ""
    points: int | None = None
    parties: int | None = None
    is_absent: bool = False

    @property
    def entry(self) -> str:
        """The public id of the only entry, or of the first of two partners."""
        return self.entries[0][0] if self.entries else ""


@dataclass(frozen=True, slots=True)
class Decided:
    """What the result of a match says of one side."""

    place: int
    outcome: str
    points: int
    card_points: int
    parties: int | None
    is_absent: bool


@dataclass(frozen=True, slots=True)
class Source:
    """From where a seat of a bracket is filled: whoever takes a place in a match, or has a seed (`match` is 0)."""

    place: int
    match: int = 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing for a page. `state` is the match's status, or `bye` (one side, no match), `waiting` (a seat is still to
    be filled), `open` (no match is made yet).

    `reasons`: why these meet, as codes with their numbers. `seats`: the names in seat order. `sources`: from where each
    seat of a bracket is filled. `by_place`: the sides as they came in, once that is decided.
    """

    stage: int
    round_number: int
    round_id: int
    table: int
    public_id: str
    sides: tuple[Side, ...]
    state: str
    state_words: str
    reason: str
    match_id: str
    group: int | None = None
    bye: str = ""
    reasons: tuple[tuple[Any, ...], ...] = ()
    seats: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    place_name: str = ""
    starts_at: datetime | None = None
    is_forfeit: bool = False
    is_withdrawn: bool = False

    @property
    def title(self) -> str:
        return " – ".join(side.name for side in self.sides)

    @property
    def by_place(self) -> tuple[Side, ...]:
        return tuple(sorted(self.sides, key=lambda side: side.place))

    @property
    def is_decided(self) -> bool:
        return self.state == MatchStatus.FINISHED


@dataclass(frozen=True, slots=True)
class Draw:
    """The meetings of a tournament that the reader may see, and how their matches stand.

    `withdrawn`: meetings of draws that were taken back, which count for nothing. `hides`: whether matches are played
    that he may not see.
    """

    meetings: tuple[Meeting, ...]
    tally: Tally
    done: int
    total: int
    withdrawn: tuple[Meeting, ...] = ()
    hides: bool = False


@dataclass(frozen=True, slots=True)
class _Seat:
    pairing: int
    seat: int
    side: int
    entry: str
    name: str
    state: str
    source: Source | None


@dataclass(frozen=True, slots=True)
class _Rows:
    """What the meetings are made from, by pairing or by match."""

    scheme: Scheme
    seats: Mapping[int, Sequence[_Seat]]
    results: Mapping[int, Mapping[int, Decided]]
    forfeited: Collection[int]
    tables: Mapping[int, tuple[str, datetime]] = field(default_factory=dict)


def read_draw(tournament: Tournament, visible: QuerySet[Any] | None = None) -> Draw:
    """Five queries, however many rounds. `visible`: the rounds that the reader may see, all by default."""
    return _draw(tournament, visible, lambda one: True)


def read_progress(tournament: Tournament, visible: QuerySet[Any] | None = None) -> Draw:
    """The same with no meetings but those that have stalled: all that is told while it is played, of any size."""
    return _draw(tournament, visible, lambda one: one.match is not None and one.match.status == MatchStatus.STALLED)


def _draw(tournament: Tournament, visible: QuerySet[Any] | None, is_told: Callable[[Pairing], bool]) -> Draw:
    pairings = list(
        Pairing.objects.filter(round__stage__tournament=tournament)
        .select_related("round__stage", "match")
        .defer(*DRAWN_FROM)
        .order_by("round__stage__number", "round__number", "round__id", "number")
    )
    shown = None if visible is None else set(visible.values_list("pk", flat=True))
    seen = [one for one in pairings if shown is None or one.round_id in shown]
    told = [one for one in seen if is_told(one)]
    meetings = [_meeting(one, rows) for rows in [_rows(tournament, told)] for one in told]
    valid = [one for one in seen if one.round.status != RoundStatus.WITHDRAWN]
    counted = [one for one in valid if one.status not in (PairingStatus.BYE, PairingStatus.VOID)]
    return Draw(
        hides=any(one.round.status == RoundStatus.RELEASED for one in set(pairings).difference(seen)),
        meetings=tuple(one for one in meetings if not one.is_withdrawn),
        tally=tally_of([one.match for one in valid if one.match], timezone.now()),
        done=sum(one.status == PairingStatus.DECIDED for one in counted),
        total=len(counted),
        withdrawn=tuple(one for one in meetings if one.is_withdrawn),
    )


def meetings_of_round(tournament: Tournament, round_id: int) -> tuple[Meeting, ...]:
    """One round's meetings, in order of its tables."""
    return _read(tournament, Pairing.objects.filter(round=round_id).order_by("number"))


def meetings_of_entry(tournament: Tournament, entry_id: int, visible: QuerySet[Any]) -> tuple[Meeting, ...]:
    """Where an entry sat and will sit, in the rounds that the reader may see; those taken back are left out."""
    seated = Pairing.objects.filter(seats__entry=entry_id, round__in=visible)
    standing = seated.exclude(round__status=RoundStatus.WITHDRAWN)
    return _read(tournament, standing.order_by("round__stage__number", "round__number"))


def _read(tournament: Tournament, found: QuerySet[Pairing]) -> tuple[Meeting, ...]:
    pairings = list(found.select_related("round__stage", "match").defer(*DRAWN_FROM))
    rows = _rows(tournament, pairings)
    return tuple(_meeting(one, rows) for one in pairings)


def _rows(tournament: Tournament, pairings: Sequence[Pairing]) -> _Rows:
    results, forfeited = _results_by_match(pairings)
    return _Rows(
        scheme=scheme_of(tournament),
        seats=_seats_by_pairing(pairings),
        results=results,
        forfeited=forfeited,
        tables=_tables_by_pairing(pairings),
    )


def _seats_by_pairing(pairings: Sequence[Pairing]) -> dict[int, list[_Seat]]:
    columns = (
        *("pairing_id", "seat", "side", "entry__public_id", "entry__name", "state"),
        *("feed__place", "feed__source__number"),
    )
    seats = PairingSeat.objects.filter(pairing__in=pairings).order_by("pairing", "seat")
    by_pairing: dict[int, list[_Seat]] = {}
    for pairing, seat, side, entry, name, state, place, match in seats.values_list(*columns):
        source = None if place is None else Source(place, match or 0)
        by_pairing.setdefault(pairing, []).append(_Seat(pairing, seat, side, entry or "", name or "", state, source))
    return by_pairing


def _results_by_match(pairings: Iterable[Pairing]) -> tuple[dict[int, dict[int, Decided]], set[int]]:
    """By match and side, the first seat of each; and the matches that were forfeited."""
    decided = [one.match_id for one in pairings if one.status == PairingStatus.DECIDED and one.match_id]
    columns = ("place", "outcome", "points", "card_points", "parties", "is_absent")
    seats = ResultSeat.objects.filter(result__in=decided).order_by("result", "index")
    by_match: dict[int, dict[int, Decided]] = {}
    forfeited = set()
    for match, kind, side, *told in seats.values_list("result_id", "result__kind", "side", *columns):
        by_match.setdefault(match, {}).setdefault(side, Decided(*told))
        if kind == ResultKind.FORFEIT:
            forfeited.add(match)
    return by_match, forfeited


def _tables_by_pairing(pairings: Sequence[Pairing]) -> dict[int, tuple[str, datetime]]:
    """The name of the venue's table, and from when it is taken."""
    sittings = Sitting.objects.filter(pairing__in=pairings, table__isnull=False)
    return {
        pairing: (name, during.lower)
        for pairing, name, during in sittings.values_list("pairing_id", "table__name", "during")
    }


def _meeting(pairing: Pairing, rows: _Rows) -> Meeting:
    state = _state(pairing)
    seats = rows.seats.get(pairing.pk, [])
    results = rows.results.get(pairing.match_id or 0, {})
    forfeited = pairing.match_id in rows.forfeited
    name, starts_at = rows.tables.get(pairing.pk, ("", pairing.round.starts_at))
    return Meeting(
        stage=pairing.round.stage.number,
        round_number=pairing.round.number,
        round_id=pairing.round_id,
        table=pairing.number,
        public_id=pairing.public_id,
        sides=_sides(seats, results, rows.scheme, forfeited),
        state=state,
        state_words=_state_words(pairing, state),
        reason=pairing.match.status_reason if pairing.match else "",
        match_id=pairing.match.public_id if pairing.match else "",
        group=pairing.group,
        bye=pairing.bye,
        reasons=tuple(tuple(reason) for reason in pairing.reasons),
        seats=tuple(seat.name or _source_words(seat) for seat in seats),
        sources=tuple(seat.source for seat in seats if seat.source is not None),
        place_name=name,
        starts_at=starts_at,
        is_forfeit=forfeited,
        is_withdrawn=pairing.round.status == RoundStatus.WITHDRAWN,
    )


def _state(pairing: Pairing) -> MatchStatus | str:
    """A finished match counts as being played until its pairing is decided: the standings wait for the same row."""
    if pairing.status == PairingStatus.BYE:
        return "bye"
    if pairing.match is None:
        return MatchStatus.VOID if pairing.status == PairingStatus.VOID else str(pairing.status)
    status = MatchStatus(pairing.match.status)
    if status is MatchStatus.FINISHED and pairing.status != PairingStatus.DECIDED:
        return MatchStatus.REPORTED if pairing.match.is_reported else MatchStatus.RUNNING
    return status


def _state_words(pairing: Pairing, state: MatchStatus | str) -> str:
    if isinstance(state, MatchStatus):
        return str(MATCH_STATUS[state])
    if state == "bye":
        return str(BYE[Kind(pairing.bye)]) if pairing.round.stage.format == "swiss" else _("bye")
    return _("waiting") if state == "waiting" else _("drawn")


def _sides(
    seats: Sequence[_Seat], results: Mapping[int, Decided], scheme: Scheme, is_forfeit: bool
) -> tuple[Side, ...]:
    """The sides in the order of their first seats; a bye's empty seat is none."""
    by_side: dict[int, list[_Seat]] = {}
    for seat in seats:
        if seat.state in (SeatState.FILLED, SeatState.OPEN) or seat.entry:
            by_side.setdefault(seat.side, []).append(seat)
    if not results or set(results) != set(by_side):
        return tuple(Side(_entries(own), _name(own)) for own in by_side.values())
    order = list(by_side)
    brought = _brought([results[side] for side in order], scheme, is_forfeit)
    return tuple(
        _decided_side(by_side[side], results[side], quarters, len(order), scheme)
        for side, quarters in zip(order, brought, strict=True)
    )


def _brought(sides: Sequence[Decided], scheme: Scheme, is_forfeit: bool) -> tuple[int, ...]:
    return points_of(
        Kind.FORFEIT if is_forfeit else Kind.PLAYED,
        [side.place for side in sides],
        [side.points for side in sides],
        [side.parties or 0 for side in sides],
        [number for number, side in enumerate(sides) if side.is_absent],
        scheme,
    )


def _decided_side(own: Sequence[_Seat], decided: Decided, quarters: int, sides: int, scheme: Scheme) -> Side:
    most = scheme.win if sides == 2 else PLACE_POINTS[sides][0]
    by_points = scheme.count is Count.MATCH and most > 0
    return Side(
        _entries(own),
        _name(own),
        place=decided.place,
        mark=points_words(quarters),
        level=round(quarters * FULL_LEVEL / most) if by_points else BY_OUTCOME[decided.outcome],
        outcome=decided.outcome,
        points=decided.points,
        parties=decided.parties,
        is_absent=decided.is_absent,
    )


def _entries(own: Sequence[_Seat]) -> tuple[tuple[str, str], ...]:
    return tuple((seat.entry, seat.name) for seat in own if seat.entry)


def _name(own: Sequence[_Seat]) -> str:
    return " & ".join(seat.name or _source_words(seat) for seat in own)


def _source_words(seat: _Seat) -> str:
    """From where an open seat is filled; a seat of a bye is nobody's."""
    if seat.state != SeatState.OPEN or seat.source is None:
        return _("nobody") if seat.state in (SeatState.BYE, SeatState.VOID) else _("to be decided")
    if not seat.source.match:
        return _("seed %(number)s") % {"number": seat.source.place}
    who = _("Winner of match %(match)s") if seat.source.place == 1 else _("Loser of match %(match)s")
    return who % {"match": seat.source.match}
