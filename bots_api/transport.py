"""Calling a stranger's address: checked, pinned, bounded in time and size. On aiohttp.

The name is resolved once per connection, every answer is checked, and the connection goes to a checked answer.
Redirects, proxies, cookies and content encodings are refused; one deadline covers everything from DNS to the last byte.
"""

from __future__ import annotations

import asyncio
import math
import socket
import ssl
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler
from django.conf import settings
from yarl import URL

from bots_api.addresses import AddressRefused, check_url
from bots_api.resolving import CheckedResolver, LookUp
from bots_api.wire import REPLY_LIMIT, printable
from matches.lag import LagMeter

# How late a call may be cut off. One watch over all calls: a timer for each would cost more than its parcel.
WATCH_SECONDS = 0.02
Key = aiohttp.client_reqrep.ConnectionKey
# Under the five seconds after which common servers close an idle connection: theirs and ours would cross.
KEEPALIVE_SECONDS = 4
OPENING_DEADLINE_MS = 1_000
GONE = 410
"""A program's own word that it plays no more, whatever it was sent."""
BYTES_READ = 2 * REPLY_LIMIT
"""Of one reply, its head and all that chunks add to its body included."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A complete answer. `body` holds at most one byte more than the limit.

    `elapsed_ms` is free of our own delays; `connecting_ms` of it went by before the message could be sent.
    """

    status: int
    body: bytes
    elapsed_ms: int
    connecting_ms: int = 0
    retry_after: str = ""
    encoded: bool = False


class CallFailed(Exception):
    """No answer came, or none that is whole.

    `before_reply`: nothing of one had arrived, so that the call may be sent again. `received`: what had, its head
    included, and at most one byte more than the limit.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        elapsed_ms: int,
        *,
        connecting_ms: int = 0,
        before_reply: bool = False,
        received: bytes = b"",
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.before_reply = code, detail, before_reply
        self.elapsed_ms, self.connecting_ms = elapsed_ms, connecting_ms
        self.received = received


class Transport:
    """A pool of kept-alive connections to programs. Open and close it as a context."""

    def __init__(
        self,
        lag: LagMeter,
        *,
        allow_loopback: bool,
        allow_http: bool,
        look_up: LookUp = socket.getaddrinfo,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._lag = lag
        self._allow_loopback, self._allow_http = allow_loopback, allow_http
        self._look_up, self._tls = look_up, tls
        self._checked: dict[str, URL] = {}
        self._calls: set[_Call] = set()
        self._opening: dict[str, tuple[_Call, asyncio.Task[None]]] = {}
        self._kept: dict[str, Key | None] = {}

    @classmethod
    def of_settings(cls, lag: LagMeter) -> Self:
        """Under this installation's address rule."""
        return cls(lag, allow_loopback=settings.PUSH_ALLOW_LOOPBACK, allow_http=settings.PUSH_ALLOW_HTTP)

    async def __aenter__(self) -> Self:
        self._connector = _Connector(
            limit=0,
            resolver=CheckedResolver(self._allow_loopback, self._look_up, lambda: _current.get().waiting()),
            use_dns_cache=False,
            keepalive_timeout=KEEPALIVE_SECONDS,
            ssl=self._tls or True,
        )
        self._session = aiohttp.ClientSession(
            connector=self._connector,
            trust_env=False,
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            skip_auto_headers=["Accept"],
            headers={"User-Agent": "manela/1", "Accept-Encoding": "identity", "Content-Type": "application/json"},
        )
        self._watch = asyncio.create_task(self._cut_off_the_late())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._watch.cancel()
        openings = [opening for _, opening in self._opening.values()]
        for opening in openings:
            opening.cancel()
        await asyncio.gather(*openings, return_exceptions=True)
        await self._session.close()

    async def _cut_off_the_late(self) -> None:
        """Runs until cancelled."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            now = time.monotonic()
            for call in self._calls:
                if call.due <= now:
                    call.ring()

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], deadline_ms: int, free_ms: int = 0
    ) -> HttpReply:
        """One POST; raises CallFailed.

        `deadline_ms` counts from now to the last byte, without our own delays and `free_ms` of connecting at most.
        """
        return await self._made(_Call(self._lag, deadline_ms, free_ms), url, body, headers)

    def open_ahead(self, url: str) -> None:
        """Begins to open a connection if none idles, for the next call; that one tells why there is none.

        Only to a server that kept the last one: whoever closes after each reply may serve one at a time, and would
        sit there waiting for what comes over ours.
        """
        key = self._kept.get(url)
        if key is not None and url not in self._opening and not self._connector.idles(key):
            call = _Call(self._lag, OPENING_DEADLINE_MS, opens_only=True)
            opening = asyncio.create_task(self._open(call, url))
            self._opening[url] = call, opening
            opening.add_done_callback(lambda _: self._opening.pop(url, None))

    async def _open(self, call: _Call, url: str) -> None:
        with suppress(CallFailed, _IsOpen):
            await self._made(call, url, b"", {})

    async def _made(self, call: _Call, url: str, body: bytes, headers: Mapping[str, str]) -> HttpReply:
        _current.set(call)
        try:
            async with asyncio.timeout(None) as scope:
                call.scope = scope
                self._calls.add(call)
                await self._until_opened(call, url)
                reply = await self._send(call, self._checked_url(url), body, headers)
                self._kept[url] = call.key if self._connector.idles(call.key) else None
                return reply
        except AddressRefused as error:
            raise call.failed("unreachable", str(error)) from error
        except (aiohttp.ClientPayloadError, aiohttp.ClientResponseError) as error:
            raise call.failed("http_error", f"The reply broke off or is no HTTP: {_brief(error)}") from error
        except (aiohttp.ClientError, OSError, UnicodeError) as error:
            if scope.expired():
                raise call.late() from error
            unheard = call.is_unheard(error)
            code = "unreachable" if unheard else "http_error"
            raise call.failed(code, _told(error), before_reply=unheard) from error
        finally:
            self._calls.discard(call)

    async def _until_opened(self, call: _Call, url: str) -> None:
        """Waits for a connection that is being opened already: a second one would be there no sooner.

        Not for one whose name waits for its turn: that time is ours, and the call is to notice it itself.
        """
        ahead, opening = self._opening.get(url, (call, None))
        if opening and not call.opens_only and not ahead.is_waiting:
            await asyncio.wait([opening])

    def _checked_url(self, url: str) -> URL:
        """A URL is checked when it is first called; the name in it is resolved and checked at each connection."""
        if url not in self._checked:
            check_url(url, allow_http=self._allow_http, allow_loopback=self._allow_loopback)
            self._checked[url] = URL(url)
        return self._checked[url]

    async def _send(self, call: _Call, url: URL, body: bytes, headers: Mapping[str, str]) -> HttpReply:
        async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as response:
            call.replying = True
            received = await _read(response)
            encoding = response.headers.get("Content-Encoding", "identity").lower()
            return HttpReply(
                status=response.status,
                body=received,
                elapsed_ms=call.elapsed_ms(),
                connecting_ms=call.connecting_ms,
                retry_after=response.headers.get("Retry-After", ""),
                encoded=encoding != "identity",
            )


@asynccontextmanager
async def open_transport(lag: LagMeter) -> AsyncIterator[Transport]:
    """A transport under this installation's address rule, and the measure of our own delays, which beats meanwhile."""
    beating = asyncio.create_task(lag.run())
    try:
        async with Transport.of_settings(lag) as transport:
            yield transport
    finally:
        beating.cancel()


