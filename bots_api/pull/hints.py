"""Hints through the broker that there is something new in the mailbox, so that nobody waits for his next look there.

They are never more than that: without a broker, or with one that forgets, programs hear a fraction of a second later.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, Self

from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
ASKED: Final = "manela:pull:asked"
"""The versions, as their agents' keys, for which there is something new."""
ANSWERED: Final = "manela:pull:answered"
"""The ids of decisions that were answered or closed."""
PATIENCE_SECONDS: Final = 0.5
PAUSE_SECONDS: Final = 1.0
QUIET_SECONDS: Final = 10.0
"""After so long without a word the broker is asked whether it is still there."""

Heard = Callable[[Sequence[str]], None]


class Hints:
    """One process's way to the broker; a context. `publish` never raises, `listen` never gives up."""

    def __init__(self) -> None:
        self._client = Redis.from_url(
            settings.HINTS_URL,
            socket_timeout=PATIENCE_SECONDS,
            socket_connect_timeout=PATIENCE_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._tasks: list[asyncio.Task[None]] = []
        self._unsaid: dict[str, set[object]] = {}
        self._saying: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()
        self._silent_until = 0.0
        self._is_heard, self._is_over = True, False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_over = True
        if self._saying is not None:
            await self._saying
        async with self._connecting:  # whoever is cut off in there leaves a socket behind
            for task in self._tasks:
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()

    async def publish(self, channel: str, ids: Iterable[object]) -> None:
        """Tells whoever listens. While the broker is away nobody waits for it: it is tried once a second."""
        payload = ",".join(map(str, ids))
        if not payload or time.monotonic() < self._silent_until:
            return
        try:
            await self._client.publish(channel, payload)
            self._is_heard = True
        except (RedisError, OSError) as error:
            self._silent_until = time.monotonic() + PAUSE_SECONDS
            self._complain(error)

    def mention(self, channel: str, ids: Iterable[object]) -> None:
        """`publish` for whoever does not wait: what comes up while one hint goes out makes the next."""
        if self._is_over:
            return
        self._unsaid.setdefault(channel, set()).update(ids)
        if self._saying is None or self._saying.done():
            self._saying = asyncio.create_task(self._say())

    async def _say(self) -> None:
        while self._unsaid:
            await self.publish(*self._unsaid.popitem())

    def listen(self, channel: str, on_ids: Heard) -> None:
        """Calls `on_ids` in this loop with every hint of a channel, from now until the context ends."""
        self._tasks.append(asyncio.create_task(self._keep_listening(channel, on_ids)))

    async def _keep_listening(self, channel: str, on_ids: Heard) -> None:
        while True:
            with suppress(RedisError, OSError):  # the speaker tells of it
                await self._hear(channel, on_ids)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _hear(self, channel: str, on_ids: Heard) -> None:
        async with self._client.pubsub(ignore_subscribe_messages=True) as subscribed:
            async with self._connecting:
                await subscribed.subscribe(channel)
            while message := await self._next(subscribed):
                if message["type"] == "message":
                    on_ids(message["data"].decode().split(","))

    async def _next(self, subscribed: PubSub) -> dict[str, Any] | None:
        """What comes next; None if nobody is there any more: a host that vanishes says no word of it."""
        if message := await subscribed.get_message(timeout=QUIET_SECONDS):
            return message
        await subscribed.ping()
        return await subscribed.get_message(timeout=QUIET_SECONDS)

    def _complain(self, error: Exception) -> None:
        if self._is_heard:
            logger.warning("No hints to programs that call us go out, they hear a little later: %s", error)
        self._is_heard = False
