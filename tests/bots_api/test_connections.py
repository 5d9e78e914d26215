"""Connections are opened ahead and kept, over TLS to the name that was meant; what opening one takes is free."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from bots_api import transport
from bots_api.models import Delivery
from bots_api.push import PushAgents
from bots_api.transport import CallFailed, HttpReply, Transport
from matches.core.faults import Cause
from matches.lag import LagMeter
from matches.ledger import Ledger
from tests.bots_api.certificates import Authority
from tests.bots_api.tables import question_to, version_at
from tests.bots_api.test_transport import BODY, HEADERS, LOCAL, answers
from tests.rogues import behaviours as does
from tests.rogues.program import Exchange, Program

NAME = "bot.example.org"
SLOW_S = 0.3
KEPT_S = 0.5


def slow_look_up(*_: Any, **__: Any) -> list[Any]:
    """A name server that is far away: so long it takes to open a connection."""
    time.sleep(SLOW_S)
    return answers(LOCAL)


def calling(look_up: Callable[..., list[Any]] = slow_look_up, **options: Any) -> Transport:
    return Transport(LagMeter(), allow_loopback=True, allow_http=True, look_up=look_up, **options)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates"))


async def after_a_pause(url: str, *, ahead: bool, **options: Any) -> HttpReply:
    """The second of two calls, between which the connection was given up, opened ahead or not."""
    async with calling(**options) as transport_:
        await transport_.post(url, BODY, HEADERS, 2_000)
        await asyncio.sleep(KEPT_S + 0.1)
        if ahead:
            transport_.open_ahead(url)
            await asyncio.sleep(SLOW_S + 0.1)
        return await transport_.post(url, BODY, HEADERS, 2_000)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_connection_that_was_opened_ahead_costs_the_next_call_nothing(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setattr(transport, "KEEPALIVE_SECONDS", KEPT_S)
    tls = authority.server(NAME) if scheme == "https" else None
    with Program(does.plays, tls=tls) as program:
        url = program.url.replace(LOCAL, NAME)
        cold, warm = (asyncio.run(after_a_pause(url, ahead=ahead, tls=authority.trusting())) for ahead in (False, True))
    assert cold.connecting_ms >= SLOW_S * 900
    assert warm.connecting_ms < SLOW_S * 500
    assert program.connections == 4


def test_a_call_takes_the_connection_that_is_being_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(url: str) -> None:
        async with calling() as transport_:
            await transport_.post(url, BODY, HEADERS, 2_000)
            await asyncio.sleep(KEPT_S + 0.1)
            for _ in range(3):
                transport_.open_ahead(url)
            await transport_.post(url, BODY, HEADERS, 2_000)

    monkeypatch.setattr(transport, "KEEPALIVE_SECONDS", KEPT_S)
    with Program(does.plays) as program:
        asyncio.run(run(program.url.replace(LOCAL, NAME)))
        assert (program.connections, len(program.received)) == (2, 2)


def test_nothing_is_opened_ahead_where_one_idles_or_the_program_closes_after_each_reply() -> None:
    async def says_that_it_closes(exchange: Exchange) -> None:
        await exchange.reply(b"{}", headers={"Connection": "close"})

    async def run(url: str) -> None:
        async with calling(lambda *_, **__: answers(LOCAL)) as transport_:
            transport_.open_ahead(url)
            await transport_.post(url, BODY, HEADERS, 2_000)
            transport_.open_ahead(url)
            await asyncio.sleep(0.2)

    for behaviour in (does.plays, says_that_it_closes):
        with Program(behaviour) as program:
            asyncio.run(run(program.url))
            assert program.connections == 1


def test_a_connection_that_cannot_be_opened_ahead_is_the_next_calls_to_tell() -> None:
    def look_up(*_: Any, **__: Any) -> list[Any]:
        return answers(LOCAL if not asked else "10.0.0.1")

    async def run(url: str) -> CallFailed:
        async with calling(look_up) as transport_:
            await transport_.post(url, BODY, HEADERS, 2_000)
            asked.append(url)
            await asyncio.sleep(KEPT_S + 0.1)
            transport_.open_ahead(url)
            with pytest.raises(CallFailed) as caught:
                await transport_.post(url, BODY, HEADERS, 2_000)
            return caught.value

    asked: list[str] = []
    with Program(does.plays) as program, pytest.MonkeyPatch.context() as patch:
        patch.setattr(transport, "KEEPALIVE_SECONDS", KEPT_S)
        failure = asyncio.run(run(program.url.replace(LOCAL, NAME)))
        assert program.connections == 1
    assert "10.0.0.1" in failure.detail


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_byte_waits_for_another_on_our_side(authority: Authority, scheme: str) -> None:
    """`TCP_NODELAY`, protocol §5."""

    async def run(url: str) -> list[int]:
        async with calling(lambda *_, **__: answers(LOCAL), tls=authority.trusting()) as transport_:
            await transport_.post(url, BODY, HEADERS, 2_000)
            kept = [protocol.transport for waiting in transport_._connector._conns.values() for protocol, _ in waiting]
            sockets = [one.get_extra_info("socket") for one in kept if one is not None]
            return [one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets]

    with Program(does.plays, tls=authority.server(NAME) if scheme == "https" else None) as program:
        (nodelay,) = asyncio.run(run(program.url.replace(LOCAL, NAME)))
    assert nodelay


@pytest.mark.parametrize(("certified", "trusted"), [("other.example.org", True), (NAME, False)])
def test_over_tls_the_name_is_the_one_that_was_meant_and_somebody_vouches_for_it(
    authority: Authority, certified: str, trusted: bool
) -> None:
    async def run(url: str) -> CallFailed:
        async with calling(
            lambda *_, **__: answers(LOCAL), tls=authority.trusting() if trusted else None
        ) as transport_:
            with pytest.raises(CallFailed) as caught:
                await transport_.post(url, BODY, HEADERS, 2_000)
            return caught.value

    with Program(does.plays, tls=authority.server(certified)) as program:
        failure = asyncio.run(run(program.url.replace(LOCAL, NAME)))
        assert program.received == []
    assert failure.code == "unreachable"
    assert "certificate" in failure.detail.lower()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("slow_s", "cause"),
    [(0.8, None), (1.2, None), (1.8, Cause.TIMEOUT)],
)
def test_a_decision_has_a_second_of_connecting_beside_its_clock(
    monkeypatch: pytest.MonkeyPatch, slow_s: float, cause: Cause | None
) -> None:
    """Of 550 ms, with a program that answers after 120: what connecting takes over a second is on the clock."""

    def look_up(*_: Any, **__: Any) -> list[Any]:
        time.sleep(slow_s)
        return answers(LOCAL)

    async def run(url: str) -> Any:
        async with Ledger() as ledger, PushAgents(LagMeter(), ledger) as push:
            return await push.decide(question_to(version_))

    monkeypatch.setattr(Transport, "of_settings", lambda lag: calling(look_up))
    with Program(does.answers_slowly) as program:
        version_ = version_at(program.url.replace(LOCAL, NAME))
        answer = asyncio.run(run(program.url))
    assert answer.cause == cause
    if cause is None:
        assert 120 <= answer.elapsed_ms - max(0, (slow_s - 1) * 1_000) <= 300
    else:
        assert answer.elapsed_ms == 550
        assert Delivery.objects.get().outcome == "timeout"


@pytest.mark.django_db(transaction=True)
def test_a_lane_opens_the_connection_for_a_decision_while_the_answer_before_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> int:
        async with Ledger() as ledger, PushAgents(LagMeter(), ledger) as push:
            await push.begin(question.ref)
            await asyncio.sleep(KEPT_S + 0.1)
            push.expect(question.ref)
            await asyncio.sleep(KEPT_S / 2)
            opened = program.connections
            await push.decide(question)
            return opened

    monkeypatch.setattr(transport, "KEEPALIVE_SECONDS", KEPT_S)
    with Program(does.at_decisions(does.plays)) as program:
        question = question_to(version_at(program.url))
        assert asyncio.run(run()) == 2
        assert program.connections == 2
