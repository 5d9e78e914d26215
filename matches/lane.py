"""A lane: one worker process that plays many matches at once in one event loop.

It claims due matches, refills each slot as it falls free, renews its leases while the loop is alive, and lets go of
everything after a bounded time, so that a deploy drains and no message outlives the broker's patience.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress

from django.conf import settings

from matches.agents import NotPlayedHere, agents_of_every_kind
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.party_play import LettingGo
from matches.play import MatchPlay
from matches.public_ids import new_id
from matches.services.claim import Lease, claim_due, let_go, renew
from matches.services.finish import LostLease, set_aside

logger = logging.getLogger(__name__)
POLL_SECONDS = 0.5
TURN_SECONDS = 0.0005
SUSPECT_POLL_SECONDS = 0.05
MATCHES_A_THINKER = 4
"""As many matches keep a thinker busy while others of their seats are asked; more would hold slots and only wait."""


class Lane:
    """Plays due matches until none is left or its time is over. `owner` names it in the leases."""

    def __init__(self, slots: int, seconds: float) -> None:
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{new_id('')}"[:80]
        self.slots, self.seconds = slots, seconds
        self.playing: dict[asyncio.Task[None], MatchPlay] = {}
        self.played = 0

    async def run(self) -> int:
        """Returns how many matches it brought to their end."""
        async with AsyncExitStack() as stack:
            lag = LagMeter()
            self.ledger = await stack.enter_async_context(Ledger())
            self.agents = {
                kind: await stack.enter_async_context(agents)
                for kind, agents in agents_of_every_kind(lag, self.ledger).items()
            }
            async with asyncio.TaskGroup() as group:
                background = [group.create_task(lag.run()), group.create_task(self._renew_leases())]
                try:
                    await self._play()
                finally:
                    for task in [*background, *self.playing]:
                        task.cancel()
                    await asyncio.gather(*self.playing, return_exceptions=True)
        return self.played

    async def _play(self) -> None:
        stop_at = time.monotonic() + self.seconds
        while True:
            over = time.monotonic() >= stop_at
            if over:
                self._let_all_go()
            elif len(self.playing) < self.slots and not self._is_testing():
                await self._fill()
            if not self.playing:
                return
            pause = SUSPECT_POLL_SECONDS if self._is_testing() else POLL_SECONDS
            done, _ = await asyncio.wait(self.playing, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                self.playing.pop(task)
                if not task.cancelled():
                    task.result()

    def _is_testing(self) -> bool:
        """Whether a suspect has not played a card yet; until it has, the lane takes on nobody else."""
        return any(play.lease.is_suspect and not play.progress for play in self.playing.values())

    async def _fill(self) -> None:
        """Takes on what is due: matches in which house programs compute while they have slots, then the others."""
        if (room := self._room_for_thinking()) > 0:
            await self._claim(room, house_thinks=True)
        room = self.slots - len(self.playing)
        if room > 0 and settings.MATCH_LANE_TAKES != "thinking" and not self._is_testing():
            await self._claim(room, house_thinks=False)

    async def _claim(self, limit: int, *, house_thinks: bool) -> None:
        """A suspect is taken only while everybody here has played, so that it can harm nobody's count."""
        suspects = all(play.progress for play in self.playing.values())
        claim = {"suspects": suspects, "house_thinks": house_thinks}
        for lease in await self.ledger.run(lambda: claim_due(self.owner, limit, **claim)):
            play = MatchPlay(lease, self.ledger, self.agents)
            self.playing[asyncio.create_task(self._drive(play))] = play

    def _room_for_thinking(self) -> int:
        """How many more of those matches have slots here: half of them at most, so that neither kind keeps the other
        out, unless the lane takes no others.
        """
        if settings.MATCH_LANE_TAKES == "others":
            return 0
        share = self.slots if settings.MATCH_LANE_TAKES == "thinking" else max(1, self.slots // 2)
        held = sum(play.lease.house_thinks for play in self.playing.values())
        most = min(share, settings.HOUSE_THINKERS * MATCHES_A_THINKER)
        return min(most - held, self.slots - len(self.playing))

    def _let_all_go(self) -> None:
        for play in self.playing.values():
            play.letting_go = True

    async def _drive(self, play: MatchPlay) -> None:
        """One slot: whatever becomes of a match, the others go on."""
        try:
            await play.run()
            self.played += 1
        except LostLease:
            logger.info("Match %s is somebody else's now", play.lease.match_id)
        except LettingGo:
            await self.ledger.run(let_go, play.lease)
        except NotPlayedHere as refusal:
            logger.warning("Match %s is set aside: %s", play.lease.match_id, refusal)
            await self._set_aside(play.lease, str(refusal))
        except Exception:  # the worker's outermost loop: counted on the row, stalled in the end
            logger.exception("Match %s cannot go on", play.lease.match_id)
            await self._give_back(play.lease)

    async def _set_aside(self, lease: Lease, reason: str) -> None:
        with suppress(LostLease):
            await self.ledger.run(set_aside, lease, reason)

    async def _give_back(self, lease: Lease) -> None:
        try:
            await self.ledger.run(lambda: let_go(lease, progress=False))
        except Exception:  # without a database the lease runs out by itself
            logger.warning("Match %s keeps its lease until it runs out", lease.match_id)

    async def _renew_leases(self) -> None:
        while True:
            await asyncio.sleep(settings.MATCH_LEASE_SECONDS / 4)
            held = {task: play.lease for task, play in self.playing.items()}
            ours = await self.ledger.run(renew, self.owner, held.values())
            for task, lease in held.items():
                if lease.match_id not in ours and not task.done():
                    task.cancel()


def drive(slots: int, seconds: float) -> int:
    """Runs one lane in a loop of its own; returns how many matches it finished."""
    with _rare_collections(), _quick_turns():
        return asyncio.run(Lane(slots, seconds).run())


@contextmanager
def _quick_turns() -> Iterator[None]:
    """The ledger's thread begins and ends matches while the loop waits for its turn, with programs on the clock."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """A decision makes hundreds of objects and no cycles: looking for those took a sixth of a lane's time."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
