"""What programs do with a decision: one that plays, and all the ways not to. Pings and notices are answered well."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from collections.abc import Awaitable, Callable

from tests.rogues.program import Behaviour, Exchange

WELL = b'{"action":"%s"}'


async def plays(exchange: Exchange) -> None:
    """Names trumps at once, then plays the default: a party of two such programs comes to its end."""
    legal = exchange.message["legal"]
    action = "take" if "take" in legal else exchange.message["default"]
    await exchange.reply_json({"action": action, "note": "well"})


async def revokes(exchange: Exchange) -> None:
    """Plays a card that it holds and may not play, whenever there is one."""
    message = exchange.message
    legal = message["legal"]
    forbidden = [f"play:{card}" for card in message["you"]["hand"] if f"play:{card}" not in legal]
    if forbidden and any(action.startswith("play:") for action in legal):
        return await exchange.reply_json({"action": forbidden[0]})
    return await plays(exchange)


async def answers_notices(exchange: Exchange) -> None:
    await exchange.reply_json({"challenge": exchange.message.get("challenge")})


def at_decisions(misbehave: Callable[[Exchange], Awaitable[None]]) -> Behaviour:
    """Misbehaves when asked to play, and only then."""

    async def behave(exchange: Exchange) -> None:
        asked = exchange.message["type"] == "decision"
        await (misbehave(exchange) if asked else answers_notices(exchange))

    return behave


def says(body: bytes, status: int = 200, **headers: str) -> Callable[[Exchange], Awaitable[None]]:
    """Answers every decision with the same; `retry_after="1"` is the header Retry-After."""

    async def say(exchange: Exchange) -> None:
        await exchange.reply(body, status, {name.replace("_", "-"): value for name, value in headers.items()})

    return say


def sends(raw: bytes) -> Callable[[Exchange], Awaitable[None]]:
    """Sends these bytes in place of HTTP and closes."""

    async def send(exchange: Exchange) -> None:
        await exchange.send(raw)
        exchange.hang_up()

    return send


def first(*one_by_one: Callable[[Exchange], Awaitable[None]]) -> Callable[[Exchange], Awaitable[None]]:
    """Does each of these once, in order, and goes on with the last."""
    left = list(one_by_one)

    async def behave(exchange: Exchange) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(exchange)

    return behave


async def hangs(exchange: Exchange) -> None:
    await exchange.until_cut()


async def hangs_up(exchange: Exchange) -> None:
    exchange.hang_up()


async def resets(exchange: Exchange) -> None:
    exchange.reset()


async def trickles(exchange: Exchange) -> None:
    """A promise of a body, then a byte a second: every single read is quick enough."""
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while not exchange.writer.is_closing():
        await exchange.send(b" ")
        await asyncio.sleep(1)


async def trickles_its_head(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\n")
    while not exchange.writer.is_closing():
        await exchange.send(b"X")
        await asyncio.sleep(1)


async def sends_a_megabyte(exchange: Exchange) -> None:
    await exchange.reply(b'{"action":"' + b"x" * 1_000_000 + b'"}')


async def sends_chunks_without_end(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        await exchange.send(b"1000\r\n" + b" " * 4096 + b"\r\n")


async def stops_in_the_body(exchange: Exchange) -> None:
    await exchange.send(b'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"action":')
    exchange.hang_up()


async def answers_slowly(exchange: Exchange) -> None:
    await asyncio.sleep(0.12)
    await plays(exchange)


async def packs_a_bomb(exchange: Exchange) -> None:
    """300 kB that unpack to 300 MB."""
    await exchange.reply(BOMB, headers={"Content-Encoding": "gzip"})


async def packs_its_answer(exchange: Exchange) -> None:
    body = json.dumps({"action": exchange.message["default"]}).encode()
    await exchange.reply(gzip.compress(body), headers={"Content-Encoding": "gzip"})


async def deflates_its_answer(exchange: Exchange) -> None:
    body = json.dumps({"action": exchange.message["default"]}).encode()
    await exchange.reply(zlib.compress(body), headers={"Content-Encoding": "deflate"})


def _bomb() -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(b"\0" * 1_000_000) for _ in range(300)) + packer.flush()


BOMB = _bomb()

ROGUES: dict[str, Behaviour] = {
    name: at_decisions(misbehave)
    for name, misbehave in {
        "hang": hangs,
        "trickle": trickles,
        "garbage": sends(b"\x00\xff\x13 what is HTTP?\r\n\r\n"),
        "megabyte": sends_a_megabyte,
        "redirect": says(b"", 302, Location="http://127.0.0.1:1/elsewhere"),
        "illegal": says(b'{"action":"play:JH+bella+everything"}'),
        "malformed": says(b"I take."),
        "reset": resets,
        "bomb": packs_a_bomb,
        "endless": sends_chunks_without_end,
        "crash": says(b"Traceback (most recent call last)", 500),
    }.items()
}
"""What a lane must bear beside its other matches, by name."""
