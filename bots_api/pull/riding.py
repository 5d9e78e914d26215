"""What rides with a lane's events to the mailbox and back: letters to programs, and looks at what they answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

from bots_api.pull.mailbox import Asked, Ended, Notice, looking, sending
from matches.ledger import Ledger
from matches.services.journal import Statement

logger = logging.getLogger(__name__)
LOOK_SECONDS: Final = 0.25

Letter = tuple[Asked | Notice, asyncio.Future[bool]]


class Outgoing:
    """Puts letters into the mailbox, in the order in which they came. `on_sent` is told for which versions."""

    def __init__(self, ledger: Ledger, on_sent: Callable[[Collection[int]], None]) -> None:
        self._ledger, self._on_sent = ledger, on_sent
        self._waiting: list[Letter] = []
        self._travelling: list[Letter] = []
        self._unsettled: set[asyncio.Future[bool]] = set()
        ledger.carry(self)

    async def close(self) -> None:
        """Returns when all is put in, or lost."""
        if self._unsettled:
            await asyncio.wait(self._unsettled)

    def send(self, letter: Asked | Notice) -> asyncio.Future[bool]:
        """Whether it is new, once it is committed: a decision may be there from a lane that was killed."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._unsettled.add(future)
        future.add_done_callback(self._unsettled.discard)
        self._waiting.append((letter, future))
        self._ledger.wake()
        return future

    def statement(self) -> Statement | None:
        """Whoever has given up his match by now sends nothing: another lane may be asking the same."""
        self._travelling = [(letter, future) for letter, future in self._waiting if not future.cancelled()]
        self._waiting = []
        return sending([letter for letter, _ in self._travelling]) if self._travelling else None

    def settle(self, rows: Sequence[tuple[Any, ...]]) -> None:
        is_new: dict[str, bool] = dict(rows)
        for letter, future in self._travelling:
            decision_id = letter.decision_id if isinstance(letter, Asked) else None
            if decision_id is None or decision_id in is_new:
                _settle(future, decision_id is None or is_new[decision_id])
            else:
                _fail(future, LookupError(f"version {letter.agent_id} has no counter of messages"))
        self._on_sent({letter.agent_id for letter, _ in self._travelling})

    def fail(self, error: Exception) -> None:
        notices = sum(isinstance(letter, Notice) for letter, _ in self._travelling)
        if notices:
            logger.error("%d notices to programs are lost: %r", notices, error)
        for _, future in self._travelling:
            _fail(future, error)


class Sought:
    """Open decisions that somebody here waits for. What ended is found by hints, and by looking often."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._open: dict[str, asyncio.Future[Ended]] = {}
        self._asked_for: set[str] = set()
        ledger.carry(self)

    async def ended(self, decision_id: str, *, look: bool) -> Ended:
        """Returns once the decision has ended. `look`: it may have ended before."""
        future = self._open[decision_id] = asyncio.get_running_loop().create_future()
        if look:
            self.look([decision_id])
        try:
            return await future
        finally:
            if self._open.get(decision_id) is future:
                del self._open[decision_id]

    def look(self, decision_ids: Iterable[str]) -> None:
        """Looks at those of these decisions that are waited for."""
        ours = self._open.keys() & set(decision_ids)
        if ours:
            self._asked_for |= ours
            self._ledger.wake()

    async def keep_looking(self) -> None:
        """Runs until cancelled: it finds what no hint told of, and closes what is over."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look(self._open.keys())

    def statement(self) -> Statement | None:
        wanted, self._asked_for = self._asked_for & self._open.keys(), set()
        return looking(wanted) if wanted else None

    def settle(self, rows: Sequence[tuple[Any, ...]]) -> None:
        for row in rows:
            ended = Ended(*row)
            if ended.decision_id in self._open:
                _settle(self._open[ended.decision_id], ended)

    def fail(self, error: Exception) -> None:
        """Nothing is lost: the next look finds the same."""


def _settle(future: asyncio.Future[Any], value: object) -> None:
    if not future.done():
        future.set_result(value)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # nobody waits for most notices
