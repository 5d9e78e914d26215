"""Celery tasks: they carry nothing and may run twice."""

from __future__ import annotations

from celery import shared_task

from tournaments.services import results


@shared_task
def sweep() -> None:
    """Settles tournaments that missed the news of their matches."""
    results.sweep()
