"""HTTP over a plain socket, where what counts is when each byte comes and goes: nothing between us and the program.

The address rule is that of play: the URL is checked, each answer of the name server too, and the connection goes to a
checked one.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from bots_api.addresses import check_url
from bots_api.resolving import CheckedResolver, LookUp
from bots_api.wire import REPLY_LIMIT, is_number

HEAD_END: Final = b"\r\n\r\n"
LONGEST_REPLY: Final = REPLY_LIMIT + 16_384
"""Bytes, head and chunk sizes included."""
QUICK_ACK: Final = getattr(socket, "TCP_QUICKACK", None)
"""Linux can be told whether to delay the next acknowledgement; other systems have no such option."""


class Acks(IntEnum):
    """When we acknowledge what has come; the system decides where nothing is said."""

    LATE = 0
    """with our next message, or after 40 ms: as on any connection that goes back and forth for a while"""
    AT_ONCE = 1


class NoHttp(Exception):
    """What came is no complete HTTP reply; the text says how."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A reply with its time: milliseconds from the request's last byte to the reply's first and to its last.

    `pieces`: how many times something arrived. `closes`: the program will not take another request here.
    """

    status: int
    body: bytes
    first_ms: float
    last_ms: float
    pieces: int
    closes: bool

    @property
    def gap_ms(self) -> float:
        return self.last_ms - self.first_ms


class PlainConnection:
    """One connection; what is asked on it is asked in turn."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, url: str) -> None:
        parts = urlsplit(url)
        self._reader, self._writer = reader, writer
        self._path = parts.path or "/"
        self._path += f"?{parts.query}" if parts.query else ""
        self._host = parts.netloc
        self.acks: Acks | None = None

    def request(self, body: bytes, headers: Mapping[str, str]) -> bytes:
        lines = [f"POST {self._path} HTTP/1.1", f"Host: {self._host}", "Content-Type: application/json"]
        lines += [f"Content-Length: {len(body)}", "Accept-Encoding: identity", "User-Agent: manela/1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join(lines).encode() + HEAD_END + body

    async def ask(self, request: bytes) -> Timed:
        """Sends a request in one piece and reads the reply as it comes; raises NoHttp, OSError."""
        self._writer.write(request)
        return await self._reply(time.perf_counter(), piece=65_536, pause=0)

    async def ask_slowly(self, request: bytes, seconds: float, pieces: int) -> Timed:
        """Trickles a request over so many seconds, and reads the reply in small bites; raises NoHttp, OSError."""
        step = max(1, -(-len(request) // pieces))
        for at in range(0, len(request), step):
            self._writer.write(request[at : at + step])
            await self._writer.drain()
            await asyncio.sleep(seconds / pieces)
        return await self._reply(time.perf_counter(), piece=64, pause=0.01)

    async def _reply(self, began: float, piece: int, pause: float) -> Timed:
        received, pieces, first_ms = bytearray(), 0, 0.0
        while (reply := _read(bytes(received), ended=False)) is None:
            self._set_acks()
            got = await self._reader.read(piece)
            pieces, first_ms = pieces + 1, first_ms or _ms_since(began)
            if not got or len(received) > LONGEST_REPLY:
                reply = _read(bytes(received), ended=True)
                break
            received += got
            await asyncio.sleep(pause)
        if reply is None:
            raise NoHttp(_why_no_reply(bytes(received)))
        status, body, closes = reply
        return Timed(status, body, first_ms, _ms_since(began), pieces, closes)

    def _set_acks(self) -> None:
        """Said before every read: the system forgets it."""
        if self.acks is not None and QUICK_ACK is not None:
            self._writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, QUICK_ACK, self.acks)


@asynccontextmanager
async def plain_connection(
    url: str, *, look_up: LookUp = socket.getaddrinfo, tls: ssl.SSLContext | None = None
) -> AsyncIterator[PlainConnection]:
    """A connection to a checked address of the URL's host; raises AddressRefused, OSError.

    `tls`: whom to trust where the URL is https; whom the system does if it is None.
    """
    check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
    parts = urlsplit(url)
    is_tls = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if is_tls else 80)
    context = (tls or ssl.create_default_context()) if is_tls else None
    reader, writer = await _opened(await _checked_addresses(host, port, look_up), port, context, host)
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        yield PlainConnection(reader, writer, url)
    finally:
        writer.close()
        with suppress(OSError, ssl.SSLError):
            await writer.wait_closed()


async def _opened(
    addresses: Sequence[str], port: int, tls: ssl.SSLContext | None, host: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first of the addresses that takes one; raises OSError."""
    failure: OSError | None = None
    for address in addresses:
        try:
            return await asyncio.open_connection(
                address, port, limit=LONGEST_REPLY, ssl=tls, server_hostname=host if tls else None
            )
        except OSError as error:
            failure = error
    raise failure or OSError(f"{host} has no address.")


async def _checked_addresses(host: str, port: int, look_up: LookUp) -> list[str]:
    resolver = CheckedResolver(settings.PUSH_ALLOW_LOOPBACK, look_up)
    try:
        return [answer["host"] for answer in await resolver.resolve(host, port)]
    finally:
        await resolver.close()


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1_000


def _read(received: bytes, *, ended: bool) -> tuple[int, bytes, bool] | None:
    """Status, body and whether the connection ends with it, of a whole reply; None while there is more to come."""
    head, found, rest = received.partition(HEAD_END)
    if not found:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = _body(headers, rest, ended)
    return None if body is None else (_status(first), body, _closes(first, headers))


def _status(first: str) -> int:
    version, _, rest = first.partition(" ")
    if not version.startswith("HTTP/1.") or not (len(rest) >= 3 and is_number(rest[:3])):
        raise NoHttp(f"The reply does not begin as HTTP/1.1 does: {first[:60]!r}")
    return int(rest[:3])


def _closes(first: str, headers: Mapping[str, str]) -> bool:
    connection = headers.get("connection", "").lower()
    is_old = first.startswith("HTTP/1.0") and "keep-alive" not in connection
    return is_old or "close" in connection or not ({"content-length", "transfer-encoding"} & headers.keys())


def _body(headers: Mapping[str, str], rest: bytes, ended: bool) -> bytes | None:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return _unchunked(rest)
    length = headers.get("content-length", "")
    if not length:
        return rest if ended else None
    if not is_number(length):
        raise NoHttp(f"Content-Length is {length[:40]!r}")
    return rest[: int(length)] if len(rest) >= int(length) else None


def _unchunked(rest: bytes) -> bytes | None:
    """By places in what came, not by cutting it: it is read again with every byte of a program that trickles."""
    parts: list[bytes] = []
    at = 0
    while (end := rest.find(b"\r\n", at)) >= 0:
        length = _chunk_size(rest[at:end])
        at = end + 2 + length + 2
        if at > len(rest):
            return None
        if length == 0:
            return b"".join(parts)
        parts.append(rest[end + 2 : at - 2])
    return None


def _chunk_size(line: bytes) -> int:
    try:
        size = int(line.partition(b";")[0], 16)
    except ValueError:
        size = -1
    if size < 0:
        raise NoHttp(f"A chunk of the size {line[:40]!r}")
    return size


def _why_no_reply(received: bytes) -> str:
    if not received:
        return "The connection was closed without a reply."
    return f"The reply broke off or is too long, after {len(received)} bytes: {received[:80]!r}"
