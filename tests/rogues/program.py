"""A program as the platform meets it: a real HTTP server on loopback, on asyncio streams, so that it can misbehave.

It remembers all that it was sent. What it does with a message is a `Behaviour`; see `behaviours`.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Request:
    """One POST as it came in; header names in lower case."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass(slots=True)
class Exchange:
    """A request with the means to answer it, or not. `number` counts the requests to the program from 1."""

    request: Request
    number: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    keep: bool = field(default=True, init=False)

    @property
    def message(self) -> dict[str, Any]:
        return self.request.message

    async def send(self, raw: bytes) -> None:
        self.writer.write(raw)
        await self.writer.drain()

    async def reply(self, body: bytes = b"", status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        await self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    async def reply_json(self, value: object, status: int = 200) -> None:
        await self.reply(json.dumps(value).encode(), status)

    def hang_up(self) -> None:
        """Closes the connection once this exchange is over."""
        self.keep = False

    def reset(self) -> None:
        """Cuts the connection off with a reset."""
        self.keep = False
        self.writer.transport.abort()

    async def until_cut(self) -> None:
        """Waits until the platform has closed the connection."""
        while await self.reader.read(1_000):
            pass
        self.keep = False


Behaviour = Callable[[Exchange], Awaitable[None]]


class Program:
    """The server, in a thread and a loop of its own; a context. `url` is where it listens, with TLS if it is given."""

    def __init__(
        self, behaviour: Behaviour, port: int = 0, *, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
    ) -> None:
        self._behaviour, self._port, self._host, self._tls = behaviour, port, host, tls
        self.received: list[Request] = []
        self.connections = self.cut_off = 0

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://{self._host}:{self._port}/play"

    @property
    def port(self) -> int:
        return self._port

    def messages(self, kind: str = "decision") -> list[dict[str, Any]]:
        """What it was sent, of one type, in the order in which it came."""
        return [message for request in list(self.received) if (message := request.message)["type"] == kind]

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self.serve(ready.set)), daemon=True)
        self._thread.start()
        assert ready.wait(5)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(5)

    async def serve(self, ready: Callable[[], None]) -> None:
        """Serves until `__exit__`; calls `ready` when it listens."""
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        self._open: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._accept, self._host, self._port, backlog=512, ssl=self._tls)
        self._port = server.sockets[0].getsockname()[1]
        ready()
        await self._stopped.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._converse(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            keep = True
            while keep and (request := await _read_request(reader)):
                self.received.append(request)
                exchange = Exchange(request, len(self.received), reader, writer)
                await self._behaviour(exchange)
                keep = exchange.keep
        except ConnectionError:
            self.cut_off += 1
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next POST of a connection, None at its end."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode().split("\r\n")[1:-2]
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        return Request(headers, await reader.readexactly(int(headers["content-length"])))
    except asyncio.IncompleteReadError:
        return None
