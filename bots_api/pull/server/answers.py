"""What programs send: the answer to a decision, and whether they take new matches (protocol §6)."""

from __future__ import annotations

import re

from bots_api.pull.server.desk import Desk
from bots_api.pull.server.exchange import Exchange
from bots_api.pull.server.problems import Refused, bad_field, not_found
from bots_api.pull.server.trips import Put
from bots_api.wire import ReplyError, encode, read_answer, read_object

_DECISION_ID = re.compile(r"dec_[0-9A-Za-z]{22}")


async def answer(desk: Desk, exchange: Exchange, decision_id: str) -> None:
    """`PUT /decisions/{decision_id}`. The whole of the body has to be here before the answer counts as arrived."""
    body = await exchange.body()
    arrived_at = desk.now()
    player = await desk.player(exchange)
    try:
        reply = read_answer(body)
    except ReplyError as error:
        raise Refused(400, error.code, error.detail) from error
    if not _DECISION_ID.fullmatch(decision_id):
        raise not_found()
    verdict = await desk.answer(Put(decision_id, player.agent_id, reply, arrived_at))
    if verdict.accepted is None:
        raise verdict.problem or not_found()
    await exchange.answer(encode(verdict.accepted))


async def presence(desk: Desk, exchange: Exchange) -> None:
    """`PUT /bot/presence`: with `{"accepting":false}` a version finishes what it has begun and begins nothing."""
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
