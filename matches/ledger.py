"""The lane's way to the database: one thread for the cards of all matches, one for all else.

The loop never waits for a disk. Events that arrive while a batch is being written form the next batch, so that the
price of a commit is shared by all who are waiting for it; and no card waits while a match is begun or brought to its
end, which takes as long as a hundred cards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, Self, TypeVar

from django.db import close_old_connections, connection

from matches.services.finish import LostLease
from matches.services.journal import NewEvent, Statement, appending, write_together

T = TypeVar("T")


class Rider(Protocol):
    """Work of another room that shares the events' trip to the database and their commit."""

    def statement(self) -> Statement | None:
        """What is to be taken along now, if anything."""
        ...

    def settle(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """The statement is committed, and this is what it returned."""
        ...

    def fail(self, error: Exception) -> None:
        """Nothing of that trip was committed."""
        ...


class Ledger:
    """`append` writes events in batches, in one thread; `run` does other work in another, in order."""

    def __init__(self) -> None:
        self._cards = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cards")
        self._else = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._waiting: list[tuple[NewEvent, asyncio.Future[None]]] = []
        self._riders: list[Rider] = []
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._in_both(close_old_connections)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._writer:
            await asyncio.wait([self._writer])
        await self._in_both(_close)
        self._cards.shutdown()
        self._else.shutdown()

    async def _in_both(self, work: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(thread, work) for thread in (self._cards, self._else)))

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._else, work, *arguments)

    def carry(self, rider: Rider) -> None:
        """Takes a rider along on every trip from now on."""
        self._riders.append(rider)

    async def append(self, event: NewEvent) -> None:
        """Returns when the event is committed; raises LostLease if it may not be written."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, future))
        self.wake()
        await future

    def wake(self) -> None:
        """Makes a trip as soon as the last one is over: events or a rider wait."""
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while True:
            batch, self._waiting = self._waiting, []
            riding = [(rider, wish) for rider in self._riders if (wish := rider.statement())]
            if not batch and not riding:
                return
            await self._trip(batch, riding)

    async def _trip(
        self, batch: list[tuple[NewEvent, asyncio.Future[None]]], riding: list[tuple[Rider, Statement]]
    ) -> None:
        statements = [appending([event for event, _ in batch])] if batch else []
        statements += [wish for _, wish in riding]
        try:
            loop = asyncio.get_running_loop()
            returned = await loop.run_in_executor(self._cards, write_together, statements)
        except Exception as error:  # every waiting match learns of it and gives up its turn
            for _, future in batch:
                _settle(future, error)
            for rider, _ in riding:
                rider.fail(error)
            return
        written = set(returned.pop(0)) if batch else set()
        for event, future in batch:
            _settle(future, None if (event.party_id, event.entry.seq) in written else LostLease())
        for (rider, _), rows in zip(riding, returned, strict=True):
            rider.settle(rows)


def _close() -> None:
    """Closes the connection of the thread that runs this."""
    connection.close()


def _settle(future: asyncio.Future[None], error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
