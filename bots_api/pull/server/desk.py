"""What one process knows: which programs wait here, and what lies in the mailbox for them.

Programs wait in the loop, with no thread and no connection to the database. Three clerks go there for all of them,
each with one connection: one looks into the mailbox, one writes answers, one sees to tokens and presence.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from math import inf
from typing import Protocol, Self

from django.db import OperationalError

from bots_api.pull.hints import ANSWERED, ASKED, Hints
from bots_api.pull.presence import GONE_SECONDS, find_who_is_ready, set_accepting
from bots_api.pull.server import trips
from bots_api.pull.server.arrivals import Arrivals
from bots_api.pull.server.auth import Keyring, Player
from bots_api.pull.server.exchange import Exchange
from bots_api.pull.server.gathering import AWAY, Clerk, Gathering, Told
from bots_api.pull.server.trips import SILENT_SECONDS, Given, Look, Mail, Opened, Put, Unread
from bots_api.pull.server.verdicts import Verdict
from bots_api.wire import is_number
from matches.lag import LagMeter
from matches.public_ids import new_id

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""So often everybody's mailbox is looked into without a hint, and every token once more."""
BEAT_SECONDS = 1.0
SEEN_SECONDS = 5.0
MOST_OF_A_VERSION = 16
LONGEST_SECONDS = 10.0
"""So long a request waits for the database."""


class Listener(Protocol):
    """A stream or a long poll that waits here. `wanted`: what is new for it."""

    player: Player

    @property
    def wanted(self) -> Look: ...

    def look(self) -> None:
        """There may be something new for it."""
        ...

    def end(self) -> None:
        """It is to end: the service closes. A program that reconnects misses nothing."""
        ...

    def revoke(self) -> None:
        """Its token is good for nothing any more."""
        ...


class NewestAlone(Protocol):
    """A stream: of a version's streams only the newest goes on."""

    number: int

    def supersede(self) -> None: ...


