"""A line that breaks: streams in the middle of a message, answers between their arrival and the reply."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit

STREAM = b"GET /api/v1/bot/stream"
BUFFER = 65_536


class CuttingLine:
    """A context; `url` is a server that leads to `site`.

    Every stream is cut after `stream_bytes`, every n-th reply to anything else is lost, with its connection.
    """

    def __init__(self, site: str, stream_bytes: int, lost_reply: int) -> None:
        self._site = urlsplit(site)
        self._stream_bytes, self._lost_reply = stream_bytes, lost_reply
        self.streams_cut = self.replies = self.replies_lost = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(ready)), daemon=True)
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)

    async def _run(self, ready: threading.Event) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        self._open: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stopped.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            with suppress(OSError, asyncio.CancelledError):
                await self._join(reader, writer)
        finally:
            self._open.discard(task)
            writer.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        site_reader, site_writer = await asyncio.open_connection(self._site.hostname, self._site.port)
        streams = asyncio.Event()
        ways = [
            asyncio.create_task(_pass_on(reader, site_writer, streams)),
            asyncio.create_task(self._back(site_reader, writer, streams)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            site_writer.transport.abort()
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _back(self, site: asyncio.StreamReader, writer: asyncio.StreamWriter, streams: asyncio.Event) -> None:
        left = self._stream_bytes
        while left and (piece := await site.read(left)):
            if streams.is_set():
                left -= len(piece)
            elif self._is_lost():
                return
            writer.write(piece)
            await writer.drain()
        self.streams_cut += not left
        await asyncio.sleep(0.02)  # what was written is on its way before the line breaks

    def _is_lost(self) -> bool:
        self.replies += 1
        lost = self.replies % self._lost_reply == 0
        self.replies_lost += lost
        return lost


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, streams: asyncio.Event) -> None:
    """`streams` is set once a stream is asked for: on a connection, perhaps, that has carried answers."""
    while piece := await reader.read(BUFFER):
        if piece.startswith(STREAM):
            streams.set()
        writer.write(piece)
        await writer.drain()
