"""Where a version is called and with which key, read once per lane."""

from __future__ import annotations

from dataclasses import dataclass

from standardwebhooks import Webhook

from bots_api.models import BotVersion


@dataclass(frozen=True, slots=True)
class Endpoint:
    agent_id: int
    url: str
    signer: Webhook


def endpoint_of(agent_id: int) -> Endpoint:
    version = BotVersion.objects.get(agent=agent_id)
    return Endpoint(agent_id, version.url, Webhook(bytes(version.secret)))
