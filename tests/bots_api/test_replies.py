"""The table of protocol §5, row by row, against real HTTP programs on loopback."""

from __future__ import annotations

import asyncio
import time
import tracemalloc
from collections.abc import Mapping

import pytest

from bots_api.models import Delivery
from bots_api.wire import CUT, REPLY_LIMIT
from matches.core.clocks import ClockRules
from matches.core.faults import Cause
from matches.models import Agent, AgentStatus
from tests.bots_api.tables import ask, judged, question_to, version_at
from tests.rogues import behaviours as does
from tests.rogues.program import Behaviour, Exchange, Program

pytestmark = pytest.mark.django_db(transaction=True)

DEEP = b'{"action":' + b"[" * 7_000 + b"]" * 7_000 + b"}"
NUMBER = b'{"action":"pass","n":' + b"9" * 15_000 + b"}"

PATIENT = ClockRules(budget_ms=10_000, bank_ms=20_000, grace_ms=50)  # for many programs in one process at once
UNTIL_LATE = ClockRules(budget_ms=2_000, bank_ms=2_000, grace_ms=50)

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


def then_plays(table: Mapping[str, Behaviour]) -> dict[str, Behaviour]:
    return {name: does.first(misbehave, does.plays) for name, misbehave in table.items()}


def test_a_legal_action_is_played() -> None:
    seen = judged({"": does.plays})[""]
    assert str(seen.answer.action) == "take"
    assert (seen.answer.cause, seen.answer.corrected) == (None, False)
    assert seen.answer.elapsed_ms < 250
    (row,) = seen.log
    assert (row.outcome, row.action, row.note, row.status, row.attempt) == ("ok", "take", "well", 200, 1)
    assert (row.request, row.reply) == ("", "")


def test_anything_else_in_a_200_is_asked_once_more() -> None:
    seen = judged(then_plays({name: misbehave for name, (misbehave, _) in ONCE_MORE.items()}), PATIENT)
    assert {name: one.outcomes for name, one in seen.items()} == {
        name: [code, "ok"] for name, (_, code) in ONCE_MORE.items()
    }
    for name, one in seen.items():
        assert (str(one.answer.action), one.answer.cause, one.answer.corrected) == ("take", None, True), name


def test_what_came_of_a_reply_is_kept_whole_or_as_far_as_it_came() -> None:
    long = b'{"x":"' + b"y" * 5_000 + b'","action":12}'
    seen = judged(
        {
            "long": does.says(long),
            "too long": does.says(b"z" * 20_000),
            "half a body": does.stops_in_the_body,
            "no HTTP": does.sends(b"\x00 what is HTTP?\r\n\r\n"),
            "late": does.trickles,
            "hung up": does.hangs_up,
        },
        UNTIL_LATE,
        may_correct=False,
    )
    kept = {name: one.log[-1].reply for name, one in seen.items()}
    assert kept == {
        "long": long.decode(),
        "too long": "z" * REPLY_LIMIT + CUT,
        "half a body": 'HTTP/1.1 200 OK\nContent-Length: 50\n\n{"action":',
        "no HTTP": "\N{REPLACEMENT CHARACTER} what is HTTP?\n\n",
        "late": kept["late"],
        "hung up": "",
    }
    assert kept["late"].startswith("HTTP/1.1 200 OK\nContent-Length: 1000\n\n ")


def test_the_correction_is_the_same_decision_with_the_error() -> None:
    seen = judged(then_plays({name: misbehave for name, (misbehave, _) in ONCE_MORE.items()}), PATIENT)
    for name, one in seen.items():
        asked, again = (request.message for request in one.requests)
        assert not {"attempt", "error"} & asked.keys(), name
        assert again == asked | {"attempt": 2, "error": again["error"]}, name
        assert again["error"]["code"] == ONCE_MORE[name][1]
        assert again["error"]["detail"], name


