"""The platform calls the program (protocol §5, §7): one signed POST a message, one clock over all that it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Self

from bots_api.called import CalledPrograms
from bots_api.delivery_log import Delivered, DeliveryLog
from bots_api.endpoints import Endpoint, Endpoints
from bots_api.health import quarantine_rejected
from bots_api.sequence import Counter
from bots_api.services.calling import retire_gone
from bots_api.transport import Transport
from matches.agents import GameRef
from matches.core.faults import Cause
from matches.lag import LagMeter
from matches.ledger import Ledger


class PushAgents(CalledPrograms):
    """Every pushed program that one lane plays with: connections, counters and log are shared."""

    def __init__(self, lag: LagMeter, ledger: Ledger) -> None:
        super().__init__(Transport.of_settings(lag))
        self._run = ledger.run
        self._counter = Counter(ledger)
        self._log = DeliveryLog(ledger.run)
        self._endpoints = Endpoints(ledger.run)

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        self._flusher = asyncio.create_task(self._log.keep_flushing())
        return self

    async def __aexit__(self, *_: object) -> None:
        await super().__aexit__()
        self._log.close()
        await self._flusher
        await self._transport.__aexit__()

    def number(self, agent_id: int) -> asyncio.Future[int]:
        return self._counter.next(agent_id)

    def number_asked(self, ref: GameRef) -> asyncio.Future[int]:
        return self._counter.expected(ref.agent_id, ref.game)

    def expect(self, ref: GameRef) -> None:
        """Draws the number of the decision that follows, too."""
        self._counter.expect(ref.agent_id, ref.game)
        super().expect(ref)

    async def over(self, ref: GameRef, causes: Sequence[Cause | None]) -> None:
        if Cause.REJECTED in causes:
            await self._run(quarantine_rejected, ref.agent_id)

    def leave(self, ref: GameRef) -> None:
        self._counter.forget(ref.game)
        super().leave(ref)

    async def endpoint(self, agent_id: int) -> Endpoint:
        return await self._endpoints.of(agent_id, self._counter.key_changes[agent_id])

    async def renewed(self, endpoint: Endpoint) -> Endpoint:
        return await self._endpoints.read(endpoint.agent_id)

    def known(self, agent_id: int) -> Endpoint | None:
        return self._endpoints.known(agent_id)

    async def gone(self, agent_id: int) -> None:
        await self._run(retire_gone, agent_id)

    def log(self, row: Delivered) -> None:
        self._log.add(row)
