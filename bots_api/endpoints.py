"""Where a version is called and with which key, read once per lane; and how a message to it is signed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from standardwebhooks import Webhook

from bots_api.models import BotVersion


@dataclass(frozen=True, slots=True)
class Endpoint:
    agent_id: int
    url: str
    signer: Webhook = field(repr=False)

    def signed(self, message_id: str, body: bytes) -> dict[str, str]:
        """The headers of Standard Webhooks; the timestamp is that of this attempt."""
        now = datetime.now(UTC)
        return {
            "webhook-id": message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self.signer.sign(message_id, now, body.decode()),
        }


def endpoint_of(agent_id: int) -> Endpoint:
    version = BotVersion.objects.get(agent=agent_id)
    return Endpoint(agent_id, version.url, Webhook(bytes(version.secret)))
