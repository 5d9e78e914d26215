"""The plain socket reads HTTP as it comes, and follows the address rule of play."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from bots_api.addresses import AddressRefused
from bots_api.conformance.plain_socket import NoHttp, Timed, plain_connection
from tests.bots_api.certificates import Authority
from tests.rogues import behaviours as does
from tests.rogues.program import Behaviour, Exchange, Program


def at(*addresses: str) -> Any:
    """A name server that has these answers for every name."""

    def look_up(host: str, port: object, **_: object) -> list[Any]:
        families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in addresses]
        return [
            (family, socket.SOCK_STREAM, 6, "", (address, 0))
            for family, address in zip(families, addresses, strict=True)
        ]

    return look_up


def replied(behaviour: Behaviour, url: str = "", *, slowly: bool = False, **options: Any) -> Timed:
    async def ask(url: str) -> Timed:
        async with asyncio.timeout(20), plain_connection(url, **options) as connection:
            request = connection.request(b'{"type":"ping"}', {"x-one": "1"})
            return await (connection.ask_slowly(request, 0.1, 5) if slowly else connection.ask(request))

    with Program(behaviour) as program:
        return asyncio.run(ask(url.format(port=program.url.split(":")[2].split("/")[0]) or program.url))


@pytest.mark.parametrize(
    ("raw", "body", "closes"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"{}", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", b"{}", True),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"{}", True),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n", b"{}", False),
        (b"HTTP/1.1 200 OK\r\n\r\n{}", b"{}", True),
        (b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", b"", False),
    ],
)
def test_a_reply_is_read_to_its_end(raw: bytes, body: bytes, closes: bool) -> None:
    timed = replied(does.sends(raw))
    assert (timed.body, timed.closes) == (body, closes)
    assert timed.status == int(raw[9:12])


@pytest.mark.parametrize(
    "raw",
    [
        b"\x00\xff what is HTTP?\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 ²³¹ OK\r\nContent-Length: 2\r\n\r\n{}".encode("latin-1"),
        b"HTTP/1.1 20\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000,
        b"",
    ],
)
def test_what_is_no_reply_is_said_to_be_none(raw: bytes) -> None:
    with pytest.raises(NoHttp):
        replied(does.sends(raw))


def test_chunks_without_end_are_left() -> None:
    with pytest.raises(NoHttp):
        replied(does.sends_chunks_without_end)


def test_pieces_are_counted_with_their_times() -> None:
    async def in_two(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
        await asyncio.sleep(0.1)
        await exchange.send(b"{}")

    timed = replied(in_two)
    assert timed.pieces == 2
    assert timed.gap_ms > 50


def test_a_request_arrives_whole_however_it_trickles() -> None:
    async def echo(exchange: Exchange) -> None:
        await exchange.reply(exchange.request.body)

    assert replied(echo, slowly=True).body == b'{"type":"ping"}'


def test_it_connects_where_the_name_was_found_and_tries_the_next_address() -> None:
    timed = replied(does.answers_notices, "http://bot.example.org:{port}/", look_up=at("::1", "127.0.0.1"))
    assert timed.status == 200


def test_https_trusts_whom_it_is_told_to(tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def ask(url: str) -> Timed:
        async with plain_connection(url, look_up=at("127.0.0.1"), tls=authority.trusting()) as connection:
            return await connection.ask(connection.request(b'{"type":"ping"}', {}))

    with Program(does.answers_notices, tls=authority.server("bot.example.org")) as program:
        port = program.url.split(":")[2].split("/")[0]
        assert asyncio.run(ask(f"https://bot.example.org:{port}/")).status == 200
        with pytest.raises(OSError, match="certificate"):
            asyncio.run(ask(f"https://other.example.org:{port}/"))


@pytest.mark.parametrize("addresses", [("127.0.0.1",), ("93.184.216.34", "10.0.0.1"), ("::ffff:127.0.0.1",)])
def test_an_address_that_play_would_refuse_is_not_called(settings: Settings, addresses: tuple[str, ...]) -> None:
    settings.PUSH_ALLOW_LOOPBACK = False
    with Program(does.answers_notices) as program:
        port = program.url.split(":")[2].split("/")[0]
        with pytest.raises(AddressRefused):
            asyncio.run(_open(f"http://bot.example.org:{port}/", at(*addresses)))
    assert program.connections == 0


async def _open(url: str, look_up: Any) -> None:
    async with plain_connection(url, look_up=look_up):
        raise AssertionError("a connection was made")
