"""A line between programs and the service that cannot be relied on: replies are lost, streams cut, everything late."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Self

import aiohttp
from aiohttp import web

DROPS_EVERY, CUTS_EVERY = 10, 50
LATEST_S = 0.03
STREAM = "application/x-ndjson"
LOST = (aiohttp.ClientError, ConnectionError)


class FlakyLine:
    """A proxy in a thread and a loop of its own; a context. `url`: where programs call instead of the service.

    Of the replies every tenth is dropped after the service has given it, of a stream every fiftieth line is cut in its
    middle with all that would follow; before each of both it waits, by chance, at most 30 ms.
    """

    def __init__(self, upstream: str, seed: int = 6) -> None:
        self._upstream, self._chance = upstream, random.Random(seed)
        self.replies = self.dropped = self.lines = self.cut = 0

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)), daemon=True)
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self._pass)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector, auto_decompress=False) as self._session:
            runner = web.AppRunner(application, shutdown_timeout=0.1)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            ready.set()
            await self._stopped.wait()
            await runner.cleanup()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        headers = {
            key: value for key, value in request.headers.items() if key.lower() in ("authorization", "content-type")
        }
        timeout = aiohttp.ClientTimeout(total=None)
        sent = {"headers": headers, "data": await request.read(), "timeout": timeout}
        async with self._session.request(request.method, self._upstream + request.path_qs, **sent) as reply:
            if reply.content_type == STREAM:
                return await self._pass_stream(request, reply)
            body = await reply.read()
        await self._wait()
        self.replies += 1
        if self.replies % DROPS_EVERY == 0:
            self.dropped += 1
            _cut_off(request)
        return web.Response(body=body, status=reply.status, headers={"Content-Type": reply.headers["Content-Type"]})

    async def _pass_stream(self, request: web.Request, reply: aiohttp.ClientResponse) -> web.StreamResponse:
        passed = web.StreamResponse(headers={"Content-Type": STREAM})
        with suppress(*LOST):
            await passed.prepare(request)
            async for line in self._late(reply):
                self.lines += 1
                if self.lines % CUTS_EVERY == 0:
                    self.cut += 1
                    await passed.write(line[: len(line) // 2])
                    _cut_off(request)
                    break
                await passed.write(line)
        return passed

    async def _late(self, reply: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
        async for line in reply.content:
            await self._wait()
            yield line

    async def _wait(self) -> None:
        await asyncio.sleep(self._chance.random() * LATEST_S)


def _cut_off(request: web.Request) -> None:
    """Without a word more: as a line does it."""
    if request.transport is not None:
        request.transport.abort()
