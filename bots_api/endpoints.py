"""Where a version is called and with which keys; and how a message to it is signed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime

from standardwebhooks import Webhook

from bots_api.models import BotVersion


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`old_signer` signs too until `old_until`: a rotation of secrets, protocol §5."""

    agent_id: int
    url: str
    signer: Webhook = field(repr=False)
    old_signer: Webhook | None = field(default=None, repr=False)
    old_until: datetime | None = None
    key_changes: int = 0

    def signed(self, message_id: str, body: bytes) -> dict[str, str]:
        """The headers of Standard Webhooks; the timestamp is that of this attempt."""
        now, text = datetime.now(UTC), body.decode()
        signatures = [signer.sign(message_id, now, text) for signer in self._signers(now)]
        return {
            "webhook-id": message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(signatures),
        }

    def _signers(self, now: datetime) -> tuple[Webhook, ...]:
        if self.old_signer is None or self.old_until is None or now >= self.old_until:
            return (self.signer,)
        return (self.signer, self.old_signer)


def endpoint_of(agent_id: int) -> Endpoint:
    return endpoints_of([agent_id])[agent_id]


def endpoints_of(agent_ids: Collection[int]) -> dict[int, Endpoint]:
    """By the version's agent; in one query, however many they are."""
    versions = BotVersion.objects.filter(agent__in=agent_ids).select_related("agent__message_counter")
    return {version.agent_id: _endpoint(version) for version in versions}


def _endpoint(version: BotVersion) -> Endpoint:
    return Endpoint(
        agent_id=version.agent_id,
        url=version.url,
        signer=Webhook(bytes(version.secret)),
        old_signer=None if version.old_secret is None else Webhook(bytes(version.old_secret)),
        old_until=version.old_secret_until,
        key_changes=version.agent.message_counter.key_changes,
    )


class Endpoints:
    """Those that one lane calls: read once, and again when a version's secrets were changed."""

    def __init__(self, run: Callable[..., Awaitable[Endpoint]]) -> None:
        self._run = run
        self._known: dict[int, Endpoint] = {}

    async def of(self, agent_id: int, key_changes: int) -> Endpoint:
        """With the secrets as they were after so many changes, or newer ones."""
        known = self._known.get(agent_id)
        if known is None or known.key_changes < key_changes:
            known = await self.read(agent_id)
        return known

    async def read(self, agent_id: int) -> Endpoint:
        """As it is now."""
        read = self._known[agent_id] = await self._run(endpoint_of, agent_id)
        return read

    def known(self, agent_id: int) -> Endpoint | None:
        return self._known.get(agent_id)
