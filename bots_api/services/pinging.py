"""Whether a program is there and reads us: a challenge that it echoes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from bots_api import wire
from bots_api.endpoints import endpoints_of
from bots_api.models import BotVersion, Delivery, MessageType
from bots_api.sequence import advance
from bots_api.services.calling import Call, Called, call_all, retire_if_gone
from bots_api.transport import HttpReply
from bots_api.wire import ReplyError
from matches.public_ids import new_id

PING_DEADLINE_MS = 5_000


def ping(version: BotVersion) -> Delivery:
    """Sends a challenge; the delivery's outcome is `ok` if it came back. A version that answers 410 is retired."""
    (delivery,) = ping_all([version.agent_id])
    if delivery.pk is None:
        delivery.save()
    return delivery


def ping_all(agent_ids: Sequence[int]) -> list[Delivery]:
    """Pings these pushed versions at once; what came, in their order. Only what went wrong is kept in the log."""
    numbers = advance(dict.fromkeys(agent_ids, 1))
    challenges = [secrets.token_urlsafe(24) for _ in agent_ids]
    endpoints = endpoints_of(agent_ids)
    calls = [
        Call(
            endpoints[agent_id],
            new_id("msg_"),
            wire.encode({**wire.ping(challenge), "seq": numbers[agent_id]}),
        )
        for agent_id, challenge in zip(agent_ids, challenges, strict=True)
    ]
    came = call_all(calls, PING_DEADLINE_MS)
    deliveries = [
        _delivery(called, challenge, numbers[called.call.endpoint.agent_id])
        for called, challenge in zip(came, challenges, strict=True)
    ]
    Delivery.objects.bulk_create([delivery for delivery in deliveries if delivery.outcome != "ok"])
    for delivery in deliveries:
        retire_if_gone(delivery)
    return deliveries


def _delivery(called: Called, challenge: str, seq: int) -> Delivery:
    delivery = Delivery(message=MessageType.PING, seq=seq)
    reply = called.written_to(delivery)
    if reply is not None:
        delivery.outcome, delivery.detail = judged(reply, challenge)
    return delivery


def judged(reply: HttpReply, challenge: str) -> tuple[str, str]:
    """Outcome and detail of the reply to a ping."""
    if reply.status != 200:
        return "http_error", f"Answered {reply.status}; expected 200 and the challenge."
    try:
        wire.check_echo(reply.body, challenge)
    except ReplyError as error:
        return error.code, error.detail
    return "ok", ""
