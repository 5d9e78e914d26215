"""Celery tasks: they carry nothing and may run twice."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from bots_api.delivery_log import forget_older_than
from bots_api.health import probe_due
from bots_api.pull import forgetting, presence
from bots_api.services import signing


@shared_task
def forget_old_deliveries() -> None:
    """Keeps the delivery log at the length that the operator wants."""
    forget_older_than(settings.DELIVERY_LOG_DAYS)


@shared_task
def find_who_is_ready() -> None:
    """Notes which versions take new matches."""
    presence.find_who_is_ready()


@shared_task
def forget_old_mail() -> None:
    """Keeps the mailbox of programs that call us to what somebody may still ask for."""
    forgetting.forget_old_mail()


@shared_task
def probe_programs() -> None:
    """Pings versions that nobody has spoken to for a while."""
    probe_due()


@shared_task
def forget_old_secrets() -> None:
    """Deletes signing secrets whose rotation is over."""
    signing.forget_old_secrets()
