"""Leases: who may play a match now. The fence rises with every claim; whoever holds an old one writes nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, Window
from django.db.models.functions import Coalesce, Now, RowNumber

from matches.core.lifecycle import MatchStatus
from matches.core.plan import AFTER_ALL
from matches.models import Match, OutboxKind, PartyEvent
from matches.models.match import MatchQuerySet
from matches.services.outbox import post

# Lanes that look at the same moment each pass over what the others lock.
LOOK_AHEAD = 4


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one match's events, until the lease runs out or someone claims it with a higher fence.

    `is_suspect`: nothing has been played under the last lease, so that this match may be what ended its lane.
    `house_thinks`: a house program at it computes for long.
    """

    match_id: int
    fence: int
    is_suspect: bool = field(default=False, compare=False)
    house_thinks: bool = field(default=False, compare=False)


def _lease_end() -> object:
    return Now() + timedelta(seconds=settings.MATCH_LEASE_SECONDS)


@transaction.atomic
def claim_due(owner: str, limit: int, *, suspects: bool = True, house_thinks: bool | None = None) -> tuple[Lease, ...]:
    """Takes up to `limit` due matches, in turn from each group, most urgent first.

    A suspect is taken alone, or not at all without `suspects`: a match that kills whoever plays it must not be
    counted against its neighbours. `house_thinks`: only matches in which house programs compute for long, or only the
    others. A match that has not begun waits for programs that are not ready, until MATCH_PATIENCE_SECONDS after it was
    due. Locks the rows; rows locked by others are passed over.
    """
    turns = in_turn(limit * LOOK_AHEAD, {} if house_thinks is None else {"house_thinks": house_thinks})
    locked = claimable().filter(pk__in=turns).select_for_update(skip_locked=True)
    due = sorted(locked, key=lambda match: turns.index(match.pk))
    events = _events_of(due)
    suspected = [match for match in due if _is_suspect(match, events.get(match.pk, 0))]
    if suspected and suspects:
        chosen = suspected[:1]
    else:
        chosen = [match for match in due if match not in suspected][:limit]
    return tuple(
        lease for match in chosen if (lease := _take(match, owner, events.get(match.pk, 0), match in suspected))
    )


def claimable() -> MatchQuerySet:
    """The matches that a lane finds to play just now."""
    return Match.objects.claimable(Now(), timedelta(seconds=settings.MATCH_PATIENCE_SECONDS))


def in_turn(most: int, only: Mapping[str, bool]) -> list[int]:
    """Due matches, the first of every group before the second of any; a match let go stands behind new ones.

    Those that are to be played after all others stand behind all of them, begun or not.
    """
    turn = Window(RowNumber(), partition_by=F("group"), order_by=["priority", "fence", "id"])
    last = ExpressionWrapper(Q(priority__gte=AFTER_ALL), BooleanField())
    due = claimable().filter(**only).annotate(turn=turn, last=last).order_by("last", "turn", "priority", "id")
    return list(due.values_list("pk", flat=True)[:most])


def _is_suspect(match: Match, events: int) -> bool:
    return bool(match.attempts) and events == match.events_at_claim


def _events_of(matches: list[Match]) -> dict[int, int]:
    counted = PartyEvent.objects.filter(party__match__in=matches).values_list("party__match_id")
    return dict(counted.annotate(events=Count("id")).order_by())


def _take(match: Match, owner: str, events: int, is_suspect: bool) -> Lease | None:
    attempts = match.attempts + 1 if is_suspect else 1
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
    return Lease(match.pk, match.fence + 1, is_suspect, match.house_thinks)


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