class _Call:
    """The stopwatch of one call, and the alarm that cuts it off when it is `due`."""

    scope: asyncio.Timeout
    key: Key
    connection: _Received | None
    _stands_at: float | None

    def __init__(self, lag: LagMeter, deadline_ms: int, free_ms: int = 0, *, opens_only: bool = False) -> None:
        self._lag, self._lag_before = lag, lag.seconds()
        self._began = time.monotonic()
        self._deadline_ms, self._free_ms = deadline_ms, free_ms
        self.opens_only = opens_only
        self.due = self._began + deadline_ms / 1_000
        self._infra = self._rang = False
        self.replying, self.connection = False, None
        self._given_back, self._stands_at = 0.0, None
        self._connected_ms: int | None = None

    def ring(self) -> None:
        """The deadline by the wall clock. Time that our own loop lost is given back before the call is cut off, and
        what connecting took of the time that is free.

        A reply that came while the loop slept is still in the socket, so the first alarm after a long sleep is never
        the last one; whoever is asked by a loop that sleeps most of the time is let off as `infra`.
        """
        left_ms = self._limit_ms - self.elapsed_ms()
        self._infra = self._rang and left_ms > 0 and self.own_delay_ms() >= self._deadline_ms
        if left_ms <= 0 or self._infra:
            self.due = math.inf
            self.scope.reschedule(asyncio.get_running_loop().time())
        else:
            self._rang = True
            self.due = time.monotonic() + left_ms / 1_000

    @property
    def _limit_ms(self) -> int:
        return self._deadline_ms + min(self.connecting_ms, self._free_ms)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While it is open the stopwatch stands: the call waits for its turn with us, and nothing is done for it."""
        self._stands_at = time.monotonic() - self._began - self._own_delay()
        try:
            yield
        finally:
            self._given_back, self._lag_before = self._own_delay(), self._lag.seconds()
            self._stands_at = None

    @property
    def is_waiting(self) -> bool:
        return self._stands_at is not None

    def _own_delay(self) -> float:
        if self._stands_at is not None:
            return time.monotonic() - self._began - self._stands_at
        return self._given_back + self._lag.seconds() - self._lag_before

    def own_delay_ms(self) -> int:
        return int(self._own_delay() * 1_000)

    def elapsed_ms(self) -> int:
        return max(0, int((time.monotonic() - self._began) * 1_000) - self.own_delay_ms())

    @property
    def connecting_ms(self) -> int:
        """All of it, until there is a connection."""
        return self.elapsed_ms() if self._connected_ms is None else self._connected_ms

    def connected(self) -> None:
        self._connected_ms = self.elapsed_ms()

    def is_unheard(self, error: Exception) -> bool:
        """Whether nothing of a reply had come. A connection closed inside the head leaves what came in `message`."""
        heard = isinstance(error, aiohttp.ServerDisconnectedError) and not isinstance(error.message, str)
        return not self.replying and not heard

    def failed(
        self, code: str, detail: str, *, elapsed_ms: int | None = None, before_reply: bool = False
    ) -> CallFailed:
        return CallFailed(
            code,
            detail,
            self.elapsed_ms() if elapsed_ms is None else elapsed_ms,
            connecting_ms=self.connecting_ms,
            before_reply=before_reply,
            received=bytes(self.connection.heard) if self.connection is not None else b"",
        )

    def late(self) -> CallFailed:
        """The deadline has passed: the program's fault, unless our own loop slept through it."""
        if self._infra:
            return self.failed("infra", f"The platform itself was busy for {self.own_delay_ms()} ms.")
        detail = f"No complete reply within {self._deadline_ms} ms."
        return self.failed("timeout", detail, elapsed_ms=self._limit_ms)


