"""Hints to the workers. They may be lost: the beat looks for due work by itself."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def send_hint(send: Callable[[], object]) -> bool:
    """Sends a Celery message and shrugs if the broker is away; says whether it went out."""
    try:
        send()
    except (OperationalError, OSError) as error:
        logger.warning("The broker is away (%s); the beat will find the work.", error)
        return False
    return True


def wake_lanes() -> None:
    """One hint per lane; a lane that finds nothing due ends at once."""
    from matches.tasks import drive_lane

    for _ in range(settings.MATCH_LANES):
        if not send_hint(lambda: drive_lane.apply_async(expires=10, retry=False)):
            return


def wake_outbox() -> None:
    from matches.tasks import deliver_outbox

    send_hint(lambda: deliver_outbox.apply_async(expires=10, retry=False))


def wake_lanes_on_commit() -> None:
    once_on_commit(wake_lanes)


def wake_outbox_on_commit() -> None:
    once_on_commit(wake_outbox)


def once_on_commit(hint: Callable[[], None]) -> None:
    """Hints once per transaction, however much it drew or ended."""
    if hint not in [entry[1] for entry in transaction.get_connection().run_on_commit]:
        transaction.on_commit(hint)
