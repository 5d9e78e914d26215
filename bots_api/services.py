"""Registering programs and their versions."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from datetime import UTC, datetime

from django.conf import settings
from django.db import transaction

from bots_api import wire
from bots_api.addresses import check_url
from bots_api.endpoints import Endpoint, endpoint_of
from bots_api.models import Bot, BotVersion, Delivery, MessageCounter, MessageType
from bots_api.sequence import advance
from bots_api.transport import CallFailed, HttpReply, Transport
from bots_api.wire import ReplyError
from matches.lag import LagMeter
from matches.models import Agent, AgentStatus, Player, PlayerKind, User
from matches.public_ids import new_id
from matches.services.versions import free_name, set_status

SECRET_BYTES = 32
PING_DEADLINE_MS = 5_000


@transaction.atomic
def register_bot(name: str, owner: User, about: str = "") -> Bot:
    """A new program of an owner's. Raises NameRefused if the name is taken, or is none."""
    player = Player.objects.create(name=free_name(name), kind=PlayerKind.BOT, owner=owner)
    return Bot.objects.create(player=player, about=about)


@transaction.atomic
def add_version(bot: Bot, label: str, url: str, secret: bytes | None = None) -> BotVersion:
    """A version at an address, with a signing secret of its own; it plays once `ping` has admitted it.

    Raises AddressRefused for an address that is never called.
    """
    check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
    agent = Agent.objects.create(player=bot.player, kind="push", label=label)
    MessageCounter.objects.create(agent=agent)
    return BotVersion.objects.create(bot=bot, agent=agent, url=url, secret=secret or secrets.token_bytes(SECRET_BYTES))


def shown_secret(version: BotVersion) -> str:
    """The signing secret in the form of Standard Webhooks, for its owner's eyes."""
    return "whsec_" + b64encode(bytes(version.secret)).decode()


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
