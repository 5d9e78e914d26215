"""Replies that are made to fill memory or to hold a slot do neither. At full size: `tests.proof bombs`."""

from __future__ import annotations

import asyncio

from bots_api.transport import HttpReply, Transport
from matches.lag import LagMeter
from tests.bots_api.bombs import BODY, BOMBS, measured
from tests.rogues import behaviours as does
from tests.rogues.program import Exchange, Program

DEADLINE_MS = 1_000
GROWTH_KB = 24_000  # a hundred calls at once, most of which hold 32 KiB and what the kernel gave us with them


def test_no_bomb_fills_the_memory_of_a_lane_or_holds_its_slot() -> None:
    seen = measured(list(BOMBS), calls=len(BOMBS) * 4, at_once=16, deadline_ms=DEADLINE_MS)
    assert {name: sum(came.values()) for name, came in seen.outcomes.items()} == dict.fromkeys(BOMBS, 4)
    assert not [name for name, came in seen.outcomes.items() if "take" in came]
    assert seen.grown_kb < GROWTH_KB
    assert seen.longest_ms < DEADLINE_MS + 5_000


def test_what_follows_a_flood_is_answered_as_ever() -> None:
    """Of a reply so much is read; the next connection, and the next call over one that was kept, begin anew."""

    async def heads_to_the_limit(exchange: Exchange) -> None:
        await exchange.reply(b'{"action":"take"}', headers={f"X-{n}": "y" * 1_000 for n in range(20)})

    async def run(url: str) -> list[HttpReply]:
        async with Transport(LagMeter(), allow_loopback=True, allow_http=True) as calling:
            return [await calling.post(url, BODY, {}, 5_000) for _ in range(5)]

    with Program(does.first(does.sends_a_megabyte, heads_to_the_limit)) as program:
        flooded, *well = asyncio.run(run(program.url))
        assert len(flooded.body) > 16 * 1024
        assert [reply.body for reply in well] == [b'{"action":"take"}'] * 4
        assert program.connections == 2
