"""Calling a stranger's address: checked, pinned, bounded in time and size. On aiohttp.

The name is resolved once per connection, every answer is checked, and the connection goes to a checked answer.
Redirects, proxies, cookies and content encodings are refused; one deadline covers everything from DNS to the last byte.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from bots_api.addresses import AddressRefused, check_url, may_call
from bots_api.wire import REPLY_LIMIT
from matches.lag import LagMeter


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A complete answer. `body` holds at most one byte more than the limit; `elapsed_ms` is free of our own delays."""

    status: int
    body: bytes
    elapsed_ms: int
    retry_after: str = ""
    encoded: bool = False


class CallFailed(Exception):
    """No answer came. `before_reply`: nothing of a reply had arrived, so that the call may be sent again."""

    def __init__(self, code: str, detail: str, elapsed_ms: int, *, before_reply: bool = False) -> None:
        super().__init__(detail)
        self.code, self.detail, self.elapsed_ms, self.before_reply = code, detail, elapsed_ms, before_reply


class CheckedResolver(AbstractResolver):
    """Resolves a name and refuses it unless each of its addresses may be called."""

    def __init__(self, allow_loopback: bool) -> None:
        self._resolver = aiohttp.ThreadedResolver()
        self._allow_loopback = allow_loopback

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        answers = await self._resolver.resolve(host, port, family)
        for answer in answers:
            if not may_call(ip_address(answer["host"].partition("%")[0]), allow_loopback=self._allow_loopback):
                raise AddressRefused(f"{host} has the address {answer['host']}, which is not on the open internet.")
        return answers

    async def close(self) -> None:
        await self._resolver.close()


class Transport:
    """A pool of kept-alive connections to programs. Open and close it as a context."""

    def __init__(self, lag: LagMeter, *, allow_loopback: bool, allow_http: bool) -> None:
        self._lag = lag
        self._allow_loopback, self._allow_http = allow_loopback, allow_http

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(
            limit=0, resolver=CheckedResolver(self._allow_loopback), use_dns_cache=False, keepalive_timeout=60
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            trust_env=False,
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            skip_auto_headers=["Accept-Encoding", "Accept"],
            headers={"User-Agent": "manela/1", "Accept-Encoding": "identity"},
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], deadline_ms: int) -> HttpReply:
        """One POST; raises CallFailed. `deadline_ms` counts from now to the last byte, our own delays excepted."""
        call = _Call(self._lag)
        try:
            check_url(url, allow_http=self._allow_http, allow_loopback=self._allow_loopback)
            async with asyncio.timeout(deadline_ms / 1_000):
                return await self._send(call, url, body, headers)
        except TimeoutError as error:
            raise call.late(deadline_ms) from error
        except AddressRefused as error:
            raise call.failed("unreachable", str(error)) from error
        except (aiohttp.ClientPayloadError, aiohttp.http.HttpProcessingError) as error:
            raise call.failed("http_error", f"The reply broke off or is no HTTP: {error}") from error
        except (aiohttp.ClientError, OSError) as error:
            raise call.failed("unreachable", _told(error), before_reply=not call.replying) from error

    async def _send(self, call: _Call, url: str, body: bytes, headers: Mapping[str, str]) -> HttpReply:
        async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as response:
            call.replying = True
            received = await _read(response)
            encoding = response.headers.get("Content-Encoding", "identity").lower()
            return HttpReply(
                status=response.status,
                body=received,
                elapsed_ms=call.elapsed_ms(),
                retry_after=response.headers.get("Retry-After", ""),
                encoded=encoding != "identity",
            )


class _Call:
    """The stopwatch of one call."""

    def __init__(self, lag: LagMeter) -> None:
        self._lag, self._lag_before = lag, lag.seconds()
        self._began = time.monotonic()
        self.replying = False

    def own_delay_ms(self) -> int:
        return int((self._lag.seconds() - self._lag_before) * 1_000)

    def elapsed_ms(self) -> int:
        return max(0, int((time.monotonic() - self._began) * 1_000) - self.own_delay_ms())

    def failed(self, code: str, detail: str, *, before_reply: bool = False) -> CallFailed:
        return CallFailed(code, detail, self.elapsed_ms(), before_reply=before_reply)

    def late(self, deadline_ms: int) -> CallFailed:
        """The deadline has passed: the program's fault, unless our own loop slept through a good part of it."""
        own = self.own_delay_ms()
        if own * 5 > deadline_ms:
            return self.failed("infra", f"The platform itself was busy for {own} ms.")
        return CallFailed("timeout", f"No complete reply within {deadline_ms} ms.", deadline_ms)


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
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "The name cannot be resolved."
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"No connection: {error.strerror or error}"
    return f"The connection was closed: {error or type(error).__name__}"
