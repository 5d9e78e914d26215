"""`seq`: how many messages a version has been sent, counted exactly however many processes send.

Numbers that are asked for in the same moment are drawn in one statement.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping

from django.db import connection

Draw = Callable[[Mapping[int, int]], Awaitable[dict[int, int]]]

# The rows are locked in order of their keys, so that two lanes cannot wait for each other.
ADVANCE = """
WITH asked AS (SELECT * FROM unnest(%s::bigint[], %s::int[]) AS row(agent_id, wanted)), held AS (
    SELECT counter.agent_id FROM bots_api_messagecounter AS counter JOIN asked USING (agent_id)
    ORDER BY counter.agent_id FOR NO KEY UPDATE OF counter
)
UPDATE bots_api_messagecounter AS counter SET last_seq = counter.last_seq + asked.wanted
FROM asked WHERE counter.agent_id = asked.agent_id AND counter.agent_id IN (SELECT agent_id FROM held)
RETURNING counter.agent_id, counter.last_seq
"""


def advance(wanted: Mapping[int, int]) -> dict[int, int]:
    """Moves each version's counter on by what is wanted; returns the new last number of each."""
    with connection.cursor() as cursor:
        cursor.execute(ADVANCE, [list(wanted), list(wanted.values())])
        return dict(cursor.fetchall())


class Sequence:
    """Hands out numbers; while one draw is at the database the next callers gather for the following one."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._waiting: list[tuple[int, asyncio.Future[int]]] = []
        self._drawer: asyncio.Task[None] | None = None

    async def next(self, agent_id: int) -> int:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append((agent_id, future))
        if self._drawer is None or self._drawer.done():
            self._drawer = asyncio.create_task(self._draw_numbers())
        return await future

    async def _draw_numbers(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            wanted: dict[int, list[asyncio.Future[int]]] = defaultdict(list)
            for agent_id, future in batch:
                wanted[agent_id].append(future)
            try:
                last = await self._draw({agent_id: len(futures) for agent_id, futures in wanted.items()})
            except Exception as error:  # all who wait for a number learn of it
                _fail([future for _, future in batch], error)
            else:
                for agent_id, futures in wanted.items():
                    _deal_out(agent_id, futures, last.get(agent_id))


def _fail(futures: list[asyncio.Future[int]], error: Exception) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(error)


def _deal_out(agent_id: int, futures: list[asyncio.Future[int]], last: int | None) -> None:
    if last is None:
        return _fail(futures, LookupError(f"version {agent_id} has no counter of messages"))
    for number, future in enumerate(futures, start=last - len(futures) + 1):
        if not future.done():
            future.set_result(number)
    return None