def test_a_second_bad_answer_is_a_fault() -> None:
    seen = judged({name: misbehave for name, (misbehave, _) in ONCE_MORE.items()}, PATIENT)
    assert {name: (one.answer.cause, one.answer.corrected, len(one.requests)) for name, one in seen.items()} == {
        name: (Cause(code.removesuffix("_action")), True, 2) for name, (_, code) in ONCE_MORE.items()
    }


def test_r66_what_was_tried_is_told_with_the_fault_and_with_no_other() -> None:
    seen = judged(
        {
            "a card": does.says(b'{"action":"play:7C"}'),
            "no action": does.says(b'{"action":"everything"}'),
            "a card, then nonsense": does.first(does.says(b'{"action":"play:7C"}'), does.says(b"no")),
            "nonsense, then a card": does.first(does.says(b"no"), does.says(b'{"action":"play:8C"}')),
            "a card, then well": does.first(does.says(b'{"action":"play:7C"}'), does.plays),
        },
        PATIENT,
    )
    tried = {name: one.answer.tried and one.answer.tried.text for name, one in seen.items()}
    assert tried == {
        "a card": "play:7C",
        "no action": None,
        "a card, then nonsense": None,
        "nonsense, then a card": "play:8C",
        "a card, then well": None,
    }


def test_a_game_has_one_correction() -> None:
    seen = judged({name: misbehave for name, (misbehave, _) in ONCE_MORE.items()}, PATIENT, may_correct=False)
    assert {name: (one.answer.cause, one.answer.corrected, len(one.requests)) for name, one in seen.items()} == {
        name: (Cause(code.removesuffix("_action")), False, 1) for name, (_, code) in ONCE_MORE.items()
    }


def test_the_clock_runs_on_while_a_decision_is_corrected() -> None:
    async def slow_and_wrong(exchange: Exchange) -> None:
        await asyncio.sleep(0.15)
        await exchange.reply(b"{}")

    answer = judged({"": does.first(slow_and_wrong, does.answers_slowly)})[""].answer
    assert answer.cause is None
    assert 200 <= answer.elapsed_ms <= 549


def test_faults_at_once() -> None:
    seen = judged({name: misbehave for name, (misbehave, _) in AT_ONCE.items()}, PATIENT)
    assert {name: (one.answer.cause, len(one.requests)) for name, one in seen.items()} == {
        name: (cause, 1) for name, (_, cause) in AT_ONCE.items()
    }
    for name, one in seen.items():
        (row,) = one.log
        assert row.outcome == (f"http_{row.status}" if row.status else "http_error"), name
        assert '"type":"decision"' in row.request, name


def test_a_redirect_is_never_followed() -> None:
    with Program(does.plays) as elsewhere:
        seen = judged({str(code): does.says(b"", code, Location=elsewhere.url) for code in (301, 302, 303, 307, 308)})
        assert {one.answer.cause for one in seen.values()} == {Cause.HTTP_ERROR}
        assert elsewhere.connections == 0


def test_a_call_that_came_to_nothing_is_sent_again() -> None:
    for name, one in judged(then_plays(SENT_AGAIN), PATIENT).items():
        assert (str(one.answer.action), one.answer.cause) == ("take", None), name
        first, second = one.requests
        assert first.body == second.body
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert [row.attempt for row in one.log] == [1, 2]


def test_it_is_sent_again_once_and_then_unreachable() -> None:
    seen = judged(SENT_AGAIN, PATIENT)
    assert {name: (one.answer.cause, len(one.requests)) for name, one in seen.items()} == dict.fromkeys(
        SENT_AGAIN, (Cause.UNREACHABLE, 2)
    )


def test_it_is_not_sent_again_when_too_little_of_the_budget_is_left() -> None:
    async def slowly_503(exchange: Exchange) -> None:
        await asyncio.sleep(0.14)  # of 200 ms, and 40 % would be 80
        await exchange.reply(b"", 503)

    one = judged({"": slowly_503})[""]
    assert (one.answer.cause, len(one.requests)) == (Cause.UNREACHABLE, 1)


