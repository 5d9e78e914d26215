"""Bodies that come in for pages and the API: whole, bounded, and waited for by nobody but whoever sends them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest
from a2wsgi import WSGIMiddleware

from deploy import arriving
from deploy.arriving import Whole


def told_back(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """What an application on WSGI is given."""
    start("200 OK", [("Content-Type", "application/json")])
    said = {name: environ.get(name) for name in ("CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING", "HTTP_X_FORWARDED_FOR")}
    return [json.dumps([environ["wsgi.input"].read().decode(), said]).encode()]


def request(*headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": b"",
        "http_version": "1.1",
        "headers": headers,
    }


async def answered(app: Whole, scope: dict[str, Any], *parts: bytes) -> tuple[int, bytes]:
    """Sends the parts of a body, and the last of them as the last only if it is empty."""
    waiting, said = list(parts), []

    async def receive() -> dict[str, Any]:
        if not waiting:
            await asyncio.sleep(3_600)
        part = waiting.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(part)}

    async def send(message: Any) -> None:
        said.append(message)

    await app(scope, receive, send)
    return said[0]["status"], b"".join(message.get("body", b"") for message in said[1:])


async def test_one_that_trickles_takes_no_thread(monkeypatch) -> None:
    app = Whole(WSGIMiddleware(told_back, workers=1))
    scope = request((b"content-length", b"1000"))
    held = [asyncio.create_task(answered(app, scope, b"a=")) for _ in range(4)]
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        assert (await answered(app, request(), b""))[0] == 200
    for one in held:
        one.cancel()
    monkeypatch.setattr(arriving, "BODY_SECONDS", 0.05)
    status, body = await answered(app, scope, b"a=")
    assert (status, json.loads(body)["code"]) == (408, "too_slow")


async def test_one_of_unknown_length_has_one() -> None:
    parts = [b"ab" * 50_000, b"c", b""]
    app = Whole(WSGIMiddleware(told_back))
    status, body = await answered(app, request((b"transfer-encoding", b"chunked")), *parts)
    assert status == 200
    assert json.loads(body) == [
        b"".join(parts).decode(),
        {"CONTENT_LENGTH": "100001", "HTTP_TRANSFER_ENCODING": None, "HTTP_X_FORWARDED_FOR": None},
    ]


async def test_underscores_pass_for_no_header_of_a_proxys() -> None:
    forwarded = (b"x-forwarded-for", b"203.0.113.6"), (b"x_forwarded_for", b"198.51.100.1")
    _, body = await answered(Whole(WSGIMiddleware(told_back)), request(*forwarded), b"")
    assert json.loads(body)[1]["HTTP_X_FORWARDED_FOR"] == "203.0.113.6"


@pytest.mark.parametrize("headers", [(), ((b"content-length", b"99999999999999999999"),)])
async def test_one_that_is_too_large_is_refused(monkeypatch, headers: Any) -> None:
    monkeypatch.setattr(arriving, "MOST_BYTES", 10)
    status, body = await answered(Whole(WSGIMiddleware(told_back)), request(*headers), b"a" * 11, b"")
    assert (status, json.loads(body)["code"]) == (413, "too_large")
