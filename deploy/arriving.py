"""What comes in for a page or for the API: its body is waited for on the loop, where waiting costs nobody a thread."""

from __future__ import annotations

import asyncio
import tempfile
from typing import IO, Any

from bots_api.pull.server.exchange import Exchange, Receive, Scope, Send
from bots_api.pull.server.problems import Refused
from tournaments.imports.document import MOST_BYTES as LARGEST_DOCUMENT

MOST_BYTES = LARGEST_DOCUMENT + 1_000_000
"""The largest document that is taken in, and the form round it."""
BODY_SECONDS = 15.0
BYTES_A_SECOND = 250_000
"""A body that is long has more time, as long as it comes so fast."""
KEPT_IN_MEMORY = 64_000
_PORTION = 1 << 20
_CLOSE = {"connection": "close"}


class Whole:
    """Gives an application requests whose body is there as a whole and has a length.

    Whoever lets a body trickle holds his own connection and nothing else; one of unknown length gets one. Headers with
    `_` in their names are left out: the application could not tell them from those that a proxy sets.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY) as body:
            try:
                length = await _take(scope, receive, body)
            except Refused as refusal:
                await Exchange(scope, receive, send).refuse(refusal)
            except ConnectionResetError:
                return
            else:
                body.seek(0)
                await self._inner({**scope, "headers": _headers(scope, length)}, _giving(body, length), send)


async def _take(scope: Scope, receive: Receive, body: IO[bytes]) -> int:
    """Writes the body down; returns its length in bytes, or raises Refused, or ConnectionResetError."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    if said.isdigit() and int(said[:20]) > MOST_BYTES:
        raise _too_large()
    began, length, more = asyncio.get_running_loop().time(), 0, True
    try:
        async with asyncio.timeout(BODY_SECONDS) as deadline:
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionResetError("whoever asked hung up before the request was whole")
                length += body.write(message.get("body", b""))
                if length > MOST_BYTES:
                    raise _too_large()
                deadline.reschedule(began + BODY_SECONDS + length / BYTES_A_SECOND)
                more = bool(message.get("more_body", False))
    except TimeoutError as error:
        raise Refused(408, "too_slow", "The body did not come in time.", headers=_CLOSE) from error
    return length


def _headers(scope: Scope, length: int) -> list[tuple[bytes, bytes]]:
    framing = (b"content-length", b"transfer-encoding")
    there = [(bytes(name), bytes(value)) for name, value in scope["headers"]]
    kept = [(name, value) for name, value in there if b"_" not in name and name.lower() not in framing]
    has_body = length or any(name.lower() in framing for name, _ in there)
    return [*kept, (b"content-length", str(length).encode())] if has_body else kept


def _giving(body: IO[bytes], length: int) -> Receive:
    left = length

    async def receive() -> dict[str, Any]:
        nonlocal left
        portion = body.read(_PORTION)
        left -= len(portion)
        return {"type": "http.request", "body": portion, "more_body": left > 0}

    return receive


def _too_large() -> Refused:
    return Refused(413, "too_large", f"The body is larger than the {MOST_BYTES} bytes that are taken.", headers=_CLOSE)
