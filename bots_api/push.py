"""The platform calls the program (protocol §5, §7): one signed POST a message, one clock over all that it takes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, Self

from django.conf import settings

from bots_api import observation, wire
from bots_api.asking import Asking
from bots_api.delivery_log import Delivered, DeliveryLog
from bots_api.endpoints import Endpoint, endpoint_of
from bots_api.models import MessageType
from bots_api.sequence import Counter
from bots_api.transport import CallFailed, HttpReply, Transport
from engine.party import DealRecord
from engine.record import deal_json
from matches.agents import Answer, GameRef, Question
from matches.core.faults import Cause
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.models import AgentStatus
from matches.public_ids import new_id
from matches.services.versions import set_status

logger = logging.getLogger(__name__)
NOTICE_DEADLINE_MS = 2_000


class PushAgents:
    """Every pushed program that one lane plays with: connections, counters and log are shared."""

    def __init__(self, lag: LagMeter, ledger: Ledger) -> None:
        self._run = ledger.run
        self._transport = Transport(
            lag, allow_loopback=settings.PUSH_ALLOW_LOOPBACK, allow_http=settings.PUSH_ALLOW_HTTP
        )
        self._counter = Counter(ledger)
        self._log = DeliveryLog(ledger.run)
        self._endpoints: dict[int, Endpoint] = {}
        self._numbers: dict[str, asyncio.Future[int]] = {}
        self._openings: dict[str, str] = {}
        self._notices: set[asyncio.Task[bool]] = set()
        self._newest_notice: dict[str, asyncio.Task[bool]] = {}

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        self._flusher = asyncio.create_task(self._log.keep_flushing())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._notices:
            waited_for = await asyncio.wait(self._notices, timeout=2 * NOTICE_DEADLINE_MS / 1_000)
            for notice in waited_for[1]:
                notice.cancel()
        self._flusher.cancel()
        with suppress(asyncio.CancelledError):
            await self._flusher
        await self._log.flush()
        await self._transport.__aexit__()

    async def begin(self, ref: GameRef) -> None:
        await self._tell(ref, MessageType.GAME_START, game_start(ref))

    def expect(self, ref: GameRef) -> None:
        """Draws the number of the decision that follows, on the same trip to the database as the answer before it."""
        if ref.game not in self._numbers:
            self._numbers[ref.game] = self._counter.next(ref.agent_id)

    def _number(self, ref: GameRef) -> asyncio.Future[int]:
        """The number drawn for this game; a match that was given up may have left one, or the error of its trip."""
        drawn = self._numbers.pop(ref.game, None)
        failed = drawn is not None and drawn.done() and drawn.exception() is not None
        return self._counter.next(ref.agent_id) if drawn is None or failed else drawn

    async def decide(self, question: Question) -> Answer:
        ref = question.ref
        seq = await self._number(ref)
        endpoint = await self._endpoint(ref.agent_id)
        answer = await Asking(self, endpoint, question, seq, self._message(question, seq)).run()
        if answer.cause is Cause.RESIGNED:
            await self._run(set_status, ref.agent_id, AgentStatus.RETIRED, "answered 410 Gone")
        return answer

    def _message(self, question: Question, seq: int) -> str:
        game = question.ref.game
        if game not in self._openings:
            self._openings[game] = observation.opening(question.view)
        return decision(self._openings[game], question, seq)

    async def end(self, ref: GameRef, result: Mapping[str, Any], causes: Sequence[Cause | None]) -> None:
        self._openings.pop(ref.game, None)
        if Cause.REJECTED in causes:
            reason = "refused our signature (401 or 403)"
            await self._run(set_status, ref.agent_id, AgentStatus.QUARANTINED, reason)
        self._tell_in_turn(ref, MessageType.GAME_OVER, game_over(ref, result))
        del self._newest_notice[ref.game]

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        self._tell_in_turn(ref, MessageType.DEAL_OVER, deal_over(ref, deal))

    def _tell_in_turn(self, ref: GameRef, kind: MessageType, message: dict[str, Any]) -> None:
        """Sends the news of a game one after the other, while play goes on."""
        before = self._newest_notice.get(ref.game)
        notice = asyncio.create_task(self._tell_after(before, ref, kind, message))
        self._newest_notice[ref.game] = notice
        self._notices.add(notice)
        notice.add_done_callback(partial(self._notice_sent, ref.game))

    async def _tell_after(
        self, before: asyncio.Task[bool] | None, ref: GameRef, kind: MessageType, message: dict[str, Any]
    ) -> bool:
        """A program that left one deal's news unanswered is sent no more of them: they would pile up behind it."""
        if before is not None:
            await asyncio.wait([before])
            if kind is MessageType.DEAL_OVER and not _was_heard(before):
                return False
        return await self._tell(ref, kind, message)

    def _notice_sent(self, game: str, notice: asyncio.Task[bool]) -> None:
        """Nobody waits for the news of a deal's or a game's end, so what went wrong with it is told here."""
        self._notices.discard(notice)
        if self._newest_notice.get(game) is notice and _was_heard(notice):
            del self._newest_notice[game]
        if not notice.cancelled() and (error := notice.exception()):
            logger.error("The end of a deal or game was not told: %r", error)

    async def post(self, endpoint: Endpoint, message_id: str, body: bytes, deadline_ms: int) -> HttpReply:
        """One signed POST; raises CallFailed."""
        return await self._transport.post(endpoint.url, body, endpoint.signed(message_id, body), deadline_ms)

    def log(self, row: Delivered) -> None:
        self._log.add(row)

    async def _tell(self, ref: GameRef, kind: MessageType, message: dict[str, Any]) -> bool:
        """A notice: sent once, and whatever the program answers changes nothing (but 410, which retires it).

        Returns whether anything came back.
        """
        endpoint = await self._endpoint(ref.agent_id)
        message["seq"] = await self._counter.next(ref.agent_id)
        message_id, body, sent_at = new_id("msg_"), wire.encode(message), datetime.now(UTC)
        try:
            reply = await self.post(endpoint, message_id, body, NOTICE_DEADLINE_MS)
        except CallFailed as failure:
            outcome, detail, status, elapsed, received = failure.code, failure.detail, None, failure.elapsed_ms, ""
        else:
            outcome = "ok" if reply.status // 100 == 2 else "http_error"
            detail, status, elapsed, received = "", reply.status, reply.elapsed_ms, wire.excerpt(reply.body)
            if reply.status == 410:
                await self._run(set_status, ref.agent_id, AgentStatus.RETIRED, "answered 410 Gone")
        self.log(
            Delivered(
                agent_id=ref.agent_id,
                message=kind,
                seq=message["seq"],
                game=ref.game,
                message_id=message_id,
                attempt=1,
                outcome=outcome,
                detail=detail[:300],
                status=status,
                elapsed_ms=elapsed,
                action="",
                note="",
                request=body.decode(),
                reply=received,
                sent_at=sent_at,
            )
        )
        return status is not None

    async def _endpoint(self, agent_id: int) -> Endpoint:
        if agent_id not in self._endpoints:
            self._endpoints[agent_id] = await self._run(endpoint_of, agent_id)
        return self._endpoints[agent_id]


