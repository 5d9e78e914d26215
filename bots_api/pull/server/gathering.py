"""Work of many requests that goes to the database on one trip."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Self, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

Asked = TypeVar("Asked")
Told = TypeVar("Told")

AWAY = (DatabaseError, InterfaceError)
"""What is raised where our database is away or cannot do what it was asked."""
MOST_AT_ONCE = 500


class Clerk:
    """One thread with one connection to the database, which works in the order in which it is asked."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.run(_close)
        self._thread.shutdown(wait=False)

    async def run(self, work: Callable[..., Told], *arguments: object) -> Told:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _tried, work, *arguments)


def _close() -> None:
    """Looked up where it runs: each thread has a connection of its own."""
    connection.close()


def _tried(work: Callable[..., Told], *arguments: object) -> Told:
    """Tries once more over a new connection: the old one may be to a server that has been started again since.

    All that clerks do may be done twice.
    """
    try:
        return work(*arguments)
    except (OperationalError, InterfaceError):
        connection.close()
    try:
        return work(*arguments)
    except AWAY:
        connection.close()
        raise


class Gathering(Generic[Asked, Told]):
    """Those who ask while one trip is under way gather for the next. `trip`: one answer a question, in their order."""

    def __init__(self, trip: Callable[[Sequence[Asked]], Awaitable[Sequence[Told]]]) -> None:
        self._trip = trip
        self._waiting: list[tuple[Asked, asyncio.Future[Told]]] = []
        self._travelling: asyncio.Task[None] | None = None

    def ask(self, question: Asked) -> asyncio.Future[Told]:
        future: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, future))
        if self._travelling is None or self._travelling.done():
            self._travelling = asyncio.create_task(self._travel())
        return future

    async def _travel(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                told = await self._trip([question for question, _ in batch])
            except Exception as error:  # whatever it is, everybody on this trip learns of it
                for _, future in batch:
                    _fail(future, error)
            else:
                for (_, future), answer in zip(batch, told, strict=True):
                    if not future.done():
                        future.set_result(answer)


def _fail(future: asyncio.Future[Told], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # whoever asked may have gone by now
