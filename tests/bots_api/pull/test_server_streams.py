"""Streams and long polls over real servers: what is given, how often, to whom, and how it ends."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil
import pytest
from django.db import connection

from bots_api.models import Presence, PullServer
from bots_api.pull.server.desk import MOST_OF_A_VERSION, Desk
from bots_api.pull.server.exchange import Exchange
from bots_api.pull.server.polls import poll
from bots_api.pull.server.problems import Refused
from bots_api.pull.server.streams import stream
from bots_api.pull.server.trips import MOST_MAIL, Look, look
from bots_api.tokens import revoke
from matches.models import Agent, User
from tests.bots_api.pull.calling import Caller, asked, caller, kept, notice, put, put_in, request, streaming
from tests.deploy.processes import within
from tests.pull_program import PullProgram, Served, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

Messages = Iterator[dict[str, Any]]


def decisions(server: Served, one: Caller, query: str = "?wait=0") -> list[str]:
    reply = request(server.base_url, "GET", f"bot/decisions{query}", headers=one.headers)
    assert reply.status == 200
    return [decision["decision_id"] for decision in reply.content["decisions"]]


def test_a_stream_says_hello_gives_what_is_open_and_then_what_comes(server: Served) -> None:
    one = caller()
    (waiting,) = put_in(asked(one))
    with streaming(server.base_url, one) as messages:
        hello = next(messages)
        assert hello == {"protocol": "1", "type": "hello", "version": one.version.agent.public_id, "seq": 1}
        assert next(messages)["decision_id"] == waiting
        (live,) = put_in(notice(one, "game_start"), asked(one))
        assert [next(messages)["type"], next(messages)["decision_id"]] == ["game_start", live]
    with streaming(server.base_url, one, pings=True) as messages:
        assert {"protocol": "1", "type": "ping"} in messages
    assert [kept(decision_id).seq for decision_id in (waiting, live)] == [1, 3]


def test_a_decision_is_the_same_object_on_either_way(server: Served) -> None:
    one = caller()
    put_in(asked(one))
    polled = request(server.base_url, "GET", "bot/decisions?wait=0", headers=one.headers).content["decisions"]
    with streaming(server.base_url, one) as messages:
        next(messages)
        assert [next(messages)] == polled


def test_without_hints_a_program_hears_half_a_second_later(server: Served) -> None:
    one = caller()
    with streaming(server.base_url, one) as messages:
        next(messages)
        (unheard,) = put_in(asked(one), tell=False)
        assert next(messages)["decision_id"] == unheard


def test_whoever_reconnects_has_what_he_missed(server: Served) -> None:
    one = caller()
    put_in(notice(one, "game_start"), notice(one), notice(one, "decision_closed"))
    (waiting,) = put_in(asked(one))

    def heard(query: str) -> list[int]:
        with streaming(server.base_url, one, query) as messages:
            next(messages)
            (last,) = put_in(asked(one))
            seqs = []
            for message in messages:
                seqs.append(message["seq"])
                if message["decision_id" if "decision_id" in message else "type"] == last:
                    return seqs
        raise AssertionError(seqs)

    assert heard("?after=1") == [2, 3, 4, 5]
    assert heard("") == [4, 5, 6]
    assert heard("?after=6&unknown=1") == [4, 5, 6, 7]
    put(server.base_url, one, waiting, {"action": "play:7C"})
    assert heard("?after=99999")[0] == 5


def test_a_poll_gives_every_open_decision_again_until_it_is_answered(server: Served) -> None:
    one = caller()
    both = put_in(asked(one), asked(one))
    assert decisions(server, one) == decisions(server, one, "") == both
    assert decisions(server, one, "?max=1") == both[:1]
    put(server.base_url, one, both[0], {"action": "play:7C"})
    assert decisions(server, one) == both[1:]


def test_a_poll_waits_for_a_decision_and_no_longer_than_it_was_told(server: Served) -> None:
    one = caller()
    began = time.monotonic()
    assert decisions(server, one, "?wait=1") == []
    assert time.monotonic() - began > 0.9
    found: list[list[str]] = []
    waiting = threading.Thread(target=lambda: found.append(decisions(server, one, "?wait=30")))
    waiting.start()
    time.sleep(0.3)
    (decision_id,) = put_in(notice(one), asked(one))
    waiting.join(10)
    assert found == [[decision_id]]


def test_the_clock_starts_when_the_decision_was_flushed(server: Served) -> None:
    one = caller()
    (polled,) = put_in(asked(one))
    time.sleep(0.3)
    decisions(server, one)
    assert within(20, lambda: kept(polled).given_at is not None)
    row = kept(polled)
    assert row.given_at is not None
    assert (row.given_at - row.made_at).total_seconds() >= 0.3
    put(server.base_url, one, polled, {"action": "play:7C"})
    with streaming(server.base_url, one) as messages:
        next(messages)
        (streamed,) = put_in(asked(one))
        next(messages)
        assert within(20, lambda: kept(streamed).given_at is not None)
    first = kept(streamed).given_at
    decisions(server, one)
    time.sleep(0.2)
    assert kept(streamed).given_at == first


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("decisions?wait=-1", "wait"),
        ("decisions?wait=61", "wait"),
        ("decisions?wait=soon", "wait"),
        ("decisions?wait=", "wait"),
        ("decisions?wait=%C2%B2", "wait"),
        ("decisions?wait=1&wait=2", "wait"),
        ("decisions?max=0", "max"),
        ("decisions?max=65", "max"),
        ("decisions?max=1.5", "max"),
        ("stream?after=-1", "after"),
        ("stream?after=99999999999999999999", "after"),
        ("stream?after=%00", "after"),
    ],
)
def test_a_bad_number_is_named(server: Served, path: str, field: str) -> None:
    refused = request(server.base_url, "GET", f"bot/{path}", headers=caller().headers)
    assert (refused.status, [error["field"] for error in refused.content["errors"]]) == (400, [field])


@pytest.mark.parametrize(("path", "method"), [("bot/decisions", "GET"), ("bot/stream", "GET"), ("bot/presence", "PUT")])
def test_a_wrong_method_is_told_the_right_one(server: Served, path: str, method: str) -> None:
    for wrong in {"GET", "PUT", "POST", "DELETE", "HEAD"} - {method}:
        refused = request(server.base_url, wrong, path, headers=caller().headers)
        assert (refused.status, refused.headers["allow"]) == (405, f"{method}, OPTIONS")
    told = request(server.base_url, "OPTIONS", path)
    assert (told.status, told.headers["allow"], told.body) == (204, f"{method}, OPTIONS", b"")


@pytest.mark.parametrize(
    "path", ["bot/", "bot/else", "bot/stream//", "decisions/", "decisions/a/b", "bot/decisions/dec_1"]
)
def test_other_addresses_are_nothing(server: Served, path: str) -> None:
    nothing = request(server.base_url, "GET", path, headers=caller().headers)
    assert (nothing.status, nothing.code) == (404, "not_found")


def test_pages_and_the_ordinary_api_are_served_beside(server: Served) -> None:
    with urlopen(f"{server.base_url}/healthz") as page:
        assert page.read() == b"ok\n"
    bots = request(server.base_url, "GET", "bots")
    assert (bots.status, bots.headers["content-type"]) == (200, "application/json")


def test_a_second_stream_ends_the_first_here_and_at_another_server(server: Served, elsewhere: Served) -> None:
    one = caller()
    with streaming(server.base_url, one) as first:
        next(first)
        with streaming(server.base_url, one) as second:
            next(second)
            assert [message["type"] for message in first if message["type"] != "ping"] == []
            with streaming(elsewhere.base_url, one) as third:
                next(third)
                assert [message["type"] for message in second if message["type"] != "ping"] == []
                (decision_id,) = put_in(asked(one))
                assert next(third)["decision_id"] == decision_id
                assert put(server.base_url, one, decision_id, {"action": "play:7C"}).status == 200


def test_a_token_that_is_revoked_ends_what_waits_with_it(server: Served) -> None:
    one = caller()
    polled: list[int] = []
    with streaming(server.base_url, one) as messages:
        next(messages)
        path = "bot/decisions?wait=30"
        waiting = threading.Thread(
            target=lambda: polled.append(request(server.base_url, "GET", path, headers=one.headers).status)
        )
        waiting.start()
        time.sleep(0.3)
        revoke(one.version.tokens.get())
        assert [message["type"] for message in messages if message["type"] != "ping"] == []
        waiting.join(15)
    assert polled == [401]
    assert request(server.base_url, "GET", path, headers=one.headers).code == "token_revoked"


def test_an_account_that_is_closed_ends_its_streams(server: Served) -> None:
    one = caller()
    with streaming(server.base_url, one) as messages:
        next(messages)
        User.objects.update(is_active=False)
        assert [message["type"] for message in messages if message["type"] != "ping"] == []


def test_whoever_waits_is_seen_and_the_server_says_that_it_lives(server: Served) -> None:
    one = caller()
    assert within(20, PullServer.objects.exists)
    with streaming(server.base_url, one) as messages:
        next(messages)
        seen = Presence.objects.get(agent=one.agent_id)
        assert seen.seen_at is not None
        assert within(30, lambda: Presence.objects.get(agent=one.agent_id).seen_at != seen.seen_at)
    polling = caller()
    decisions(server, polling)
    assert within(20, lambda: Presence.objects.filter(agent=polling.agent_id, seen_at__isnull=False).exists())


def test_whoever_has_just_come_may_play_at_once(server: Served) -> None:
    one = caller()
    agents = Agent.objects.filter(pk=one.agent_id)
    agents.update(is_ready=False)
    with streaming(server.base_url, one) as messages:
        next(messages)
        assert within(20, agents.filter(is_ready=True).exists)


def held_by(server: Served) -> int:
    """Threads of a server's, and connections to the database, other servers' too."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        (connections,) = cursor.fetchone()
    return psutil.Process(server.worker).num_threads() + connections


