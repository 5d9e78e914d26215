"""Signed messages to programs from outside a lane: a ping, one sent again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bots_api import wire
from bots_api.endpoints import Endpoint
from bots_api.models import Delivery
from bots_api.transport import GONE, CallFailed, HttpReply, Transport, open_transport
from matches.lag import LagMeter
from matches.models import AgentStatus
from matches.services.versions import set_status


@dataclass(frozen=True, slots=True)
class Call:
    endpoint: Endpoint
    message_id: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Called:
    """What came of a call: a reply, or the failure in its place."""

    call: Call
    came: HttpReply | CallFailed
    sent_at: datetime

    def written_to(self, delivery: Delivery) -> HttpReply | None:
        """Puts what came into a line of the log; returns the reply, if there is one to be judged."""
        delivery.agent_id, delivery.message_id = self.call.endpoint.agent_id, self.call.message_id
        delivery.request, delivery.sent_at = self.call.body.decode(), self.sent_at
        delivery.elapsed_ms = self.came.elapsed_ms
        if isinstance(self.came, CallFailed):
            delivery.outcome, delivery.detail = self.came.code, self.came.detail[:300]
            delivery.reply = wire.excerpt(self.came.received)
            return None
        delivery.status, delivery.reply = self.came.status, wire.excerpt(self.came.body)
        return self.came


def call_all(calls: Sequence[Call], deadline_ms: int) -> list[Called]:
    """All of them at once; in their order. Not to be called with a transaction open: it takes up to the deadline."""
    return asyncio.run(all_called(calls, deadline_ms))


async def all_called(calls: Sequence[Call], deadline_ms: int) -> list[Called]:
    """What came of each, in their order; our own delays are nobody's."""
    async with open_transport(LagMeter()) as transport:
        return await asyncio.gather(*(_call(transport, call, deadline_ms) for call in calls))


async def _call(transport: Transport, call: Call, deadline_ms: int) -> Called:
    sent_at = datetime.now(UTC)
    headers = call.endpoint.signed(call.message_id, call.body)
    try:
        return Called(call, await transport.post(call.endpoint.url, call.body, headers, deadline_ms), sent_at)
    except CallFailed as failure:
        return Called(call, failure, sent_at)


def retire_if_gone(delivery: Delivery) -> None:
    if delivery.status == GONE:
        retire_gone(delivery.agent_id)


def retire_gone(agent_id: int) -> None:
    """A version that has answered 410."""
    set_status(agent_id, AgentStatus.RETIRED, "answered 410 Gone")
