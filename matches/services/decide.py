"""From a confirmed version to the result, under the match's lock: written once, and anew when it is corrected."""

from __future__ import annotations

from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from matches.core.agreement import outcome_of
from matches.core.lifecycle import MatchStatus, PartyStatus
from matches.models import Match, OutboxKind, Result, ResultKind, ScoreReport
from matches.services.finish import write_seats
from matches.services.outbox import post


def decide(match: Match, confirmed: ScoreReport) -> None:
    """Makes a confirmed version the result of its match, and tells the other rooms.

    A lane that plays the match loses its lease, and what it has not played is void. To be called under the match's
    lock, in the transaction that confirms the version.
    """
    is_correction = match.status == MatchStatus.FINISHED
    _write_result(match, confirmed)
    if not is_correction:
        _finish(match)
    post(OutboxKind.RESULT_CORRECTED if is_correction else OutboxKind.MATCH_FINISHED, match)


def _write_result(match: Match, confirmed: ScoreReport) -> None:
    result, _ = Result.objects.update_or_create(
        match=match,
        defaults={
            "report": confirmed,
            "kind": ResultKind.FORFEIT if confirmed.absent else ResultKind.PLAYED,
            "forfeited_parties": 0,
            "recorded_at": timezone.now(),
        },
    )
    result.seats.all().delete()
    write_seats(result, match.seats.all(), outcome_of(confirmed.score, match.unit), confirmed.absent)


def _finish(match: Match) -> None:
    match.parties.filter(status__in=[PartyStatus.WAITING, PartyStatus.PLAYING]).update(
        status=PartyStatus.VOID, finished_at=Now()
    )
    match.status, match.finished_at = MatchStatus.FINISHED, timezone.now()
    Match.objects.filter(pk=match.pk).update(
        status=match.status,
        finished_at=match.finished_at,
        status_reason="",
        lease_until=None,
        lease_owner="",
        fence=F("fence") + 1,
    )
