"""Names are checked where they lead; the deadline covers all; what our own loop loses is nobody's fault."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import pytest
from standardwebhooks import Webhook

from bots_api.endpoints import Endpoint
from bots_api.resolving import LOOK_UPS_AT_ONCE, LOOK_UPS_OF_ONE, registered_domain
from bots_api.services.calling import Call, Called, all_called
from bots_api.transport import CallFailed, HttpReply, Transport
from matches.lag import LagMeter
from tests.rogues import behaviours as does
from tests.rogues.program import Exchange, Program

T = TypeVar("T")
HEADERS = {"webhook-id": "msg_1"}
BODY = b'{"type":"decision","legal":["take"],"default":"take"}'
LOCAL = "127.0.0.1"


def answers(*addresses: str) -> list[Any]:
    """What a resolver says: these addresses, in this order."""
    families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in addresses]
    return [
        (family, socket.SOCK_STREAM, 6, "", (address, 0)) for family, address in zip(families, addresses, strict=True)
    ]


def transport(look_up: Callable[..., list[Any]] = socket.getaddrinfo, lag: LagMeter | None = None, **switches: bool):
    return Transport(lag or LagMeter(), **({"allow_loopback": True, "allow_http": True} | switches), look_up=look_up)


def outcome_of(url: str, deadline_ms: int = 2_000, **options: Any) -> HttpReply | CallFailed:
    async def call() -> HttpReply | CallFailed:
        async with transport(**options) as calling:
            try:
                return await calling.post(url, BODY, HEADERS, deadline_ms)
            except CallFailed as failure:
                return failure

    return asyncio.run(call())


def test_a_name_is_resolved_and_called() -> None:
    asked: list[str] = []

    def look_up(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        return answers(LOCAL)

    with Program(does.plays) as program:
        reply = outcome_of(program.url.replace(LOCAL, "bot.example.org"), look_up=look_up)
        assert isinstance(reply, HttpReply)
        assert program.received[0].headers["host"] == program.url.split("/")[2].replace(LOCAL, "bot.example.org")
    assert asked == ["bot.example.org"]


@pytest.mark.parametrize(
    "addresses",
    [
        (LOCAL,),
        ("8.8.8.8", LOCAL),
        (LOCAL, "8.8.8.8"),
        ("8.8.8.8", "1.1.1.1", "169.254.169.254"),
        ("2606:4700::1111", "fe80::1%eth0"),
        ("2606:4700::1111", "::ffff:10.0.0.1"),
        ("64:ff9b::10.0.0.1",),
    ],
)
def test_one_bad_answer_among_good_ones_refuses_the_name(addresses: Sequence[str]) -> None:
    with Program(does.plays) as program:
        url = program.url.replace(LOCAL, "bot.example.org")
        failure = outcome_of(url, look_up=lambda *_, **__: answers(*addresses), allow_loopback=False)
        assert program.connections == 0
    assert isinstance(failure, CallFailed)
    assert (failure.code, failure.before_reply) == ("unreachable", False)
    assert "is not on the open internet" in failure.detail


def test_a_rebound_name_is_never_called_at_its_second_address() -> None:
    """The connection goes to the address that was checked: nobody asks again between the check and the call."""
    later = iter([answers(LOCAL), answers("127.0.0.2"), answers("10.0.0.1")])
    with Program(does.plays) as program:
        reply = outcome_of(program.url.replace(LOCAL, "rebind.example.org"), look_up=lambda *_, **__: next(later))
        assert isinstance(reply, HttpReply)
        assert program.connections == 1
    assert next(later) == answers("127.0.0.2")


def test_each_new_connection_checks_the_name_anew() -> None:
    later = iter([answers(LOCAL), answers("10.0.0.1")])

    async def hang_up_after(exchange: Exchange) -> None:
        await does.plays(exchange)
        exchange.hang_up()

    async def twice(url: str) -> tuple[HttpReply, str]:
        async with transport(look_up=lambda *_, **__: next(later)) as calling:
            first = await calling.post(url, BODY, HEADERS, 2_000)
            await asyncio.sleep(0.1)
            with pytest.raises(CallFailed) as caught:
                await calling.post(url, BODY, HEADERS, 2_000)
            return first, caught.value.detail

    with Program(hang_up_after) as program:
        first, detail = asyncio.run(twice(program.url.replace(LOCAL, "rebind.example.org")))
    assert first.status == 200
    assert "10.0.0.1" in detail


def test_a_name_that_leads_nowhere_is_unreachable() -> None:
    def look_up(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    failure = outcome_of("https://nowhere.example.org/", look_up=look_up)
    assert isinstance(failure, CallFailed)
    assert (failure.code, failure.detail, failure.before_reply) == ("unreachable", "The name cannot be resolved.", True)


def test_a_name_server_that_never_answers_is_a_timeout_and_keeps_one_thread() -> None:
    release, asked = threading.Event(), []

    def look_up(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        if host == "tarpit.example.org":
            release.wait(10)
        return answers(LOCAL)

    async def all_at_once(url: str) -> tuple[list[Any], HttpReply]:
        async with transport(look_up=look_up) as calling:
            stuck = [calling.post("https://tarpit.example.org/", BODY, HEADERS, 300) for _ in range(20)]
            failures = await asyncio.gather(*stuck, return_exceptions=True)
            return failures, await calling.post(url, BODY, HEADERS, 2_000)

    with Program(does.plays) as program:
        try:
            failures, reply = asyncio.run(all_at_once(program.url.replace(LOCAL, "bot.example.org")))
        finally:
            release.set()
    assert {failure.code for failure in failures} == {"timeout"}
    assert reply.status == 200
    assert asked == ["tarpit.example.org", "bot.example.org"]


class Silence:
    """Name servers that do not answer for names that begin with `bad`, until it is over."""

    def __init__(self) -> None:
        self.over, self.asked = threading.Event(), 0

    def look_up(self, host: str, *_: Any, **__: Any) -> list[Any]:
        if host.startswith("bad"):
            self.asked += 1
            self.over.wait(60)
        return answers(LOCAL)

    async def amid(self, urls: Sequence[str], held: int, then: Callable[[Transport], Awaitable[T]]) -> T:
        """What comes of it while these are called in vain, so many of their names in threads."""
        async with transport(look_up=self.look_up) as calling:
            stuck = [asyncio.create_task(calling.post(url, BODY, HEADERS, 60_000)) for url in urls]
            try:
                async with asyncio.timeout(60):
                    while self.asked < held:
                        await asyncio.sleep(0.02)
                return await then(calling)
            finally:
                self.over.set()
                await asyncio.gather(*stuck, return_exceptions=True)


def test_one_owners_silent_names_keep_nobody_else_waiting() -> None:
    async def ask(calling: Transport) -> HttpReply:
        return await calling.post(program.url.replace(LOCAL, "good.example.org"), BODY, HEADERS, 9_000)

    with Program(does.plays) as program:
        names = [f"bad{number}.stranger.org" for number in range(LOOK_UPS_AT_ONCE)]
        urls = [program.url.replace(LOCAL, name) for name in names]
        assert asyncio.run(Silence().amid(urls, LOOK_UPS_OF_ONE, ask)).status == 200


def test_waiting_for_the_turn_of_a_look_up_is_our_own_delay() -> None:
    silence = Silence()

    async def ask_twice(calling: Transport) -> tuple[CallFailed, HttpReply, int]:
        url = program.url.replace(LOCAL, "good.example.org")
        with pytest.raises(CallFailed) as caught:
            await calling.post(url, BODY, HEADERS, 200)
        began = time.monotonic()
        asked = asyncio.create_task(calling.post(url, BODY, HEADERS, 9_000))
        await asyncio.sleep(0.6)
        silence.over.set()
        reply = await asked
        return caught.value, reply, int((time.monotonic() - began) * 1_000)

    with Program(does.plays) as program:
        domains = LOOK_UPS_AT_ONCE // LOOK_UPS_OF_ONE
        names = [f"bad{number}.stranger{number % domains}.org" for number in range(LOOK_UPS_AT_ONCE)]
        urls = [program.url.replace(LOCAL, name) for name in names]
        failure, reply, took_ms = asyncio.run(silence.amid(urls, LOOK_UPS_AT_ONCE, ask_twice))
    assert failure.code == "infra"
    assert reply.status == 200
    assert took_ms - reply.elapsed_ms >= 300
    assert reply.connecting_ms <= reply.elapsed_ms


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("example.org", "example.org"),
        ("a.b.Example.org.", "example.org"),
        ("a.example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("a.example.ua", "example.ua"),
        ("localhost", "localhost"),
    ],
)
def test_names_are_one_owners_below_the_domain_that_he_registered(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


def test_what_our_loop_loses_is_given_back_outside_a_lane_too() -> None:
    async def ping_in_a_busy_process(url: str) -> Called:
        async def sleeps() -> None:
            await asyncio.sleep(0.01)
            time.sleep(1)

        sleeping = asyncio.create_task(sleeps())
        (called,) = await all_called([Call(Endpoint(1, url, Webhook(bytes(32))), "msg_1", BODY)], 800)
        await sleeping
        return called

    with Program(does.plays) as program:
        assert isinstance(asyncio.run(ping_in_a_busy_process(program.url)).came, HttpReply)


@pytest.mark.parametrize(
    ("url", "switches"),
    [
        ("http://127.0.0.1:9/", {"allow_loopback": False}),
        ("http://bot.example.org/", {"allow_http": False}),
        ("http://10.0.0.1/", {}),
        ("http://[::ffff:127.0.0.1]/", {}),
        ("http://a..b/", {}),
        (f"http://{'a' * 64}.org/", {}),
        ("http://[::1", {}),
        ("no address at all", {}),
    ],
)
def test_what_must_not_be_called_is_not_called(url: str, switches: dict[str, bool]) -> None:
    failure = outcome_of(url, **switches)
    assert isinstance(failure, CallFailed)
    assert (failure.code, failure.before_reply) == ("unreachable", False)


def test_the_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with Program(does.plays) as proxy, Program(does.plays) as program:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        assert isinstance(outcome_of(program.url), HttpReply)
        assert proxy.connections == 0


def test_connections_are_kept() -> None:
    async def often(url: str) -> None:
        async with transport() as calling:
            for _ in range(20):
                await calling.post(url, BODY, HEADERS, 2_000)

    with Program(does.plays) as program:
        asyncio.run(often(program.url))
        assert (program.connections, len(program.received)) == (1, 20)


def test_cookies_are_not_kept() -> None:
    async def twice(url: str) -> None:
        async with transport() as calling:
            for _ in range(2):
                await calling.post(url, BODY, HEADERS, 2_000)

    with Program(does.says(b"{}", Set_Cookie="spy=1")) as program:
        asyncio.run(twice(program.url))
        assert all("cookie" not in request.headers for request in program.received)


def under_a_loop(
    *, blocked_for: float, every: float, times: int, call: Callable[[Transport], Awaitable[HttpReply]]
) -> HttpReply | CallFailed:
    """A call while something else holds up the loop: `times` times, `blocked_for` seconds each."""

    async def run() -> HttpReply | CallFailed:
        lag = LagMeter()
        beating = asyncio.create_task(lag.run())
        await asyncio.sleep(0.05)

        async def block() -> None:
            for _ in range(times):
                await asyncio.sleep(every)
                time.sleep(blocked_for)  # on purpose: this is the fault that is measured

        blocking = asyncio.create_task(block())
        async with transport(lag=lag) as calling:
            try:
                return await call(calling)
            except CallFailed as failure:
                return failure
            finally:
                for task in (beating, blocking):
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task

    return asyncio.run(run())


def test_our_own_stalled_loop_is_not_charged() -> None:
    with Program(does.answers_slowly) as program:  # after 120 ms
        reply = under_a_loop(
            blocked_for=0.6, every=0.01, times=1, call=lambda calling: calling.post(program.url, BODY, HEADERS, 400)
        )
    assert isinstance(reply, HttpReply)
    assert reply.elapsed_ms <= 150


def test_a_reply_that_came_while_our_loop_slept_past_the_deadline_is_read() -> None:
    with Program(does.plays) as program:
        reply = under_a_loop(
            blocked_for=1.0, every=0.0, times=1, call=lambda calling: calling.post(program.url, BODY, HEADERS, 200)
        )
    assert isinstance(reply, HttpReply)
    assert reply.elapsed_ms <= 150


def test_a_hang_under_a_loop_that_stalled_once_is_the_programs_timeout() -> None:
    with Program(does.hangs) as program:
        failure = under_a_loop(
            blocked_for=0.3, every=0.05, times=1, call=lambda calling: calling.post(program.url, BODY, HEADERS, 500)
        )
    assert isinstance(failure, CallFailed)
    assert (failure.code, failure.elapsed_ms) == ("timeout", 500)


def test_a_hang_under_a_loop_that_sleeps_most_of_the_time_is_our_own_fault() -> None:
    with Program(does.hangs) as program:
        failure = under_a_loop(
            blocked_for=0.3, every=0.02, times=10, call=lambda calling: calling.post(program.url, BODY, HEADERS, 200)
        )
    assert isinstance(failure, CallFailed)
    assert failure.code == "infra"


def test_opening_a_connection_is_told_apart_from_waiting() -> None:
    def slow_look_up(*_: Any, **__: Any) -> list[Any]:
        time.sleep(0.3)
        return answers(LOCAL)

    with Program(does.plays) as program:
        reply = outcome_of(program.url.replace(LOCAL, "bot.example.org"), look_up=slow_look_up)
    assert isinstance(reply, HttpReply)
    assert reply.connecting_ms >= 290
    assert reply.elapsed_ms - reply.connecting_ms <= 150
