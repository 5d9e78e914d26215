"""Whether a program is there and reads us: a challenge that it echoes."""

from __future__ import annotations

import asyncio
import secrets
from datetime import UTC, datetime

from django.conf import settings

from bots_api import wire
from bots_api.endpoints import Endpoint, endpoint_of
from bots_api.models import BotVersion, Delivery, MessageType
from bots_api.sequence import advance
from bots_api.transport import CallFailed, HttpReply, Transport
from bots_api.wire import ReplyError
from matches.lag import LagMeter
from matches.models import AgentStatus
from matches.public_ids import new_id
from matches.services.versions import set_status

PING_DEADLINE_MS = 5_000


def ping(version: BotVersion) -> Delivery:
    """Sends a challenge; a version that echoes it becomes active. The delivery says what went wrong otherwise."""
    endpoint = endpoint_of(version.agent_id)
    challenge = secrets.token_urlsafe(24)
    seq = advance({version.agent_id: 1})[version.agent_id]
    message_id = new_id("msg_")
    body = wire.encode({**wire.ping(challenge), "seq": seq})
    delivery = Delivery(
        agent_id=version.agent_id,
        message=MessageType.PING,
        seq=seq,
        message_id=message_id,
        request=body.decode(),
        sent_at=datetime.now(UTC),
    )
    try:
        reply = asyncio.run(_post(endpoint, message_id, body))
    except CallFailed as failure:
        delivery.outcome, delivery.detail, delivery.elapsed_ms = failure.code, failure.detail[:300], failure.elapsed_ms
    else:
        delivery.status, delivery.elapsed_ms = reply.status, reply.elapsed_ms
        delivery.reply = wire.excerpt(reply.body)
        delivery.outcome, delivery.detail = _judged(reply, challenge)
    delivery.save()
    if delivery.outcome == "ok":
        set_status(version.agent_id, AgentStatus.ACTIVE)
    return delivery


async def _post(endpoint: Endpoint, message_id: str, body: bytes) -> HttpReply:
    transport = Transport(LagMeter(), allow_loopback=settings.PUSH_ALLOW_LOOPBACK, allow_http=settings.PUSH_ALLOW_HTTP)
    async with transport:
        return await transport.post(endpoint.url, body, endpoint.signed(message_id, body), PING_DEADLINE_MS)


def _judged(reply: HttpReply, challenge: str) -> tuple[str, str]:
    """Outcome and detail of a ping's reply."""
    if reply.status != 200:
        return "http_error", f"Answered {reply.status}; expected 200 and the challenge."
    try:
        echoed = wire.read_challenge(reply.body)
    except ReplyError as error:
        return error.code, error.detail
    if echoed != challenge:
        return "malformed", "The challenge that came back is another one."
    return "ok", ""
