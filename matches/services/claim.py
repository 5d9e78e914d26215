"""Leases: who may play a match now. The fence rises with every claim; whoever holds an old one writes nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F
from django.db.models.functions import Coalesce, Now

from matches.core.lifecycle import MatchStatus
from matches.models import Match, OutboxKind, PartyEvent
from matches.services.outbox import post


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one match's events, until the lease runs out or someone claims it with a higher fence."""

    match_id: int
    fence: int


def _lease_end() -> object:
    return Now() + timedelta(seconds=settings.MATCH_LEASE_SECONDS)


@transaction.atomic
def claim_due(owner: str, limit: int) -> tuple[Lease, ...]:
    """Takes up to `limit` due matches, most urgent first. Locks the rows; rows locked by others are passed over."""
    matches = list(Match.objects.due(Now()).select_for_update(skip_locked=True).order_by("priority", "id")[:limit])
    events = _events_of(matches)
    return tuple(lease for match in matches if (lease := _take(match, owner, events.get(match.pk, 0))))


def _events_of(matches: list[Match]) -> dict[int, int]:
    counted = PartyEvent.objects.filter(party__match__in=matches).values_list("party__match_id")
    return dict(counted.annotate(events=Count("id")).order_by())


def _take(match: Match, owner: str, events: int) -> Lease | None:
    attempts = match.attempts + 1 if events == match.events_at_claim else 1
    if attempts > settings.MATCH_ATTEMPTS:
        stall(match, f"claimed {match.attempts} times without a card played")
        return None
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.RUNNING,
        status_reason="",
        lease_owner=owner,
        lease_until=_lease_end(),
        fence=F("fence") + 1,
        attempts=attempts,
        events_at_claim=events,
        started_at=Coalesce("started_at", Now()),
    )
    return Lease(match.pk, match.fence + 1)


def stall(match: Match, reason: str) -> None:
    """Sets a running match aside until an organiser looks; nobody's lease holds any more. Under the match's lock."""
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.STALLED,
        status_reason=reason,
        lease_until=None,
        lease_owner="",
        fence=F("fence") + 1,
    )
    post(OutboxKind.MATCH_STALLED, match)


def renew(owner: str, leases: Collection[Lease]) -> frozenset[int]:
    """Prolongs the leases that are still ours; returns the matches that are."""
    fences = {lease.match_id: lease.fence for lease in leases}
    with transaction.atomic():
        ours = [
            match
            for match in Match.objects.select_for_update()
            .filter(pk__in=fences, lease_owner=owner, status=MatchStatus.RUNNING)
            .order_by("pk")
            .only("pk", "fence")
            if match.fence == fences[match.pk]
        ]
        Match.objects.filter(pk__in=[match.pk for match in ours]).update(lease_until=_lease_end())
    return frozenset(match.pk for match in ours)


def let_go(lease: Lease, *, progress: bool = True) -> None:
    """Gives a match back for the next lane to take at once; without progress the claim goes on counting."""
    held = Match.objects.filter(pk=lease.match_id, fence=lease.fence, status=MatchStatus.RUNNING)
    held.update(lease_until=Now(), lease_owner="", **({"attempts": 0} if progress else {}))
