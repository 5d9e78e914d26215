"""A program that does everything well, and programs with one fault each, named after the case that finds it."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from tests.rogues.program import Behaviour, Exchange, Program

KEY = bytes(range(32))
Message = dict[str, Any]
Act = Callable[[Exchange], Awaitable[None]]


def is_genuine(exchange: Exchange) -> bool:
    """Whether the platform signed it, and lately."""
    try:
        Webhook(KEY).verify(exchange.request.body, dict(exchange.request.headers), json_parse=False)
    except WebhookVerificationError:
        return False
    return True


def choice(message: Message) -> str:
    """Names trumps at once, so that parties come to their end; else the default."""
    return "take" if "take" in message["legal"] else message["default"]


async def well(exchange: Exchange) -> None:
    """Answers everything as it should be."""
    message = exchange.message
    if not is_genuine(exchange):
        await exchange.reply_json({}, 401)
    elif message["type"] == "decision":
        await exchange.reply_json({"action": choice(message)})
    else:
        await exchange.reply_json({"challenge": message.get("challenge")})


def but(is_meant: Callable[[Message], bool], instead: Act) -> Behaviour:
    """Does all well but with messages of one kind."""

    async def behave(exchange: Exchange) -> None:
        await (instead if is_genuine(exchange) and is_meant(exchange.message) else well)(exchange)

    return behave


def says(value: object, status: int = 200) -> Act:
    async def say(exchange: Exchange) -> None:
        await exchange.reply_json(value, status)

    return say


def is_decision(message: Message) -> bool:
    return message["type"] == "decision"


async def trusts_everybody(exchange: Exchange) -> None:
    message = exchange.message
    answer = {"action": choice(message)} if is_decision(message) else {"challenge": message.get("challenge")}
    await exchange.reply_json(answer)


def trusts_old_messages() -> Behaviour:
    """Checks the signature and not the timestamp."""

    async def behave(exchange: Exchange) -> None:
        headers = exchange.request.headers
        at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
        expected = Webhook(KEY).sign(headers["webhook-id"], at, exchange.request.body.decode())
        is_ours = expected in headers["webhook-signature"].split()
        await (trusts_everybody(exchange) if is_ours else exchange.reply_json({}, 401))

    return behave


def refuses_repeats() -> Behaviour:
    """Takes an id that it has seen for an attack."""
    seen: set[str] = set()

    def is_repeated(message: Message) -> bool:
        again = is_decision(message) and "attempt" not in message and message["decision_id"] in seen
        seen.add(message.get("decision_id", ""))
        return again

    return but(is_repeated, says({}, 409))


def answers_in_turn() -> Behaviour:
    """Has another answer every time: legal ones all."""
    turns = itertools.count()

    async def next_one(exchange: Exchange) -> None:
        legal = exchange.message["legal"]
        await exchange.reply_json({"action": legal[next(turns) % len(legal)]})

    return but(is_decision, next_one)


def wants_rising_numbers() -> Behaviour:
    """Refuses what overtook it."""
    last = [0]

    def is_late(message: Message) -> bool:
        late = is_decision(message) and "attempt" not in message and message["seq"] < last[0]
        last[0] = max(last[0], message["seq"])
        return late

    return but(is_late, says({}, 400))


FIELDS = frozenset(
    [
        *("protocol", "rules", "overrides", "players", "pairs", "target", "seat", "party", "deal", "ply", "phase"),
        *("you", "table", "history", "events", "legal", "default", "type", "decision_id", "seq", "game", "match"),
        *("round", "rated", "clock", "attempt", "error"),
    ]
)


def mixes_up_its_games() -> Behaviour:
    """Thinks that it has one seat in a match."""
    seats: dict[str, int] = {}

    def is_other_seat(message: Message) -> bool:
        return is_decision(message) and seats.setdefault(message["match"], message["seat"]) != message["seat"]

    return but(is_other_seat, says({"action": "play:7C+everything"}))


def is_surprised(message: Message) -> bool:
    """Whether somebody declared in a later deal of a party for two: this program itself never does."""
    late = is_decision(message) and message["players"] == 2 and message["deal"] > 1
    return late and any(said.endswith("declare") for said in message["history"])


def one_at_a_time() -> Behaviour:
    """Takes 0.2 s for a decision and does one after the other."""
    turns: defaultdict[asyncio.AbstractEventLoop, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def in_turn(exchange: Exchange) -> None:
        async with turns[asyncio.get_running_loop()]:
            await asyncio.sleep(0.2)
        await well(exchange)

    return but(is_decision, in_turn)


async def closes(exchange: Exchange) -> None:
    """Says so, too."""
    body = json.dumps({"action": choice(exchange.message)}).encode()
    await exchange.reply(body, headers={"Connection": "close"})
    exchange.hang_up()


async def closes_unsaid(exchange: Exchange) -> None:
    await well(exchange)
    exchange.hang_up()


async def hangs(exchange: Exchange) -> None:
    await exchange.until_cut()


FAULTY: dict[str, Callable[[], Behaviour]] = {
    "ping": lambda: but(lambda message: message["type"] == "ping", says({"challenge": "yours"})),
    "decision": lambda: but(is_decision, says({"action": "play:7C+everything"})),
    "duplicate": refuses_repeats,
    "out_of_order": wants_rising_numbers,
    "unknown_fields": lambda: but(
        lambda message: is_decision(message) and not FIELDS.issuperset(message), says({}, 400)
    ),
    "correction": lambda: but(lambda message: "attempt" in message, says({"action": "play:7C"})),
    "notices": lambda: but(lambda message: message["type"] == "game_start", says({}, 404)),
    "tables": lambda: but(lambda message: is_decision(message) and message["players"] > 2, says({}, 500)),
    "self_play": mixes_up_its_games,
    "house_random": lambda: but(is_surprised, says({}, 500)),
    "together": one_at_a_time,
}
"""By the code of the case that fails, and no other does. Programs on sockets of their own are below."""

WARNED: dict[str, list[Callable[[], Behaviour]]] = {
    "decision": [lambda: but(lambda message: is_decision(message) and "attempt" not in message, says({"action": "?"}))],
    "signature": [lambda: trusts_everybody, trusts_old_messages],
    "duplicate": [answers_in_turn],
    "notices": [lambda: but(lambda message: message["type"] == "deal_over", says({}, 404))],
    "keep_alive": [lambda: but(is_decision, closes), lambda: but(is_decision, closes_unsaid)],
}
"""By the code of the case that is passed with a warning."""


@contextmanager
def reads_once() -> Iterator[str]:
    """A server of somebody's own that takes what one read gives for the whole request; its address."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while received := await reader.read(65_536):
            try:
                message = json.loads(received.partition(b"\r\n\r\n")[2])
            except ValueError:
                answer, status = b"{}", b"400 Bad Request"
            else:
                told = {"action": choice(message)} if is_decision(message) else {"challenge": message.get("challenge")}
                answer, status = json.dumps(told).encode(), b"200 OK"
            writer.write(b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status, len(answer), answer))
        writer.close()

    with _listening(converse) as url:
        yield url


