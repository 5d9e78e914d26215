"""The long poll: every open decision, as soon as there is one (protocol §6)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from bots_api.pull.server.auth import Player
from bots_api.pull.server.desk import Desk
from bots_api.pull.server.exchange import Exchange
from bots_api.pull.server.problems import Refused, closing
from bots_api.pull.server.trips import Look, Mail

WAIT_SECONDS = 25
LONGEST_WAIT_SECONDS = 60
DECISIONS = 8
MOST_DECISIONS = 64


async def poll(desk: Desk, exchange: Exchange) -> None:
    """`GET /bot/decisions?wait=25&max=8`."""
    player = await desk.player(exchange)
    if desk.is_closing:
        raise closing()
    wait = exchange.number("wait", WAIT_SECONDS, 0, LONGEST_WAIT_SECONDS)
    most = exchange.number("max", DECISIONS, 1, MOST_DECISIONS)
    one = Poll(desk, player)
    desk.seat(one)
    gone = asyncio.create_task(one.watch(exchange))
    try:
        decisions = (await one.decisions(wait or 0))[:most]
        if one.is_gone:
            return  # nobody is given anything, and nobody's clock starts
        await exchange.answer(_written(decisions))
        desk.given(decision.decision_id for decision in decisions)
    finally:
        gone.cancel()
        desk.unseat(one)


def _written(decisions: Sequence[Mail]) -> bytes:
    return f'{{"decisions":[{",".join(decision.body for decision in decisions)}]}}'.encode()


class Poll:
    """One program that waits for a decision. `is_gone`: it has hung up."""

    def __init__(self, desk: Desk, player: Player) -> None:
        self.player = player
        self.wanted = Look(player.agent_id, -1, None)
        self._desk = desk
        self._wake = asyncio.Event()
        self.is_gone = self._is_over = self._is_revoked = False

    async def decisions(self, wait_seconds: float) -> list[Mail]:
        """Every open decision, or none after that time; raises Refused."""
        until = time.monotonic() + wait_seconds
        self._is_over = self._is_over or wait_seconds == 0
        while True:
            self._wake.clear()
            found = await self._desk.look(self.wanted)
            if self._is_revoked:
                raise Refused(401, "token_revoked", "The token is good for nothing any more: make another one.")
            if found or self._is_over or self._desk.is_closing:
                return found
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    await self._wake.wait()
            except TimeoutError:
                self._is_over = True

    async def watch(self, exchange: Exchange) -> None:
        await exchange.until_gone()
        self.is_gone = True
        self.end()

    def look(self) -> None:
        self._wake.set()

    def end(self) -> None:
        self._is_over = True
        self._wake.set()

    def revoke(self) -> None:
        self._is_revoked = True
        self._wake.set()
