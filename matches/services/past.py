"""Matches that were played elsewhere and are told about here: seats and a result, no cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from matches.core.lifecycle import MatchStatus
from matches.core.plan import MatchPlan
from matches.models import Match, Result, ResultSeat
from matches.services.create import create_match


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
def past_match(plan: MatchPlan, past: Past) -> Match:
    """Writes a match that is over, with its result; nobody is told, since nothing has happened here.

    Raises ValueError unless it is over, persons sit at its seats, and the result tells of each of them.
    """
    if past.status not in (MatchStatus.FINISHED, MatchStatus.VOID):
        raise ValueError(f"A match that is {past.status} is not over.")
    match = create_match(plan, held=True)
    if not match.is_reported:
        raise ValueError("A past match is one of persons: programs play theirs here.")
    Match.objects.filter(pk=match.pk).update(
        status=past.status, status_reason=past.reason, started_at=past.started_at, finished_at=past.finished_at
    )
    if past.seats:
        _write_result(match, past)
    match.refresh_from_db()
    return match


def _write_result(match: Match, past: Past) -> None:
    result = Result.objects.create(match=match, kind=past.kind, forfeited_parties=past.forfeited_parties)
    agents = dict(match.seats.values_list("index", "agent_id"))
    if sorted(seat.index for seat in past.seats) != sorted(agents):
        raise ValueError(f"a result tells of each of the {len(agents)} seats once, here it is {len(past.seats)}.")
    ResultSeat.objects.bulk_create(_seats(result, agents, past.seats))


def _seats(result: Result, agents: dict[int, int], seats: Sequence[PastSeat]) -> list[ResultSeat]:
    return [
        ResultSeat(
            result=result,
            index=seat.index,
            side=seat.side,
            agent_id=agents[seat.index],
            points=seat.points,
            card_points=seat.card_points,
            parties=seat.parties,
            place=seat.place,
            outcome=seat.outcome,
            is_absent=seat.is_absent,
        )
        for seat in seats
    ]