@contextmanager
def _listening(converse: Any) -> Iterator[str]:
    ready, ports = threading.Event(), []

    async def serve() -> None:
        server = await asyncio.start_server(converse, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        loops.append((asyncio.get_running_loop(), stopped := asyncio.Event()))
        ready.set()
        await stopped.wait()
        server.close()

    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(5)
    try:
        yield f"http://127.0.0.1:{ports[0]}/"
    finally:
        loops[0][0].call_soon_threadsafe(loops[0][1].set)
        thread.join(5)


class _InTwoSends(BaseHTTPRequestHandler):
    """As the standard library has it: the head in one send, the body in another, and nothing said of Nagle."""

    protocol_version, wbufsize, disable_nagle_algorithm = "HTTP/1.1", 0, False

    def log_message(self, *_: object) -> None:
        return None

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = {"action": choice(message)} if is_decision(message) else {"challenge": message.get("challenge")}
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _WithoutNagle(_InTwoSends):
    disable_nagle_algorithm = True


class _ThinksBetweenSends(_WithoutNagle):
    """Its replies are late by itself: no acknowledgement would make them quicker."""

    def end_headers(self) -> None:
        super().end_headers()
        time.sleep(0.04)


@contextmanager
def of_the_standard_library(kind: str) -> Iterator[str]:
    """A program on `http.server`: `nagle`, `no_nagle` or `thinks`; its address."""
    handler = {"nagle": _InTwoSends, "no_nagle": _WithoutNagle, "thinks": _ThinksBetweenSends}[kind]
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def main() -> None:
    """`python -m tests.bots_api.conformance.programs NAME PORT`: one of them in a process of its own."""
    name, port = sys.argv[1], int(sys.argv[2])
    behaviour = well if name == "well" else FAULTY[name]()
    asyncio.run(Program(behaviour, port).serve(lambda: print("ready", flush=True)))


if __name__ == "__main__":
    main()