def test_of_too_many_polls_of_one_version_the_oldest_ends(server: Served) -> None:
    one = caller()
    ended: list[int] = []

    def poll(number: int) -> None:
        decisions(server, one, "?wait=50")
        ended.append(number)

    polls = [threading.Thread(target=poll, args=(number,), daemon=True) for number in range(MOST_OF_A_VERSION + 2)]
    before = held_by(server)
    for thread in polls:
        thread.start()
    assert within(40, lambda: len(ended) >= 2)
    assert len(ended) < 10
    assert held_by(server) < before + MOST_OF_A_VERSION // 2, "whoever waits holds no thread and no connection"
    put_in(asked(one))
    for thread in polls:
        thread.join(20)
    assert len(ended) == len(polls)


def test_whoever_reads_too_slowly_is_told_to_begin_anew(server: Served) -> None:
    one = caller()
    big = f'{{"protocol":"1","type":"deal_over","pad":"{"x" * 60_000}","seq":'
    with closing(deaf_stream(server, one)) as slow:
        for _ in range(10):
            put_in(*[notice(one)._replace(before=big)] * 60)
            time.sleep(0.2)
        time.sleep(1)
        assert last_words(slow).endswith(b'{"protocol":"1","type":"resync"}')
    with streaming(server.base_url, one, "?after=590") as messages:
        next(messages)
        assert [next(messages)["seq"] for _ in range(10)] == list(range(591, 601))


