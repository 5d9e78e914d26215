"""Matches that were played elsewhere and are told about here: seats and a result, no cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction

from matches.core.lifecycle import OVER, MatchStatus
from matches.core.plan import MatchPlan
from matches.models import Match, MatchSeat, Result, ResultSeat
from matches.services.create import create_matches

_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class PastSeat:
    """What a seat of a past match brought home: the columns of `ResultSeat`."""

    index: int
    side: int
    points: int
    card_points: int
    parties: int | None
    place: int
    outcome: str
    is_absent: bool


@dataclass(frozen=True, slots=True)
class Past:
    """How a match ended: finished, or void whether or not it had been decided before. `seats`: empty without result."""

    status: MatchStatus
    reason: str
    started_at: datetime | None
    finished_at: datetime | None
    kind: str = "played"
    forfeited_parties: int = 0
    seats: tuple[PastSeat, ...] = ()


@transaction.atomic
def past_matches(plans: Sequence[MatchPlan], told: Sequence[Past]) -> list[Match]:
    """Writes matches that are over, with their results, in a few statements; nobody is told, since nothing has happened
    here.

    Raises ValueError unless each is over, persons sit at its seats, and its result tells of each of them.
    """
    for past in told:
        _check(past)
    matches = create_matches(plans, held=True)
    if not all(match.is_reported for match in matches):
        raise ValueError("A past match is one of persons: programs play theirs here.")
    for match, past in zip(matches, told, strict=True):
        match.status, match.status_reason = past.status, past.reason
        match.started_at, match.finished_at = past.started_at, past.finished_at
    ended = ["status", "status_reason", "started_at", "finished_at"]
    Match.objects.bulk_update(matches, ended, batch_size=_BATCH)
    _write_results([(match, past) for match, past in zip(matches, told, strict=True) if past.seats])
    return matches


def _check(past: Past) -> None:
    if past.status not in OVER:
        raise ValueError(f"A match that is {past.status} is not over.")
    if past.status == MatchStatus.FINISHED and not past.seats:
        raise ValueError("A match that is finished has a result.")
    for seat in past.seats:
        partner = next(one for one in past.seats if one.side == seat.side)
        if _of_side(partner) != _of_side(seat):
            raise ValueError(f"side {seat.side} has two results: partners have the same.")


def _of_side(seat: PastSeat) -> Mapping[str, object]:
    return {name: value for name, value in asdict(seat).items() if name != "index"}


def _write_results(told: Sequence[tuple[Match, Past]]) -> None:
    seats: dict[int, dict[int, MatchSeat]] = {match.pk: {} for match, _ in told}
    for seat in MatchSeat.objects.filter(match__in=seats):
        seats[seat.match_id][seat.index] = seat
    for match, past in told:
        _check_seats(past, seats[match.pk])
    results = Result.objects.bulk_create(
        [Result(match=match, kind=past.kind, forfeited_parties=past.forfeited_parties) for match, past in told],
        batch_size=_BATCH,
    )
    ResultSeat.objects.bulk_create(
        [
            ResultSeat(result=result, agent_id=seats[match.pk][seat.index].agent_id, **asdict(seat))
            for result, (match, past) in zip(results, told, strict=True)
            for seat in past.seats
        ],
        batch_size=_BATCH,
    )


def _check_seats(past: Past, seats: Mapping[int, MatchSeat]) -> None:
    if sorted(seat.index for seat in past.seats) != sorted(seats):
        raise ValueError(f"a result tells of each of the {len(seats)} seats once, here it is {len(past.seats)}.")
    for seat in past.seats:
        if seat.side != seats[seat.index].side:
            raise ValueError(f"seat {seat.index} is of side {seats[seat.index].side} here, not {seat.side}.")
