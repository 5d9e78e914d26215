"""Telling the other rooms, at least once each."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.module_loading import import_string

from matches.models import Match, Outbox, OutboxKind
from matches.services.wake import wake_outbox_on_commit

logger = logging.getLogger(__name__)
LONGEST_PAUSE = timedelta(minutes=5)


def post(kind: OutboxKind, *matches: Match) -> None:
    """Owes every consumer the news of each match; to be called inside the transaction that made it true."""
    Outbox.objects.bulk_create(
        Outbox(kind=kind, match=match, consumer=name) for match in matches for name in settings.OUTBOX_CONSUMERS
    )
    wake_outbox_on_commit()


def deliver_due(limit: int = 100) -> int:
    """Delivers what is owed and due, oldest first; returns how many were delivered."""
    delivered = 0
    for _ in range(limit):
        outcome = _deliver_next()
        if outcome is None:
            break
        delivered += outcome
    return delivered


def _deliver_next() -> int | None:
    """One delivery in one transaction with its consequences: 1 delivered, 0 failed, None if nothing is due."""
    with transaction.atomic():
        owed = (
            Outbox.objects.select_for_update(skip_locked=True, of=["self"])
            .select_related("match")
            .filter(delivered_at=None, next_try_at__lte=Now())
            .order_by("id")
            .first()
        )
        if owed is None:
            return None
        try:
            with transaction.atomic():
                _consumer(owed.consumer)(OutboxKind(owed.kind), owed.match)
        except Exception as error:  # the worker's outermost loop: one bad row must not stop the others
            if not connection.is_usable():
                raise
            _put_off(owed, error)
            return 0
        owed.delivered_at = timezone.now()
        owed.save(update_fields=["delivered_at"])
        return 1


def _consumer(name: str) -> Callable[[OutboxKind, Match], None]:
    return import_string(settings.OUTBOX_CONSUMERS[name])


def _put_off(owed: Outbox, error: Exception) -> None:
    logger.exception("Delivery %s of match %s failed", owed.pk, owed.match.public_id)
    owed.attempts += 1
    owed.last_error = f"{type(error).__name__}: {error}"[:500]
    owed.next_try_at = timezone.now() + min(timedelta(seconds=2**owed.attempts), LONGEST_PAUSE)
    owed.save(update_fields=["attempts", "last_error", "next_try_at"])