def decision(beginning: str, question: Question, seq: int) -> str:
    """The decision object of protocol §4, as text: the observation and its ticket."""
    ref, clock = question.ref, question.clock
    seen = observation.text(beginning, question.view)
    return (
        f'{seen[:-1]},"type":"decision","decision_id":"{question.decision_id}","seq":{seq},"game":"{ref.game}",'
        f'"match":"{ref.match}","round":{ref.round_number},"rated":{observation.truth(ref.rated)},"clock":'
        f'{{"budget_ms":{clock.rules.budget_ms},"bank_ms":{clock.bank_ms},"grace_ms":{clock.rules.grace_ms},'
        f'"hard_ms":{clock.hard_ms},"last_charged_ms":{clock.last_charged_ms},"last_rtt_ms":{clock.last_rtt_ms}}}}}'
    )


def game_start(ref: GameRef) -> dict[str, Any]:
    """`entropy` is not asked for: every match is played on duplicate boards (R68)."""
    return {
        "protocol": wire.PROTOCOL,
        "type": "game_start",
        "game": ref.game,
        "match": ref.match,
        "rules": ref.rules.name,
        "overrides": dict(ref.rules.overrides),
        "seat": ref.seat,
        "players": ref.rules.players,
        "pairs": ref.rules.pairs,
        "commitment": ref.commitment,
        "control": ref.control,
    }


def _was_heard(notice: asyncio.Task[bool]) -> bool:
    return not notice.cancelled() and notice.exception() is None and notice.result()


def deal_over(ref: GameRef, deal: DealRecord) -> dict[str, Any]:
    """What was written for a deal and everything that was said and played in it, all of it public at the table.

    The pack is left out: with it the cards that nobody has shown, the stock and the bottom would be told.
    """
    told = deal_json(deal)
    del told["deck"]
    return {"protocol": wire.PROTOCOL, "type": "deal_over", "game": ref.game, "match": ref.match, "deal": told}


def game_over(ref: GameRef, result: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "protocol": wire.PROTOCOL,
        "type": "game_over",
        "game": ref.game,
        "match": ref.match,
        "result": dict(result),
        "record_url": f"{settings.PUBLIC_URL}/api/v1/parties/{ref.game}/record",
    }
