"""The secret that a version's messages are signed with: shown, changed, and for a while two at once."""

from __future__ import annotations

import secrets
from base64 import b64encode
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from bots_api.models import BotVersion, MessageCounter
from bots_api.services.registering import SECRET_BYTES

ROTATION_HOURS = 24


class SecretRefused(Exception):
    """A secret that cannot be changed now; the text says why."""

    code = "rotation_running"


def shown_secret(version: BotVersion) -> str:
    """The signing secret in the form of Standard Webhooks, for its owner's eyes."""
    return "whsec_" + b64encode(bytes(version.secret)).decode()


@transaction.atomic
def rotate_secret(version: BotVersion, hours: int = ROTATION_HOURS) -> str:
    """Gives a version a new secret and returns it as it is shown; for so long messages are signed with the old one too.

    Raises SecretRefused while an earlier rotation is not over: a third secret would leave the program with none that
    is still signed with. Locks the version.
    """
    held = BotVersion.objects.select_for_update().get(pk=version.pk)
    now = datetime.now(UTC)
    if held.old_secret_until is not None and held.old_secret_until > now:
        raise SecretRefused(f"The secret before this one is good until {held.old_secret_until:%Y-%m-%d %H:%M} UTC.")
    held.secret, held.old_secret = secrets.token_bytes(SECRET_BYTES), held.secret
    held.old_secret_until = now + timedelta(hours=hours)
    _keep(held)
    version.refresh_from_db(fields=["secret", "old_secret", "old_secret_until"])
    return shown_secret(version)


@transaction.atomic
def end_rotation(version: BotVersion) -> None:
    """Signs with the new secret alone from now on. Locks the version."""
    held = BotVersion.objects.select_for_update().get(pk=version.pk)
    if held.old_secret is not None:
        held.old_secret = held.old_secret_until = None
        _keep(held)
    version.old_secret = version.old_secret_until = None


def forget_old_secrets() -> int:
    """Deletes the secrets whose time is over, with which nothing is signed any more; returns how many there were."""
    over = BotVersion.objects.filter(old_secret_until__lt=Now())
    return over.update(old_secret=None, old_secret_until=None)


def _keep(version: BotVersion) -> None:
    """Saves the secrets, and lets every lane know with the next number that it draws."""
    version.save(update_fields=["secret", "old_secret", "old_secret_until"])
    MessageCounter.objects.filter(agent=version.agent_id).update(key_changes=F("key_changes") + 1)
