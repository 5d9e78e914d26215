"""Celery tasks: they carry nothing and may run twice."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from bots_api.challenges import services as challenges
from bots_api.delivery_log import forget_older_than
from bots_api.health import probe_due
from bots_api.pull import forgetting, presence
from bots_api.qualifying import services as qualifying
from bots_api.services import signing
from bots_api.webhooks import services as webhooks


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
def expire_challenges() -> None:
    """Ends challenges that nobody has accepted in time."""
    challenges.expire_due()


@shared_task
def deliver_webhooks() -> None:
    """Sends other people's sites what they are owed, for a bounded time."""
    webhooks.deliver_due()


@shared_task
def forget_old_webhook_deliveries() -> None:
    """Keeps the logs of webhooks to what somebody may still ask for."""
    webhooks.forget_old()


@shared_task
def probe_programs() -> None:
    """Pings versions that nobody has spoken to for a while."""
    probe_due()


@shared_task
def forget_old_secrets() -> None:
    """Deletes signing secrets whose rotation is over."""
    signing.forget_old_secrets()


@shared_task
def qualify() -> None:
    """Examines the versions that wait to be let play, for a bounded time."""
    qualifying.run_waiting()
