"""Programs that are called at a practice table: the calls of play, with no row behind them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Self

from bots_api import wire
from bots_api.asking import Asking
from bots_api.delivery_log import Delivered
from bots_api.endpoints import Endpoint
from bots_api.messages import Decisions, deal_over, game_over, game_start
from bots_api.models import MessageType
from bots_api.news import News
from bots_api.transport import CallFailed, HttpReply, Transport
from engine.party import DealRecord
from matches.agents import Answer, GameRef, Question
from matches.core.faults import Cause
from matches.public_ids import new_id

NOTICE_DEADLINE_MS = 2_000

NextNumber = Callable[[int], Awaitable[int]]
"""Draws a program's next `seq`."""


class Numbers:
    """`seq` of programs that nobody else calls: counted here, from 1."""

    def __init__(self) -> None:
        self._counts: defaultdict[int, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    async def next(self, agent_id: int) -> int:
        return next(self._counts[agent_id])


class Programs:
    """Agents by their addresses. `endpoints`: by the number that each goes by here.

    What programs answer changes nothing but the party: nobody is retired or quarantined. `log` is told of every try.
    """

    def __init__(
        self,
        endpoints: Mapping[int, Endpoint],
        transport: Transport,
        next_number: NextNumber,
        log: Callable[[Delivered], None],
    ) -> None:
        self._endpoints, self._transport, self._next_number, self._log = endpoints, transport, next_number, log
        self._decisions = Decisions()
        self._news = News(self._tell, lambda *_: None)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._news.close(NOTICE_DEADLINE_MS / 1_000)

    async def begin(self, ref: GameRef) -> None:
        await self._tell(ref, MessageType.GAME_START, game_start(ref))

    def expect(self, ref: GameRef) -> None:
        return None

    async def decide(self, question: Question) -> Answer:
        agent_id = question.ref.agent_id
        seq = await self._next_number(agent_id)
        return await Asking(self, self._endpoints[agent_id], question, seq, self._decisions.text(question, seq)).run()

    async def end(self, ref: GameRef, result: Mapping[str, Any], causes: Sequence[Cause | None]) -> None:
        self._decisions.forget(ref.game)
        self._news.game_over(ref, game_over(ref, result))

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        self._news.deal_over(ref, deal_over(ref, deal))

    async def post(
        self, endpoint: Endpoint, message_id: str, body: bytes, deadline_ms: int, free_ms: int = 0
    ) -> HttpReply:
        """One signed POST; raises CallFailed."""
        return await self._transport.post(endpoint.url, body, endpoint.signed(message_id, body), deadline_ms, free_ms)

    async def renewed(self, endpoint: Endpoint) -> Endpoint:
        return self._endpoints[endpoint.agent_id]

    def log(self, row: Delivered) -> None:
        self._log(row)

    async def _tell(self, ref: GameRef, kind: MessageType, message: dict[str, Any]) -> bool:
        """A notice; returns whether anything came back."""
        message["seq"] = await self._next_number(ref.agent_id)
        try:
            await self.post(self._endpoints[ref.agent_id], new_id("msg_"), wire.encode(message), NOTICE_DEADLINE_MS)
        except CallFailed:
            return False
        return True