def test_whoever_has_missed_much_is_not_slow(server: Served) -> None:
    one = caller()
    big = f'{{"protocol":"1","type":"deal_over","pad":"{"x" * 60_000}","seq":'
    put_in(*[notice(one)._replace(before=big)] * 400, tell=False)
    with closing(deaf_stream(server, one, "?after=0")) as busy:
        put_in(notice(one))
        time.sleep(1)
        busy.settimeout(20)
        heard = b""
        while b'"seq":401}' not in heard:
            part = busy.recv(1_000_000)
            assert part
            assert b"resync" not in heard + part
            heard = (heard + part)[-1_000:]


def test_all_that_was_missed_is_given_once_in_its_order_with_what_comes_meanwhile(server: Served) -> None:
    one = caller()
    decision_ids = put_in(asked(one), *[notice(one)] * 1_000, asked(one), tell=False)
    with streaming(server.base_url, one, "?after=300") as messages:
        assert next(messages)["seq"] == 1_002
        heard = [next(messages)]
        put_in(notice(one))
        heard += [next(messages) for _ in range(703)]
    assert [message["seq"] for message in heard] == [1, *range(301, 1_004)]
    assert [message["decision_id"] for message in heard if message["type"] == "decision"] == decision_ids


def test_of_what_was_missed_the_oldest_is_read_first_and_so_much_at_once_as_is_held() -> None:
    one = caller()
    decision_ids = put_in(asked(one), *[notice(one)] * (2 * MOST_MAIL), asked(one), tell=False)
    first, then = Look(one.agent_id, -1, 5), Look(one.agent_id, MOST_MAIL + 4, MOST_MAIL + 4)
    first_page, polled, again = look([first, Look(one.agent_id, -1, None), first])
    assert [mail.seq for mail in first_page] == [1, *range(6, MOST_MAIL + 5)]
    assert [mail.decision_id for mail in polled] == decision_ids
    assert again == first_page
    (second_page,) = look([then])
    assert [mail.seq for mail in second_page] == list(range(MOST_MAIL + 5, 2 * MOST_MAIL + 3))


