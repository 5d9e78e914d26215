"""The platform calls the program (protocol §5, §7): one signed POST a message, one clock over all that it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self

from django.conf import settings

from bots_api import wire
from bots_api.asking import Asking
from bots_api.delivery_log import Delivered, DeliveryLog
from bots_api.endpoints import Endpoint, Endpoints
from bots_api.health import quarantine_rejected
from bots_api.messages import Decisions, deal_over, game_over, game_start
from bots_api.models import MessageType
from bots_api.news import News
from bots_api.sequence import Counter
from bots_api.transport import CallFailed, HttpReply, Transport
from engine.party import DealRecord
from matches.agents import Answer, GameRef, Question
from matches.core.faults import Cause
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.models import AgentStatus
from matches.public_ids import new_id
from matches.services.versions import set_status

NOTICE_DEADLINE_MS = 2_000
UNHEARD = (Cause.TIMEOUT, Cause.UNREACHABLE, Cause.INFRA)
"""Nothing, or nothing in time, has come of the program."""


class PushAgents:
    """Every pushed program that one lane plays with: connections, counters and log are shared."""

    def __init__(self, lag: LagMeter, ledger: Ledger) -> None:
        self._run = ledger.run
        self._transport = Transport(
            lag, allow_loopback=settings.PUSH_ALLOW_LOOPBACK, allow_http=settings.PUSH_ALLOW_HTTP
        )
        self._counter = Counter(ledger)
        self._log = DeliveryLog(ledger.run)
        self._endpoints = Endpoints(ledger.run)
        self._decisions = Decisions()
        self._news = News(self._tell, self._drop)

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        self._flusher = asyncio.create_task(self._log.keep_flushing())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._news.close(NOTICE_DEADLINE_MS / 1_000)
        self._log.close()
        await self._flusher
        await self._transport.__aexit__()

    async def begin(self, ref: GameRef) -> None:
        await self._tell(ref, MessageType.GAME_START, game_start(ref))

    def expect(self, ref: GameRef) -> None:
        """Draws the number of the decision that follows and, where none idles, opens a connection for it."""
        self._counter.expect(ref.agent_id, ref.game)
        if endpoint := self._endpoints.known(ref.agent_id):
            self._transport.open_ahead(endpoint.url)

    async def decide(self, question: Question) -> Answer:
        ref = question.ref
        seq = await self._counter.expected(ref.agent_id, ref.game)
        endpoint = await self._endpoint(ref.agent_id)
        answer = await Asking(self, endpoint, question, seq, self._decisions.text(question, seq)).run()
        if answer.cause not in UNHEARD:
            self._news.answered(ref)
        if answer.cause is Cause.RESIGNED:
            await self._run(set_status, ref.agent_id, AgentStatus.RETIRED, "answered 410 Gone")
        return answer

    async def end(self, ref: GameRef, result: Mapping[str, Any], causes: Sequence[Cause | None]) -> None:
        self._decisions.forget(ref.game)
        if Cause.REJECTED in causes:
            await self._run(quarantine_rejected, ref.agent_id)
        self._news.game_over(ref, game_over(ref, result))

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        self._news.deal_over(ref, deal_over(ref, deal))

    async def post(
        self, endpoint: Endpoint, message_id: str, body: bytes, deadline_ms: int, free_ms: int = 0
    ) -> HttpReply:
        """One signed POST; raises CallFailed."""
        return await self._transport.post(endpoint.url, body, endpoint.signed(message_id, body), deadline_ms, free_ms)

    async def renewed(self, endpoint: Endpoint) -> Endpoint:
        return await self._endpoints.read(endpoint.agent_id)

    def log(self, row: Delivered) -> None:
        self._log.add(row)

    async def _tell(self, ref: GameRef, kind: MessageType, message: dict[str, Any]) -> bool:
        """A notice: sent once, and whatever the program answers changes nothing (but 410, which retires it).

        Returns whether anything came back.
        """
        message["seq"] = await self._counter.next(ref.agent_id)
        endpoint = await self._endpoint(ref.agent_id)
        line = _line(ref, kind, message, "Cut off before an answer came.")
        try:
            reply = await self.post(endpoint, line.message_id, line.request.encode(), NOTICE_DEADLINE_MS)
            line = _answered(line, reply)
        except CallFailed as failure:
            line = line._replace(outcome=failure.code, detail=failure.detail[:300], elapsed_ms=failure.elapsed_ms)
        finally:
            self.log(line)
        if line.status == 410:
            await self._run(set_status, ref.agent_id, AgentStatus.RETIRED, "answered 410 Gone")
        return line.status is not None

    def _drop(self, ref: GameRef, kind: MessageType, message: Mapping[str, Any], why: str) -> None:
        """Notes a message that is not sent: it has no number of its own."""
        self.log(_line(ref, kind, message, why))

    async def _endpoint(self, agent_id: int) -> Endpoint:
        """As it was when the version's last number was drawn, or newer."""
        return await self._endpoints.of(agent_id, self._counter.key_changes[agent_id])


def _line(ref: GameRef, kind: MessageType, message: Mapping[str, Any], detail: str) -> Delivered:
    """The log's line of a notice that nobody has answered."""
    return Delivered(
        agent_id=ref.agent_id,
        message=kind,
        seq=message.get("seq", 0),
        game=ref.game,
        message_id=new_id("msg_"),
        attempt=1,
        outcome="dropped",
        detail=detail,
        status=None,
        elapsed_ms=0,
        action="",
        note="",
        request=wire.encode(message).decode(),
        reply="",
        sent_at=datetime.now(UTC),
    )


def _answered(line: Delivered, reply: HttpReply) -> Delivered:
    return line._replace(
        outcome="ok" if reply.status // 100 == 2 else "http_error",
        detail="",
        status=reply.status,
        elapsed_ms=reply.elapsed_ms,
        reply=wire.excerpt(reply.body),
    )
