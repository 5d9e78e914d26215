"""What programs send: the answer to a decision, and whether they take new matches (protocol §6)."""

from __future__ import annotations

import re
import time

from bots_api.pull.server.arrivals import Answer
from bots_api.pull.server.desk import Desk
from bots_api.pull.server.exchange import Exchange
from bots_api.pull.server.gathering import AWAY
from bots_api.pull.server.problems import Refused, bad_field, not_found
from bots_api.pull.server.trips import Put, Unread
from bots_api.pull.server.verdicts import Verdict
from bots_api.wire import Reply, ReplyError, encode, excerpt, read_answer, read_object

_DECISION_ID = re.compile(r"dec_[0-9A-Za-z]{22}")


async def answer(desk: Desk, exchange: Exchange, decision_id: str) -> None:
    """`PUT /decisions/{decision_id}`. The whole of the body has to be here before the answer counts as arrived."""
    try:
        reply = read_answer(await exchange.body())
    except (Refused, ReplyError) as error:
        raise await _unread(desk, exchange, decision_id, error) from error
    arrived_at = desk.now()
    if not _DECISION_ID.fullmatch(decision_id):
        await desk.player(exchange)
        raise not_found()
    verdict = await _judged(desk, exchange, decision_id, reply, arrived_at)
    if verdict.accepted is None:
        raise verdict.problem or not_found()
    await exchange.answer(encode(verdict.accepted))


async def _unread(desk: Desk, exchange: Exchange, decision_id: str, error: Refused | ReplyError) -> Refused:
    """What a body that is no answer is refused with, once it is known whose it is; the owner is shown it."""
    if isinstance(error, Refused) and not exchange.received:
        return error
    player = await desk.player(exchange)
    if _DECISION_ID.fullmatch(decision_id):
        desk.keep(Unread(decision_id, player.agent_id, excerpt(bytes(exchange.received))))
    return error if isinstance(error, Refused) else Refused(400, error.code, error.detail)


async def _judged(desk: Desk, exchange: Exchange, decision_id: str, reply: Reply, arrived_at: float) -> Verdict:
    """Where our database is away the answer is refused, and counts from now on if it is sent again."""
    answered = Answer(exchange.header(b"authorization"), decision_id, reply.action)
    first = desk.arrivals.first(answered, arrived_at)
    try:
        player = await desk.player(exchange)
        verdict = await desk.answer(
            Put(decision_id, player.agent_id, reply, first, raw=excerpt(bytes(exchange.received)))
        )
    except AWAY:
        desk.arrivals.refuse(answered, first, time.monotonic())
        desk.fail()
        raise
    desk.arrivals.forget(answered)
    return verdict


async def presence(desk: Desk, exchange: Exchange) -> None:
    """`PUT /bot/presence`: with `{"accepting":false}` a version finishes what it has begun and takes nothing new."""
    body = await exchange.body()
    player = await desk.player(exchange)
    try:
        accepting = read_object(body).get("accepting")
    except ReplyError as error:
        raise Refused(400, error.code, error.detail) from error
    if not isinstance(accepting, bool):
        raise bad_field("accepting", "invalid", "Expected true or false.")
    await desk.accept(player, accepting)
    await exchange.answer(encode({"accepting": accepting}))
