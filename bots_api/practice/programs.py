"""Programs that are called at a practice table: the calls of play, with no row behind them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping

from bots_api.called import CalledPrograms
from bots_api.delivery_log import Delivered
from bots_api.endpoints import Endpoint
from bots_api.transport import Transport

NextNumber = Callable[[int], Awaitable[int]]
"""Draws a program's next `seq`."""
Gone = Callable[[int], Awaitable[None]]
"""Is told of a program that has answered 410."""


async def nothing_follows(agent_id: int) -> None:
    return None


class Numbers:
    """`seq` of programs that nobody else calls: counted here, from 1."""

    def __init__(self) -> None:
        self._counts: defaultdict[int, itertools.count[int]] = defaultdict(lambda: itertools.count(1))

    async def next(self, agent_id: int) -> int:
        return next(self._counts[agent_id])


class Programs(CalledPrograms):
    """Agents by their addresses. `endpoints`: by the number that each goes by here.

    What programs answer changes nothing but the party, unless `gone` does. `log` is told of every try.
    """

    def __init__(
        self,
        endpoints: Mapping[int, Endpoint],
        transport: Transport,
        next_number: NextNumber,
        log: Callable[[Delivered], None],
        gone: Gone = nothing_follows,
    ) -> None:
        super().__init__(transport)
        self._endpoints, self._next_number, self._log = endpoints, next_number, log
        self._gone = gone

    def number(self, agent_id: int) -> Awaitable[int]:
        return self._next_number(agent_id)

    async def endpoint(self, agent_id: int) -> Endpoint:
        return self._endpoints[agent_id]

    async def renewed(self, endpoint: Endpoint) -> Endpoint:
        return self._endpoints[endpoint.agent_id]

    def known(self, agent_id: int) -> Endpoint:
        return self._endpoints[agent_id]

    async def gone(self, agent_id: int) -> None:
        await self._gone(agent_id)

    def log(self, row: Delivered) -> None:
        self._log(row)