async def hung_up() -> dict[str, Any]:
    return {"type": "http.disconnect"}


async def nobody_there(message: object) -> None:
    raise AssertionError(message)


def poll_of(one: Caller) -> Exchange:
    """A long poll whose program is not there any more."""
    headers = [(b"authorization", one.headers["Authorization"].encode())]
    scope = {"method": "GET", "path": "/api/v1/bot/decisions", "query_string": b"", "headers": headers}
    return Exchange(scope, hung_up, nobody_there)


def test_whoever_has_hung_up_is_given_nothing() -> None:
    one = caller()
    (decision_id,) = put_in(asked(one))

    async def poll_and_hang_up() -> None:
        async with Desk() as desk:
            await poll(desk, poll_of(one))

    asyncio.run(poll_and_hang_up())
    assert kept(decision_id).given_at is None


def test_a_server_that_is_about_to_end_lets_nobody_wait() -> None:
    one = caller()

    async def come_late(route: Callable[[Desk, Exchange], Awaitable[None]]) -> Refused:
        async with Desk() as desk:
            desk.close()
            with pytest.raises(Refused) as refused:
                await route(desk, poll_of(one))
        return refused.value

    for route in (poll, stream):
        refused = asyncio.run(come_late(route))
        assert (refused.status, refused.headers["retry-after"]) == (503, "1")


def deaf_stream(server: Served, one: Caller, query: str = "") -> socket.socket:
    """A stream whose other end takes in little, and nothing until it is read."""
    address = urlsplit(server.base_url)
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    deaf.connect((address.hostname, address.port))
    deaf.sendall(
        f"GET /api/v1/bot/stream{query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {one.token}\r\n\r\n".encode()
    )
    assert deaf.recv(100).startswith(b"HTTP/1.1 200")
    return deaf


def last_words(stream: socket.socket) -> bytes:
    """The last line of a stream that ends, whole."""
    stream.settimeout(20)
    end = b""
    while not end.endswith(b"\r\n0\r\n\r\n"):
        part = stream.recv(1_000_000)
        assert part, end
        end = (end + part)[-1_000:]
    return end.removesuffix(b"\r\n0\r\n\r\n").rstrip(b"\n")


def test_a_server_that_is_told_to_end_sends_its_programs_away_and_they_play_on(child_env: dict[str, str]) -> None:
    one, polling = caller(), caller()
    polled: list[dict[str, Any]] = []

    def poll() -> None:
        path = "bot/decisions?wait=30"
        polled.append(request(server.base_url, "GET", path, headers=polling.headers).content)

    with serving(child_env) as server, PullProgram(server.base_url, one.token) as program:
        (first,) = put_in(asked(one))
        waiting = threading.Thread(target=poll)
        waiting.start()
        program.wait(lambda it: len(it.replies) == 1)
        name = f":{server.worker}:"
        assert within(20, PullServer.objects.filter(name__contains=name).exists)
        took = server.stop()
        waiting.join(10)
        assert polled == [{"decisions": []}]
        assert not PullServer.objects.filter(name__contains=name)
        (second,) = put_in(asked(one))
        with serving(child_env, port=urlsplit(server.base_url).port or 0):
            program.wait(lambda it: len(it.replies) == 2)
    assert took < 15
    assert [reply.status for reply in program.replies] == [200, 200]
    assert [kept(decision_id).action for decision_id in (first, second)] == ["play:7C"] * 2
    assert program.messages("resync")
    assert program.messages("hello")[-1]["seq"] == 2


def test_a_program_that_is_given_a_decision_twice_answers_once(server: Served) -> None:
    one = caller()
    polling, streamed = (PullProgram(server.base_url, one.token, mode=mode) for mode in ("poll", "stream"))
    with polling, streamed:
        polling.wait(lambda it: it.connections)
        streamed.wait(lambda it: it.messages("hello"))
        ids = put_in(*(asked(one) for _ in range(5)))
        for program in (polling, streamed):
            program.wait(lambda it: {reply.decision_id for reply in it.replies} == set(ids))
    told = sorted((reply.decision_id, "replayed" in reply.body) for it in (polling, streamed) for reply in it.replies)
    assert told == sorted((decision_id, replayed) for decision_id in ids for replayed in (False, True))


def test_a_head_that_says_too_much_is_refused_before_its_body(server: Served) -> None:
    one = caller()
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=30)
    connection.putrequest("PUT", "/api/v1/bot/presence")
    connection.putheader("Authorization", one.headers["Authorization"])
    connection.putheader("Content-Length", "1000000")
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()