class Desk:
    """Everything that the requests of one process share; a context."""

    def __init__(self) -> None:
        self.name = f"{socket.gethostname()}:{os.getpid()}:{new_id('')}"[:80]
        self.is_closing = False
        self._lag = LagMeter()
        self._listeners: dict[int, dict[Listener, None]] = {}
        self._streams: dict[int, NewestAlone] = {}
        self._callers: set[int] = set()
        self._seen: dict[int, float] = {}
        self._is_well = True
        self._has_failed = False
        self.arrivals = Arrivals()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            self._looking, self._writing, self._doors = [
                await stack.enter_async_context(Clerk(name)) for name in ("looking", "answers", "doors")
            ]
            self._hints = await stack.enter_async_context(Hints())
            self._take_up_work()
            stack.push_async_callback(self._put_work_down)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def _take_up_work(self) -> None:
        self.keyring = Keyring(partial(self._doors.run, trips.tokens_of))
        self._looks = Gathering[Look, list[Mail]](partial(self._looking.run, trips.look))
        self._openings = Gathering[int, Opened](partial(self._looking.run, trips.open_streams))
        self._settled = Gathering[Given | Put | Unread, Verdict | None](partial(self._writing.run, trips.settle))
        self._told = Gathering[str, None](self._publish)
        self._hints.listen(ASKED, self._heard)
        self._tasks = [
            asyncio.create_task(self._lag.run()),
            asyncio.create_task(self._keep(LOOK_SECONDS, self._look_everywhere)),
            asyncio.create_task(self._keep(BEAT_SECONDS, self._beat)),
        ]

    async def _put_work_down(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self._doors.run(trips.leave, self.name)
        except AWAY as error:
            logger.warning("%s stays on the list of servers: %s", self.name, error)

    def close(self) -> None:
        """Ends all that wait here; whoever comes now is sent away at once, to come again."""
        self.is_closing = True
        for listener in self._everybody():
            listener.end()

    # What requests ask for

    async def player(self, exchange: Exchange) -> Player:
        """Which version calls; raises Refused."""
        player = await _in_time(self.keyring.player(exchange.header(b"authorization")))
        self._callers.add(player.agent_id)
        return player

    async def look(self, wanted: Look) -> list[Mail]:
        """What is new for a version, by its numbers, as far as it is read at once."""
        return await _in_time(self._looks.ask(wanted))

    async def open_stream(self, agent_id: int) -> Opened:
        return await _in_time(self._openings.ask(agent_id))

    def given(self, decisions: Iterable[str]) -> None:
        """Notes that these decisions were flushed to their program just now; the clocks do not wait for it."""
        flushed_at = time.monotonic()
        for decision_id in decisions:
            self._settled.ask(Given(decision_id, flushed_at))

    def now(self) -> float:
        """The moment (monotonic) at which what was just received came in: without the time that our loop was busy."""
        return time.monotonic() - self._lag.recent_seconds()

    def fail(self) -> None:
        """Notes that an answer could not be taken: nobody's clock ran until this process speaks again."""
        self._has_failed = True

    def keep(self, unread: Unread) -> None:
        """Keeps for the owner what his program sent and is no answer; nobody waits for it."""
        self._settled.ask(unread)

    async def answer(self, put: Put) -> Verdict:
        """Judges an answer; the lane that waits for it hears of it."""
        verdict = await _in_time(self._settled.ask(put._replace(server=self.name)))
        assert verdict is not None
        if verdict.is_news:
            self._told.ask(put.decision_id)
        return verdict

    async def accept(self, player: Player, accepting: bool) -> None:
        """Whether the version is given new matches."""
        await _in_time(self._doors.run(set_accepting, player.version_id, accepting))

    def seat(self, listener: Listener) -> None:
        """Lets a program wait; of one version's that wait here the oldest goes where they are too many."""
        here = self._listeners.setdefault(listener.player.agent_id, {})
        here[listener] = None
        if len(here) > MOST_OF_A_VERSION:
            oldest = next(iter(here))
            del here[oldest]
            oldest.end()

    def unseat(self, listener: Listener) -> None:
        agent_id = listener.player.agent_id
        here = self._listeners.get(agent_id, {})
        here.pop(listener, None)
        if not here:
            self._listeners.pop(agent_id, None)
        if self._streams.get(agent_id) is listener:
            del self._streams[agent_id]

    def supersede(self, agent_id: int, stream: NewestAlone) -> None:
        """Makes a stream the version's only one here, unless it has a newer one already."""
        earlier = self._streams.get(agent_id)
        if earlier and earlier.number > stream.number:
            return stream.supersede()
        if earlier:
            earlier.supersede()
        self._streams[agent_id] = stream
        return None

    # What is done without being asked

    def _everybody(self) -> list[Listener]:
        return [listener for here in self._listeners.values() for listener in here]

    def _heard(self, ids: Sequence[str]) -> None:
        for text in ids:
            if is_number(text):
                self._tell(int(text))

    async def _publish(self, decision_ids: Sequence[str]) -> Sequence[None]:
        await self._hints.publish(ANSWERED, decision_ids)
        return [None] * len(decision_ids)

    async def _keep(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Does something again and again, a lost database notwithstanding."""
        while True:
            try:
                await work()
                self._is_well = True
            except AWAY as error:
                if self._is_well:
                    logger.warning("The database is away, programs that call us wait: %s", error)
                self._is_well = False
            except Exception:  # an outermost loop: tokens that are revoked must be found whatever else went wrong
                logger.exception("Programs that call us are not looked after")
            await asyncio.sleep(seconds)

    async def _look_everywhere(self) -> None:
        """Finds what no hint told of: mail, tokens that were revoked, streams that are not the newest."""
        if everybody := self._everybody():
            await self._tell_of_mail(everybody)
            await self._check_tokens(everybody)
        if self._streams:
            await self._check_streams()

    async def _tell_of_mail(self, everybody: Sequence[Listener]) -> None:
        for agent_id in await self._looking.run(trips.who_has_mail, [one.wanted for one in everybody]):
            self._tell(agent_id)

    def _tell(self, agent_id: int) -> None:
        for listener in self._listeners.get(agent_id, {}):
            listener.look()

    async def _check_tokens(self, everybody: Sequence[Listener]) -> None:
        good = await self._doors.run(trips.still_good, {listener.player.token_id for listener in everybody})
        for listener in everybody:
            if listener.player.token_id not in good:
                listener.revoke()

    async def _check_streams(self) -> None:
        asked = dict(self._streams)
        newest = await self._doors.run(trips.newest_streams, list(asked))
        for agent_id, stream in asked.items():
            if newest.get(agent_id, 0) > stream.number:
                stream.supersede()

    async def _beat(self) -> None:
        has_failed, self._has_failed = self._has_failed, False
        try:
            await self._doors.run(trips.beat, self.name, 0.0 if has_failed else SILENT_SECONDS)
        except AWAY:
            self._has_failed = has_failed or self._has_failed
            raise
        self.keyring.forget_old()
        await self._note_seen()

    async def _note_seen(self) -> None:
        """Says which versions are there, of each at most once in five seconds; who has just come may play at once."""
        now = time.monotonic()
        self._seen = {agent_id: at for agent_id, at in self._seen.items() if now - at < GONE_SECONDS}
        here = self._callers | self._listeners.keys()
        self._callers.clear()
        due = [agent_id for agent_id in here if now - self._seen.get(agent_id, -inf) >= SEEN_SECONDS]
        if not due:
            return
        await self._doors.run(trips.note_seen, due)
        if just_come := set(due) - self._seen.keys():
            await self._doors.run(find_who_is_ready, sorted(just_come))
        self._seen |= dict.fromkeys(due, now)


async def _in_time(work: Awaitable[Told]) -> Told:
    """What the database says, if it says it in time."""
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            return await work
    except TimeoutError as error:
        raise OperationalError(f"no answer within {LONGEST_SECONDS:.0f} s") from error
