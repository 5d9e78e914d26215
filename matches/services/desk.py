"""What an organiser does to matches by hand: hold, release, void, take up again."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Case, F, Value, When

from matches.core.lifecycle import MatchStatus, sources_of
from matches.models import Match, OutboxKind
from matches.services.outbox import post
from matches.services.wake import wake_lanes_on_commit


class IllegalMove(Exception):
    """A match is not in a state from which it could go where it was sent."""

    code = "illegal_move"


def hold_matches(matches: Iterable[int]) -> int:
    """Stops matches that have not begun; those being played go on to their end. Returns how many were stopped.

    What people have reported of is being played: it goes on, and so does the confirming.
    """
    begun_by_nobody = Match.objects.filter(pk__in=list(matches), status__in=sources_of(MatchStatus.HELD))
    return begun_by_nobody.update(status=MatchStatus.HELD)


def release_matches(matches: Iterable[int]) -> int:
    """Lets held matches be played, or reported where people play them; returns how many."""
    goes_to = Case(When(is_reported=True, then=Value(MatchStatus.AWAITED)), default=Value(MatchStatus.READY))
    with transaction.atomic():
        released = Match.objects.filter(pk__in=list(matches), status=MatchStatus.HELD).update(status=goes_to)
        wake_lanes_on_commit()
    return released


@transaction.atomic
def void_match(match_id: int, reason: str) -> Match:
    """Annuls a match for good, whatever its state; a lane that plays it loses its lease. Raises IllegalMove."""
    if not void_matches([match_id], reason):
        match = Match.objects.get(pk=match_id)
        raise IllegalMove(f"{match} is {match.status} already.")
    return Match.objects.get(pk=match_id)


@transaction.atomic
def void_matches(match_ids: Iterable[int], reason: str) -> int:
    """Annuls many matches in a few statements, so that nobody waits long for their rows; returns how many."""
    locked = Match.objects.select_for_update().filter(pk__in=list(match_ids), status__in=sources_of(MatchStatus.VOID))
    matches = list(locked.order_by("pk"))
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(
        status=MatchStatus.VOID,
        status_reason=reason[:200],
        lease_until=None,
        lease_owner="",
        fence=F("fence") + 1,
    )
    post(OutboxKind.MATCH_VOIDED, *matches)
    return len(matches)


@transaction.atomic
def resume_match(match_id: int) -> Match:
    """Gives a stalled match back to the workers, at the card where it stopped. Raises IllegalMove."""
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.status != MatchStatus.STALLED:
        raise IllegalMove(f"{match} is {match.status}; only a stalled match can be taken up again.")
    match.status, match.status_reason, match.attempts = MatchStatus.RUNNING, "", 0
    match.lease_until = match.started_at
    match.save(update_fields=["status", "status_reason", "attempts", "lease_until"])
    wake_lanes_on_commit()
    return match
