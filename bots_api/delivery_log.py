"""The delivery log: rows gathered in memory and written together. It is a log: a kill loses its last moment."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import psycopg
from django.db import DatabaseError, connection

logger = logging.getLogger(__name__)
FLUSH_SECONDS = 0.25
KEPT_BYTES = 20_000


class Delivered(NamedTuple):
    """One line of the log; the fields are `Delivery`'s columns."""

    agent_id: int
    message: str
    seq: int
    game: str
    message_id: str
    attempt: int
    outcome: str
    detail: str
    status: int | None
    elapsed_ms: int
    action: str
    note: str
    request: str
    reply: str
    sent_at: datetime


COPY = f"COPY bots_api_delivery ({', '.join(Delivered._fields)}) FROM STDIN"


def write(rows: Sequence[Delivered]) -> None:
    """Writes rows in one statement: all of them or none."""
    with connection.cursor() as cursor, cursor.copy(COPY) as copy:
        for row in rows:
            copy.write_row(row)


# In portions, so that no lock and no transaction grows with the log.
FORGET = """
DELETE FROM bots_api_delivery WHERE id IN (
    SELECT id FROM bots_api_delivery WHERE sent_at < now() - make_interval(days => %s) ORDER BY id LIMIT %s
)
"""


def forget_older_than(days: int, portion: int = 10_000) -> int:
    """Deletes rows that are older; returns how many there were."""
    forgotten = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(FORGET, [days, portion])
            forgotten += cursor.rowcount
            if cursor.rowcount < portion:
                return forgotten


class DeliveryLog:
    """Takes rows at any moment, writes them a few times a second. What cannot be written never stops a game."""

    def __init__(self, run: Callable[..., Awaitable[None]]) -> None:
        self._run = run
        self._rows: list[Delivered] = []
        self._closing = asyncio.Event()

    def add(self, row: Delivered) -> None:
        self._rows.append(row)

    async def flush(self) -> None:
        if not self._rows:
            return
        rows, self._rows = self._rows, []
        try:
            await self._run(write, rows)
        except (DatabaseError, psycopg.Error):  # Django leaves the errors of a COPY as they are
            logger.exception("%d lines of the delivery log are lost", len(rows))

    async def keep_flushing(self) -> None:
        """Runs until `close`, and then writes what is left. Not to be cancelled: lines that are being written would be
        lost."""
        while not self._closing.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_SECONDS):
                    await self._closing.wait()
            await self.flush()

    def close(self) -> None:
        self._closing.set()


class NoLog(DeliveryLog):
    """Keeps nothing: of an examination its own rows tell, and figures are of games."""

    def add(self, row: Delivered) -> None:
        pass