_current: ContextVar[_Call] = ContextVar("call")


class _IsOpen(Exception):
    """A connection is there, and nothing is to be sent over it yet."""


class _Received(ResponseHandler):
    """Reads so many bytes of a reply and no more; what is beyond them stays in the socket until that is closed.

    A flood that never becomes a body, of blank lines or interim replies, would keep our loop from everybody else's.
    `heard`: the reply as it came, or the beginning of one that is longer than a whole one may be.
    """

    _room = BYTES_READ

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.heard = bytearray()

    def set_response_params(self, **named: Any) -> None:
        super().set_response_params(**named)
        self._room = BYTES_READ
        self.heard.clear()
        if self.transport is not None:
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        self.heard += data[: REPLY_LIMIT + 1 - len(self.heard)]
        super().data_received(data[: self._room])
        self._room -= min(self._room, len(data))
        if self._room == 0 and self.transport is not None:
            self.transport.pause_reading()

    def resume_reading(self, resume_parser: bool = True) -> None:
        if self._room > 0:
            super().resume_reading(resume_parser)


class _Connector(aiohttp.TCPConnector):
    """Tells the call when it has a connection: what opening one takes is not the program's thinking."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        reader: type[ResponseHandler] = _Received
        self._factory = partial(reader, loop=self._loop)

    async def connect(self, req: aiohttp.ClientRequest, *arguments: Any, **named: Any) -> aiohttp.connector.Connection:
        call = _current.get()
        connection = await super().connect(req, *arguments, **named)
        if call.opens_only:
            connection.release()
            raise _IsOpen
        call.key = req.connection_key
        call.connection = cast(_Received, connection.protocol)
        call.connected()
        return connection

    def idles(self, key: Key) -> bool:
        """Whether a connection waits there that a call would take."""
        given_up_before = time.monotonic() - KEEPALIVE_SECONDS
        kept = self._conns.get(key, ())
        return any(protocol.is_connected() and since > given_up_before for protocol, since in kept)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    """The body, cut one byte past the limit; the rest is never read (the connection is closed)."""
    received = bytearray()
    async for chunk in response.content.iter_any():
        received += chunk
        if len(received) > REPLY_LIMIT:
            response.close()
            break
    return bytes(received[: REPLY_LIMIT + 1])


def _told(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientConnectorDNSError | UnicodeError):
        return "The name cannot be resolved."
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"No connection: {_brief(error.strerror or error)}"
    return f"The connection was closed: {_brief(error)}"


def _brief(error: object) -> str:
    """What aiohttp says, which may hold bytes of the program's."""
    told = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
    return printable(" ".join(told[:1_000].split()))[:200] or type(error).__name__
