"""Celery tasks: they carry nothing, may run twice, and mean only «look now»."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from matches.api import idempotency
from matches.lane import drive
from matches.services import outbox, wake
from matches.services.claim import claimable


@shared_task
def drive_lane() -> None:
    """Plays due matches for a bounded time; what is left is for the next lane."""
    drive(settings.MATCH_SLOTS, settings.MATCH_LANE_SECONDS)
    wake_lanes()


@shared_task
def wake_lanes() -> None:
    """The reconciler: if any match is due, lanes are asked to look."""
    if claimable().exists():
        wake.wake_lanes()


@shared_task
def deliver_outbox() -> None:
    """Delivers news that other rooms are owed."""
    outbox.deliver_due()


@shared_task
def forget_old_answers() -> None:
    """Answers to requests that might have been sent twice, once nobody sends those any more."""
    idempotency.forget_old_answers()
