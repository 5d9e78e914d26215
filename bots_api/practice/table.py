"""What stands around practice tables: the house's programs, the programs that are called, one transport."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from bots_api.delivery_log import Delivered
from bots_api.endpoints import Endpoint
from bots_api.models import PUSH
from bots_api.practice.programs import Gone, NextNumber, Numbers, Programs, nothing_follows
from bots_api.transport import open_transport
from matches.agents import Agents
from matches.core.house import KIND
from matches.house import HouseAgents
from matches.lag import LagMeter


@asynccontextmanager
async def tables(
    endpoints: Mapping[int, Endpoint],
    log: Callable[[Delivered], None],
    next_number: NextNumber | None = None,
    gone: Gone = nothing_follows,
) -> AsyncIterator[Mapping[str, Agents]]:
    """Agents of the kinds `house` and `push`, open while the context is.

    `next_number`: numbers of whoever else calls these programs; without it they are counted here.
    """
    lag = LagMeter()
    async with (
        open_transport(lag) as transport,
        HouseAgents(lag, None) as house,
        Programs(endpoints, transport, next_number or Numbers().next, log, gone) as programs,
    ):
        yield {KIND: house, PUSH: programs}
