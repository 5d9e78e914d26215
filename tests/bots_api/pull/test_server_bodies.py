"""How bodies are read: in portions, within limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bots_api.pull.server import exchange
from bots_api.pull.server.exchange import Exchange
from bots_api.pull.server.problems import Refused
from bots_api.wire import REPLY_LIMIT

HALF = b"x" * (REPLY_LIMIT // 2)


def body(*portions: bytes, pause: float = 0.0, length: bytes = b"", is_cut: bool = False) -> bytes:
    """The body that a server passes on like that."""
    coming: list[dict[str, Any]] = [{"type": "http.request", "body": one, "more_body": True} for one in portions]
    coming.append({"type": "http.disconnect"} if is_cut else {"type": "http.request"})

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(pause)
        return coming.pop(0)

    async def send(message: object) -> None:
        raise AssertionError(message)

    headers = [(b"Content-Length", length)] if length else []
    scope = {"method": "PUT", "path": "/", "query_string": b"", "headers": headers}
    return asyncio.run(Exchange(scope, receive, send).body())


@pytest.mark.parametrize("portions", [[], [b"{}"], [b"{", b"", b"}"], [HALF, HALF]])
def test_a_body_is_put_together(portions: Sequence[bytes]) -> None:
    assert body(*portions) == b"".join(portions)


@pytest.mark.parametrize(
    ("portions", "length"),
    [
        ([HALF, HALF, b"x"], b""),
        ([b"{}"], str(REPLY_LIMIT + 1).encode()),
        ([b"{}"], b"9" * 5_000),
    ],
)
def test_a_body_that_is_too_long_is_not_read_to_its_end(portions: Sequence[bytes], length: bytes) -> None:
    with pytest.raises(Refused) as refused:
        body(*portions, length=length)
    assert (refused.value.status, refused.value.code) == (413, "malformed")


def test_a_body_that_trickles_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "BODY_SECONDS", 0.1)
    with pytest.raises(Refused) as refused:
        body(*[b"x"] * 50, pause=0.02)
    assert (refused.value.status, refused.value.headers["connection"]) == (408, "close")


def test_whoever_hangs_up_is_not_answered() -> None:
    with pytest.raises(ConnectionResetError):
        body(b"{", is_cut=True)