def test_a_refused_connection_is_tried_twice() -> None:
    with Program(does.plays) as program:
        url = program.url
    (answer,) = ask(question_to(version_at(url)))
    assert answer.cause is Cause.UNREACHABLE
    assert list(Delivery.objects.order_by("id").values_list("outcome", "attempt")) == [
        ("unreachable", 1),
        ("unreachable", 2),
    ]


def test_429_waits_what_was_asked_inside_the_clock() -> None:
    clock = ClockRules(budget_ms=500, bank_ms=1_000, grace_ms=50)
    one = judged({"": does.first(does.says(b"", 429, Retry_After="1"), does.plays)}, clock)[""]
    assert (str(one.answer.action), one.answer.cause) == ("take", None)
    assert 1_000 <= one.answer.elapsed_ms <= 1_300
    assert one.outcomes == ["http_429", "ok"]


def test_429_without_a_number_of_seconds_waits_a_little() -> None:
    headers = ["", "soon", "-1", "²", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT", "9" * 50]
    seen = judged(then_plays({header: does.says(b"", 429, Retry_After=header) for header in headers}), PATIENT)
    for header, one in seen.items():
        assert (str(one.answer.action), one.answer.cause) == ("take", None), header
        assert 100 <= one.answer.elapsed_ms <= 300, header


def test_429_to_the_end_of_the_clock_is_a_timeout() -> None:
    seen = judged({"for ever": does.says(b"", 429), "a day": does.says(b"", 429, Retry_After="86400")})
    assert {one.answer.cause for one in seen.values()} == {Cause.TIMEOUT}
    assert {one.answer.elapsed_ms for one in seen.values()} == {550}
    assert 2 <= len(seen["for ever"].requests) <= 5
    assert len(seen["a day"].requests) == 1


def test_no_complete_body_by_hard_ms_is_a_timeout() -> None:
    for name, one in judged(NEVER_DONE).items():
        assert (one.answer.cause, one.answer.elapsed_ms) == (Cause.TIMEOUT, 550), name
        (row,) = one.log
        assert (row.outcome, row.status) == ("timeout", None), name
        assert 550 <= row.elapsed_ms < 800, name  # connecting was free


def test_the_program_sees_its_connection_closed_when_it_is_late() -> None:
    cut_after: list[float] = []

    async def hang(exchange: Exchange) -> None:
        began = time.monotonic()
        await exchange.until_cut()
        cut_after.append(time.monotonic() - began)

    with Program(does.first(hang, does.plays)) as program:
        version = version_at(program.url)
        late, well = ask(question_to(version), question_to(version))
    assert (late.cause, well.cause) == (Cause.TIMEOUT, None)
    assert 0.5 <= cut_after[0] <= 1.5


def test_410_retires_the_version() -> None:
    with Program(does.says(b"", 410)) as program:
        version = version_at(program.url)
        (answer,) = ask(question_to(version))
    assert answer.cause is Cause.RESIGNED
    agent = Agent.objects.get(pk=version.agent_id)
    assert (agent.status, agent.status_reason) == (AgentStatus.RETIRED, "answered 410 Gone")


@pytest.mark.parametrize("flood", ["a megabyte", "chunks without end", "a bomb in gzip"])
def test_memory_stays_flat(flood: str) -> None:
    with Program(ONCE_MORE[flood][0]) as program:
        version = version_at(program.url)
        questions = [question_to(version, PATIENT, may_correct=False) for _ in range(20)]
        ask(questions[0])
        tracemalloc.start()
        try:
            ask(*questions)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 8_000_000  # the program, which lives in this process, holds a megabyte or two itself
    assert set(Delivery.objects.values_list("outcome", flat=True)) == {"malformed"}
    assert all(len(reply) <= REPLY_LIMIT + len(CUT) for reply in Delivery.objects.values_list("reply", flat=True))
