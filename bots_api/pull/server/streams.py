"""A stream of messages to one program: one JSON object a line (protocol §6).

It holds at most a few hundred lines. What had come before it was opened is read as fast as the program takes it; one
that reads too slowly what comes then is told to begin anew: what it missed it is given again, so that nothing is lost
by forgetting it here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Sequence
from enum import Enum, auto

from bots_api.pull.server.auth import Player
from bots_api.pull.server.desk import Desk
from bots_api.pull.server.exchange import Exchange
from bots_api.pull.server.gathering import AWAY
from bots_api.pull.server.problems import closing
from bots_api.pull.server.trips import MOST_MAIL, Look, Mail, Opened
from bots_api.wire import PROTOCOL, encode

PING_SECONDS = 5.0
STUCK_SECONDS = 10.0
MOST_WAITING = 256
LINES_A_PORTION = 16
"""Written at once: so many lines may be lost in a connection that breaks, and are given again in the next one."""
NDJSON = "application/x-ndjson"
LARGEST_SEQ = 2**63 - 1

PING = encode({"protocol": PROTOCOL, "type": "ping"})
RESYNC = encode({"protocol": PROTOCOL, "type": "resync"})


class Ending(Enum):
    """How a stream ends: the program is told to begin anew, or nothing, or is not there to be told."""

    RESYNC = auto()
    PLAIN = auto()
    GONE = auto()


async def stream(desk: Desk, exchange: Exchange) -> None:
    """`GET /bot/stream?after=<seq>`."""
    player = await desk.player(exchange)
    if desk.is_closing:
        raise closing()
    after = exchange.number("after", None, 0, LARGEST_SEQ)
    one = Stream(desk, player, exchange)
    desk.seat(one)
    try:
        await one.run(await desk.open_stream(player.agent_id), after)
    finally:
        desk.unseat(one)


class Stream:
    """One open stream."""

    def __init__(self, desk: Desk, player: Player, exchange: Exchange) -> None:
        self.player, self.number = player, 0
        self._desk, self._exchange = desk, exchange
        self._lines: deque[Mail] = deque()
        self._cursor = self._notices_after = -1
        self._is_behind, self._left_of_opening = True, 0
        self._wake = asyncio.Event()
        self._ending: Ending | None = None
        self._looking: asyncio.Task[None] | None = None
        self._has_begun = self._is_to_look = False

    @property
    def wanted(self) -> Look:
        return Look(self.player.agent_id, self._cursor, max(self._cursor, self._notices_after))

    async def run(self, opened: Opened, after: int | None) -> None:
        """Serves the stream until either side ends it, with the notices that follow the number `after`."""
        self._begin(opened, opened.last_seq if after is None else min(after, opened.last_seq))
        await self._exchange.begin(200, {"content-type": NDJSON, "x-accel-buffering": "no"})
        gone = asyncio.create_task(self._watch())
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                await self._exchange.write(self._hello(opened) + b"\n")
            await self._write()
        except TimeoutError:
            return  # whoever reads nothing does not read a farewell
        finally:
            gone.cancel()
            if self._looking:
                self._looking.cancel()

    def _begin(self, opened: Opened, notices_after: int) -> None:
        self.number, self._notices_after = opened.number, notices_after
        self._desk.supersede(self.player.agent_id, self)
        self._has_begun = True
        self.look()
        if self._desk.is_closing:
            self.end()

    def _hello(self, opened: Opened) -> bytes:
        hello = {"protocol": PROTOCOL, "type": "hello", "version": self.player.public_id, "seq": opened.last_seq}
        return encode(hello)

    async def _watch(self) -> None:
        await self._exchange.until_gone()
        self._end(Ending.GONE)

    # What happens elsewhere

    def look(self) -> None:
        """Looks into the mailbox; a look that is under way is followed by another one.

        What had come before the stream was opened is read on once all that was read of it is written.
        """
        self._is_to_look = True
        if self._has_begun and self._ending is None and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._take_mail())

    async def _take_mail(self) -> None:
        while self._is_to_look and self._ending is None and not (self._is_behind and self._lines):
            self._is_to_look = False
            try:
                mail = await self._desk.look(self.wanted)
            except AWAY:
                return  # the desk tells of it and looks again
            self._put(mail)

    def _put(self, mail: Sequence[Mail]) -> None:
        self._lines += mail
        self._cursor = max([self._cursor, *(one.seq for one in mail)])
        if self._is_behind:
            self._left_of_opening += len(mail)
        elif len(self._lines) - self._left_of_opening > MOST_WAITING:
            self._end(Ending.RESYNC)
        has_more = len(mail) == MOST_MAIL
        self._is_behind, self._is_to_look = self._is_behind and has_more, self._is_to_look or has_more
        self._wake.set()

    def end(self) -> None:
        self._end(Ending.RESYNC)

    def supersede(self) -> None:
        self._end(Ending.PLAIN)

    def revoke(self) -> None:
        self._end(Ending.PLAIN)

    def _end(self, how: Ending) -> None:
        self._ending = how if how is Ending.GONE else self._ending or how
        self._wake.set()

    # Writing

    async def _write(self) -> None:
        ping_at = time.monotonic() + PING_SECONDS
        while self._ending is None:
            if self._lines:
                await self._write_lines(self._portion())
            if time.monotonic() >= ping_at:
                ping_at += PING_SECONDS
                await self._write_bytes([PING])
            if not self._lines:
                if self._is_to_look:
                    self.look()
                await self._rest(ping_at)
        if self._ending is not Ending.GONE:
            await self._write_bytes([RESYNC] if self._ending is Ending.RESYNC else [], more=False)

    async def _rest(self, until: float) -> None:
        self._wake.clear()
        if self._ending is None:
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    await self._wake.wait()
            except TimeoutError:
                return

    def _portion(self) -> list[Mail]:
        portion = [self._lines.popleft() for _ in range(min(len(self._lines), LINES_A_PORTION))]
        self._left_of_opening = max(0, self._left_of_opening - len(portion))
        return portion

    async def _write_lines(self, mail: Sequence[Mail]) -> None:
        await self._write_bytes([one.body.encode() for one in mail])
        if self._ending is not Ending.GONE:
            self._desk.given(one.decision_id for one in mail if one.decision_id)

    async def _write_bytes(self, lines: Iterable[bytes], *, more: bool = True) -> None:
        """Raises TimeoutError where the program does not read."""
        async with asyncio.timeout(STUCK_SECONDS):
            await self._exchange.write(b"".join(line + b"\n" for line in lines), more=more)
