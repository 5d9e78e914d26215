"""One request and its answer on ASGI's two ends, with the limits that strangers are held to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from bots_api import wire
from bots_api.pull.server.problems import Refused, bad_field

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

BODY_SECONDS = 10.0
JSON_TYPE = "application/json"
PLAIN = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
"""What every answer says: nothing here is for a cache, and none of it is a page."""


class Exchange:
    """A request and the means to answer it. `has_begun`: the head of the answer is out, so no other can follow.

    `received`: what of the body is here.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self._scope, self._receive, self._send = scope, receive, send
        self.has_begun = False
        self.received = bytearray()

    def header(self, name: bytes) -> bytes | None:
        """A header by its name in lower case; None where there is none, or more than one."""
        found = [value for key, value in self._scope["headers"] if key.lower() == name]
        return found[0] if len(found) == 1 else None

    def number(self, name: str, default: int | None, least: int, most: int) -> int | None:
        """A whole number of the query; raises Refused naming it."""
        values = self._query.get(name, [])
        if not values:
            return default
        if len(values) == 1 and wire.is_number(values[0]) and least <= int(values[0]) <= most:
            return int(values[0])
        raise bad_field(name, "invalid", f"Expected one whole number from {least} to {most}.")

    @property
    def _query(self) -> dict[str, list[str]]:
        try:
            return parse_qs(self._scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=50)
        except ValueError as error:
            raise Refused(400, "bad_query", "The query has more than 50 fields.") from error

    async def body(self) -> bytes:
        """The whole body; returns in the turn in which the last of it came in, and raises Refused.

        A body that trickles is not waited for: whoever sends it holds nothing but his own connection.
        """
        self._check_length()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while await self._more():
                    pass
        except TimeoutError as error:
            raise Refused(
                408, "too_slow", f"The body did not come within {BODY_SECONDS:.0f} s.", headers=_CLOSE
            ) from error
        return bytes(self.received)

    async def _more(self) -> bool:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError("the program hung up before its request was whole")
        self.received += message.get("body", b"")
        if len(self.received) > wire.REPLY_LIMIT:
            raise _too_large()
        return bool(message.get("more_body", False))

    def _check_length(self) -> None:
        said = self.header(b"content-length") or b""
        if said.isdigit() and int(said[:20]) > wire.REPLY_LIMIT:
            raise _too_large()

    async def until_gone(self) -> None:
        """Returns when the program has hung up."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def begin(self, status: int, headers: Mapping[str, str]) -> None:
        self.has_begun = True
        lines = [(key.encode(), value.encode("latin-1")) for key, value in {**PLAIN, **headers}.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": lines})

    async def write(self, body: bytes, *, more: bool = True) -> None:
        """Returns when the bytes are on their way; waits while the program does not read."""
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

    async def answer(self, body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """A whole answer; JSON unless the headers say otherwise."""
        length = {} if status == 204 else {"content-length": str(len(body)), "content-type": JSON_TYPE}
        await self.begin(status, {**length, **(headers or {})})
        await self.write(b"" if self.method == "HEAD" else body, more=False)

    async def refuse(self, problem: Refused) -> None:
        """Tells what is wrong, unless an answer has begun already."""
        if self.has_begun:
            return
        await self.answer(wire.encode(problem.content()), problem.status, problem.headers)


_CLOSE = {"connection": "close"}


def _too_large() -> Refused:
    detail = f"The body is larger than the {wire.REPLY_LIMIT} bytes that this address takes."
    return Refused(413, "malformed", detail, headers=_CLOSE)
