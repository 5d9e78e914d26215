"""The lane's one way to the database: a thread that writes for many matches at once.

The loop never waits for a disk. Events that arrive while a batch is being written form the next batch, so that the
price of a commit is shared by all who are waiting for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self, TypeVar

from django.db import close_old_connections, connection

from matches.services.finish import LostLease
from matches.services.journal import NewEvent, append

T = TypeVar("T")


class Ledger:
    """Runs database work in one thread, in order; `append` is batched."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._waiting: list[tuple[NewEvent, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.run(close_old_connections)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._writer:
            await asyncio.wait([self._writer])
        await self.run(_close)
        self._thread.shutdown()

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def append(self, event: NewEvent) -> None:
        """Returns when the event is committed; raises LostLease if it may not be written."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, future))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await future

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                written = await self.run(append, [event for event, _ in batch])
            except Exception as error:  # every waiting match learns of it and gives up its turn
                for _, future in batch:
                    _settle(future, error)
            else:
                for event, future in batch:
                    _settle(future, None if (event.party_id, event.seq) in written else LostLease())


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
