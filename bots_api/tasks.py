"""Celery tasks: they carry nothing and may run twice."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from bots_api.delivery_log import forget_older_than


@shared_task
def forget_old_deliveries() -> None:
    """Keeps the delivery log at the length that the operator wants."""
    forget_older_than(settings.DELIVERY_LOG_DAYS)
