"""Replies that are made to fill memory or to hold a slot, and a lane's share of calls to measure what they do there.

`python -m tests.bots_api.bombs CALLS AT_ONCE DEADLINE_MS URL …` calls programs as a lane does, in a process of its own,
and prints what came of it and how its memory grew. `measured` runs it.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots_api import wire
from bots_api.transport import CallFailed, Transport
from bots_api.wire import ReplyError
from deploy.embedded.paths import PROJECT
from matches.lag import LagMeter
from tests.rogues import behaviours as does
from tests.rogues.program import Behaviour, Exchange, Program

BODY = b'{"type":"decision","legal":["take"],"default":"take"}'
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
PORTION = 16_000


def endless(beginning: bytes, portion: bytes, pause_s: float = 0.0) -> Behaviour:
    """Sends the same again and again, until the connection is cut."""

    async def send(exchange: Exchange) -> None:
        await exchange.send(beginning)
        while True:
            await exchange.send(portion)
            await asyncio.sleep(pause_s)

    return send


def headers_without_end() -> Behaviour:
    async def send(exchange: Exchange) -> None:
        await exchange.send(HEAD)
        for number in itertools.count():
            await exchange.send(b"".join(b"X-%d-%d: %s\r\n" % (number, n, b"y" * 60) for n in range(100)))

    return send


BOMBS: dict[str, Behaviour] = {
    "a bomb in gzip": does.packs_a_bomb,
    "a megabyte": does.sends_a_megabyte,
    "chunks without end": endless(CHUNKED, b"3e80\r\n" + b" " * PORTION + b"\r\n"),
    "chunks of one byte": endless(CHUNKED, b"1\r\n \r\n" * (PORTION // 6)),
    "a chunk's extension without end": endless(CHUNKED + b"1;", b"x" * PORTION),
    "a chunk's length without end": endless(CHUNKED, b"0" * PORTION),
    "a body without end": endless(HEAD + b"Content-Length: 99999999999\r\n\r\n", b" " * PORTION),
    "a body until it is closed, without end": endless(b"HTTP/1.0 200 OK\r\n\r\n", b" " * PORTION),
    "trailers without end": endless(CHUNKED + b"0\r\n", b"X: %s\r\n" % (b"y" * 80) * (PORTION // 85)),
    "a header without end": endless(HEAD + b"X: ", b"x" * PORTION),
    "headers without end": headers_without_end(),
    "a reason without end": endless(b"HTTP/1.1 200 ", b"x" * PORTION),
    "interim replies without end": endless(b"", b"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n" * (PORTION // 37)),
    "zeros in place of HTTP": endless(b"", b"\0" * PORTION),
    "lines in place of HTTP": endless(b"", b"\r\n" * (PORTION // 2)),
    "deep JSON": does.says(b'{"action":' + b"[" * 8_000 + b"]" * 8_000 + b"}"),
    "deep objects": does.says(b'{"a":' * 2_700 + b"1" + b"}" * 2_700),
    "a number of a million digits": does.says(b'{"n":' + b"9" * 1_000_000 + b"}"),
    "a number of 16 000 digits": does.says(b'{"action":"take","n":' + b"9" * 16_000 + b"}"),
    "a fraction of 16 000 digits": does.says(b'{"action":"no","n":0.' + b"9" * 16_000 + b"e-999}"),
    "lone surrogates": does.says(b'{"action":"' + b"\\ud800" * 2_000 + b'"}'),
    "NaN": does.says(b'{"action":"take","n":[' + b"NaN," * 3_000 + b"NaN]}"),
    "a thousand keys": does.says(b"{" + b",".join(b'"k%d":1' % n for n in range(1_500)) + b"}"),
    "a byte a second": endless(HEAD + b"Content-Length: 1000\r\n\r\n", b" ", 1.0),
    "a byte of its head a second": endless(HEAD, b"X", 1.0),
    "nothing": does.hangs,
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What calls came to, each bomb's by itself; the longest of them; what one of them cost us on the average; by how
    much the process grew meanwhile.

    Units: milliseconds, kilobytes of resident memory at its highest.
    """

    outcomes: Mapping[str, Mapping[str, int]]
    longest_ms: int
    grown_kb: int
    cpu_ms: float


def measured(names: Sequence[str], calls: int, at_once: int, deadline_ms: int) -> Measured:
    """Calls programs with these bombs in turn, after one call to each that is not counted."""
    with ExitStack() as running:
        urls = [running.enter_context(Program(BOMBS[name])).url for name in names]
        argv = [sys.executable, "-m", "tests.bots_api.bombs", *map(str, (calls, at_once, deadline_ms)), *urls]
        said = json.loads(subprocess.run(argv, cwd=PROJECT, capture_output=True, text=True, check=True).stdout)
    outcomes = {name: said["outcomes"][url] for name, url in zip(names, urls, strict=True)}
    return Measured(outcomes, said["longest_ms"], said["grown_kb"], said["cpu_ms"])


async def lane(urls: Sequence[str], calls: int, at_once: int, deadline_ms: int) -> dict[str, Any]:
    lag = LagMeter()
    beating = asyncio.create_task(lag.run())
    outcomes: dict[str, Counter[str]] = {url: Counter() for url in urls}
    loop, turns, longest = asyncio.get_running_loop(), iter(itertools.islice(itertools.cycle(urls), calls)), 0.0
    async with Transport(lag, allow_loopback=True, allow_http=True) as calling:

        async def slot() -> None:
            nonlocal longest
            for url in turns:
                began = loop.time()
                outcomes[url][await outcome(calling, url, deadline_ms)] += 1
                longest = max(longest, loop.time() - began)

        await asyncio.gather(*(outcome(calling, url, deadline_ms) for url in urls))
        before, began_cpu = most_memory_kb(), time.process_time()
        await asyncio.gather(*(slot() for _ in range(at_once)))
    beating.cancel()
    cpu_ms = (time.process_time() - began_cpu) / calls * 1_000
    grown = most_memory_kb() - before
    return {"outcomes": outcomes, "longest_ms": round(longest * 1_000), "grown_kb": grown, "cpu_ms": round(cpu_ms, 1)}


def most_memory_kb() -> int:
    """The most that was resident. `getrusage` would tell of the process that started us, where that was larger."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024  # bytes, on macOS
    return int(status.read_text().partition("VmHWM:")[2].split()[0])


async def outcome(calling: Transport, url: str, deadline_ms: int) -> str:
    try:
        reply = await calling.post(url, BODY, {"webhook-id": "dec_1"}, deadline_ms)
        assert len(reply.body) <= wire.REPLY_LIMIT + 1
        if reply.status != 200 or reply.encoded:
            return "encoded" if reply.encoded else f"http_{reply.status}"
        return wire.read_reply(reply.body, ["take"]).action
    except CallFailed as failure:
        return failure.code
    except ReplyError as error:
        return error.code


if __name__ == "__main__":
    print(json.dumps(asyncio.run(lane(sys.argv[4:], *map(int, sys.argv[1:4])))))
