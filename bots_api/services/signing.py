"""The secret that a version's messages are signed with."""

from __future__ import annotations

from base64 import b64encode

from bots_api.models import BotVersion


def shown_secret(version: BotVersion) -> str:
    """The signing secret in the form of Standard Webhooks, for its owner's eyes."""
    return "whsec_" + b64encode(bytes(version.secret)).decode()
