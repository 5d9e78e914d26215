"""The table of protocol §5, row by row, against real HTTP programs on loopback."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from bots_api.models import Delivery
from matches.core.clocks import ClockRules
from matches.core.faults import Cause
from matches.models import Agent, AgentStatus
from tests.bots_api.tables import QUICK, ask, question_to, version_at
from tests.rogues import behaviours as does
from tests.rogues.program import Behaviour, Program

pytestmark = pytest.mark.django_db(transaction=True)

DEEP = b'{"action":' + b"[" * 7_000 + b"]" * 7_000 + b"}"
NUMBER = b'{"action":"pass","n":' + b"9" * 15_000 + b"}"

# After every misbehaviour the program could play: what counts is how the platform judged the first reply.
ONCE_MORE: dict[str, tuple[Behaviour, str]] = {
    "illegal": (does.says(b'{"action":"play:7C"}'), "illegal_action"),
    "no action": (does.says(b'{"card":"7C"}'), "malformed"),
    "an action that is a number": (does.says(b'{"action":1}'), "malformed"),
    "a list": (does.says(b'["pass"]'), "malformed"),
    "nothing": (does.says(b""), "malformed"),
    "no JSON": (does.says(b"I pass."), "malformed"),
    "not UTF-8": (does.says(b'{"action":"\xff\xfe"}'), "malformed"),
    "lone surrogates": (does.says(b'{"action":"\\ud800\\udfff"}'), "illegal_action"),
    "a NUL": (does.says(b'{"action":"\\u0000"}'), "illegal_action"),
    "NaN": (does.says(b'{"action":"pass","sure":NaN}'), "malformed"),
    "Infinity": (does.says(b'{"action":"pass","sure":-Infinity}'), "malformed"),
    "deep JSON": (does.says(DEEP), "malformed"),
    "a number of 15 000 digits": (does.says(NUMBER), "malformed"),
    "a number of a million digits": (does.says(b'{"n":' + b"9" * 1_000_000 + b"}"), "malformed"),
    "a megabyte": (does.sends_a_megabyte, "malformed"),
    "chunks without end": (does.sends_chunks_without_end, "malformed"),
    "a good answer in gzip": (does.packs_its_answer, "malformed"),
    "a good answer in deflate": (does.deflates_its_answer, "malformed"),
    "a bomb in gzip": (does.packs_a_bomb, "malformed"),
}
AT_ONCE: dict[str, tuple[Behaviour, Cause]] = {
    "301": (does.says(b"", 301, Location="/elsewhere"), Cause.HTTP_ERROR),
    "302": (does.says(b"", 302, Location="/elsewhere"), Cause.HTTP_ERROR),
    "307": (does.says(b"", 307, Location="/elsewhere"), Cause.HTTP_ERROR),
    "308": (does.says(b"", 308, Location="/elsewhere"), Cause.HTTP_ERROR),
    "304": (does.says(b"", 304), Cause.HTTP_ERROR),
    "201 with a legal action": (does.says(b'{"action":"pass"}', 201), Cause.HTTP_ERROR),
    "204": (does.says(b"", 204), Cause.HTTP_ERROR),
    "400": (does.says(b"", 400), Cause.HTTP_ERROR),
    "404": (does.says(b"", 404), Cause.HTTP_ERROR),
    "418": (does.says(b"", 418), Cause.HTTP_ERROR),
    "500": (does.says(b"", 500), Cause.HTTP_ERROR),
    "501": (does.says(b"", 501), Cause.HTTP_ERROR),
    "999": (does.says(b"", 999), Cause.HTTP_ERROR),
    "no HTTP": (does.sends(b"\x00\xff\x13 what is HTTP?\r\n\r\n"), Cause.HTTP_ERROR),
    "JSON without HTTP": (does.sends(b'{"action":"pass"}\r\n\r\n'), Cause.HTTP_ERROR),
    "an endless header": (does.sends(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n"), Cause.HTTP_ERROR),
    "two lengths": (
        does.sends(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} "),
        Cause.HTTP_ERROR,
    ),
    "a chunk that is none": (
        does.sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
        Cause.HTTP_ERROR,
    ),
    "half a head": (does.sends(b"HTTP/1.1 200 OK\r\nContent-"), Cause.HTTP_ERROR),
    "half a body": (does.stops_in_the_body, Cause.HTTP_ERROR),
    "401": (does.says(b"", 401), Cause.REJECTED),
    "403": (does.says(b"", 403), Cause.REJECTED),
    "410": (does.says(b"", 410), Cause.RESIGNED),
}
SENT_AGAIN: dict[str, Behaviour] = {
    "closed before a byte": does.hangs_up,
    "reset before a byte": does.resets,
    "502": does.says(b"", 502),
    "503": does.says(b"", 503),
    "504": does.says(b"", 504),
}
NEVER_DONE: dict[str, Behaviour] = {
    "hangs": does.hangs,
    "trickles": does.trickles,
    "trickles its head": does.trickles_its_head,
}


def outcomes() -> list[str]:
    return list(Delivery.objects.order_by("id").values_list("outcome", flat=True))


def test_a_legal_action_is_played() -> None:
    with Program(does.plays) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert str(answer.action) == "take"
    assert (answer.cause, answer.corrected) == (None, False)
    assert answer.elapsed_ms < 100
    row = Delivery.objects.get()
    assert (row.outcome, row.action, row.note, row.status, row.attempt) == ("ok", "take", "well", 200, 1)
    assert (row.request, row.reply) == ("", "")


@pytest.mark.parametrize("fault", ONCE_MORE)
def test_anything_else_in_a_200_is_asked_once_more(fault: str) -> None:
    misbehave, code = ONCE_MORE[fault]
    with Program(does.first(misbehave, does.plays)) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert str(answer.action) == "take"
    assert (answer.cause, answer.corrected) == (None, True)
    asked, again = program.messages()
    assert "attempt" not in asked
    assert "error" not in asked
    assert (again["attempt"], again["error"]["code"]) == (2, code)
    assert again["error"]["detail"]
    assert {key: again[key] for key in asked} == asked
    assert outcomes() == [code, "ok"]


@pytest.mark.parametrize("fault", ["illegal", "no JSON", "a megabyte", "a good answer in gzip"])
def test_a_second_bad_answer_is_a_fault(fault: str) -> None:
    misbehave, code = ONCE_MORE[fault]
    with Program(misbehave) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert answer.action is None
    assert answer.cause == code.removesuffix("_action")
    assert answer.corrected
    assert len(program.received) == 2


def test_a_game_has_one_correction() -> None:
    with Program(ONCE_MORE["illegal"][0]) as program:
        (answer,) = ask(question_to(version_at(program.url), may_correct=False))
    assert (answer.cause, answer.corrected) == (Cause.ILLEGAL, False)
    assert len(program.received) == 1


def test_the_clock_runs_on_while_a_decision_is_corrected() -> None:
    async def slow_and_wrong(exchange):
        await does.asyncio.sleep(0.15)
        await exchange.reply(b"{}")

    with Program(does.first(slow_and_wrong, does.answers_slowly)) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert answer.cause is None
    assert 240 <= answer.elapsed_ms <= 400


@pytest.mark.parametrize("fault", AT_ONCE)
def test_a_fault_at_once(fault: str) -> None:
    misbehave, cause = AT_ONCE[fault]
    with Program(misbehave) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert (answer.action, answer.cause) == (None, cause)
    assert len(program.received) == 1
    row = Delivery.objects.get()
    assert row.outcome in {f"http_{row.status}", "http_error"}
    assert '"type":"decision"' in row.request


def test_a_redirect_is_never_followed() -> None:
    with Program(does.plays) as elsewhere:
        with Program(does.says(b"", 307, Location=elsewhere.url)) as program:
            (answer,) = ask(question_to(version_at(program.url)))
        assert answer.cause is Cause.HTTP_ERROR
        assert elsewhere.connections == 0


@pytest.mark.parametrize("fault", SENT_AGAIN)
def test_a_call_that_came_to_nothing_is_sent_again(fault: str) -> None:
    with Program(does.first(SENT_AGAIN[fault], does.plays)) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert (str(answer.action), answer.cause) == ("take", None)
    first, second = program.received
    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


@pytest.mark.parametrize("fault", SENT_AGAIN)
def test_it_is_sent_again_once_and_then_unreachable(fault: str) -> None:
    with Program(SENT_AGAIN[fault]) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert answer.cause is Cause.UNREACHABLE
    assert len(program.received) == 2


def test_it_is_not_sent_again_when_too_little_of_the_budget_is_left() -> None:
    async def slowly_503(exchange):
        await does.asyncio.sleep(0.14)  # of 200 ms, and 40 % would be 80
        await exchange.reply(b"", 503)

    with Program(slowly_503) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert answer.cause is Cause.UNREACHABLE
    assert len(program.received) == 1


def test_a_refused_connection_is_tried_twice() -> None:
    with Program(does.plays) as program:
        url = program.url
    (answer,) = ask(question_to(version_at(url)))
    assert answer.cause is Cause.UNREACHABLE
    assert outcomes() == ["unreachable", "unreachable"]
    assert list(Delivery.objects.order_by("id").values_list("attempt", flat=True)) == [1, 2]


def test_429_waits_what_was_asked_inside_the_clock() -> None:
    clock = ClockRules(budget_ms=500, bank_ms=1_000, grace_ms=50)
    with Program(does.first(does.says(b"", 429, Retry_After="1"), does.plays)) as program:
        (answer,) = ask(question_to(version_at(program.url), clock))
    assert (str(answer.action), answer.cause) == ("take", None)
    assert 1_000 <= answer.elapsed_ms <= 1_200
    assert outcomes() == ["http_429", "ok"]


@pytest.mark.parametrize("header", ["", "soon", "-1", "²", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT", "9" * 50])
def test_429_without_a_number_of_seconds_waits_a_little(header: str) -> None:
    with Program(does.first(does.says(b"", 429, Retry_After=header), does.plays)) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert (str(answer.action), answer.cause) == ("take", None)
    assert 100 <= answer.elapsed_ms <= 250


def test_429_for_ever_is_a_timeout() -> None:
    with Program(does.says(b"", 429)) as program:
        (answer,) = ask(question_to(version_at(program.url)))
    assert answer.cause is Cause.TIMEOUT
    assert answer.elapsed_ms == 550
    assert 2 <= len(program.received) <= 5


def test_429_that_asks_for_too_long_is_a_timeout_at_the_end_of_the_clock() -> None:
    with Program(does.says(b"", 429, Retry_After="86400")) as program:
        began = time.monotonic()
        (answer,) = ask(question_to(version_at(program.url)))
        took_s = time.monotonic() - began
    assert answer.cause is Cause.TIMEOUT
    assert took_s < 2
    assert len(program.received) == 1


@pytest.mark.parametrize("fault", NEVER_DONE)
def test_no_complete_body_by_hard_ms_cuts_the_socket(fault: str) -> None:
    with Program(NEVER_DONE[fault]) as program:
        (answer,) = ask(question_to(version_at(program.url)))
        assert answer.cause is Cause.TIMEOUT
        assert answer.elapsed_ms == QUICK.budget_ms + QUICK.bank_ms + QUICK.grace_ms
    row = Delivery.objects.get()
    assert (row.outcome, row.elapsed_ms, row.status) == ("timeout", 550, None)


def test_the_program_sees_its_connection_closed_when_it_is_late() -> None:
    cut_after: list[float] = []

    async def hang(exchange):
        began = time.monotonic()
        await exchange.until_cut()
        cut_after.append(time.monotonic() - began)

    with Program(does.first(hang, does.plays)) as program:
        version = version_at(program.url)
        late, well = ask(question_to(version), question_to(version))
    assert (late.cause, well.cause) == (Cause.TIMEOUT, None)
    assert 0.5 <= cut_after[0] <= 0.8


def test_410_retires_the_version() -> None:
    with Program(does.says(b"", 410)) as program:
        version = version_at(program.url)
        ask(question_to(version))
    agent = Agent.objects.get(pk=version.agent_id)
    assert (agent.status, agent.status_reason) == (AgentStatus.RETIRED, "answered 410 Gone")


@pytest.mark.parametrize(
    "flood", ["a megabyte", "chunks without end", "a bomb in gzip", "a number of a million digits"]
)
def test_memory_stays_flat(flood: str) -> None:
    with Program(ONCE_MORE[flood][0]) as program:
        version = version_at(program.url)
        questions = [question_to(version, may_correct=False) for _ in range(20)]
        ask(questions[0])
        tracemalloc.start()
        try:
            ask(*questions)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 8_000_000  # the program, which lives in this process, holds a megabyte or two itself
    assert set(outcomes()) == {"malformed"}
    assert all(len(reply) <= 2_000 for reply in Delivery.objects.values_list("reply", flat=True))
