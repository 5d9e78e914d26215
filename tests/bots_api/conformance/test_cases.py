"""Every case fails with a program that has just the fault it is for, and says so to its author."""

from __future__ import annotations

import asyncio
import json

import pytest
from standardwebhooks import Webhook

from bots_api.conformance import CASES, CaseResult, Outcome, Verdict, case_of, examine
from bots_api.conformance.called import examinee_at
from bots_api.endpoints import Endpoint
from tests.bots_api.conformance import programs as are
from tests.rogues.program import Behaviour, Program


def verdict_on(url: str, *codes: str) -> Verdict:
    """What a program is told, all cases or these alone put to it; with no database near."""
    cases = [case_of(code) for code in codes] if codes else CASES

    async def put() -> Verdict:
        async def told(result: CaseResult) -> None:
            heard.append(result)

        async with examinee_at(Endpoint(1, url, Webhook(are.KEY))) as examinee:
            return await examine(examinee, told, cases)

    heard: list[CaseResult] = []
    verdict = asyncio.run(put())
    assert heard == list(verdict.results)
    return verdict


def found_with(behaviour: Behaviour, *codes: str) -> Verdict:
    with Program(behaviour) as program:
        return verdict_on(program.url, *codes)


def outcomes(verdict: Verdict) -> dict[str, str]:
    return {result.code: result.outcome.value for result in verdict.results}


def test_a_good_program_passes_every_case() -> None:
    verdict = found_with(are.well)
    assert outcomes(verdict) == {case.code: "passed" for case in CASES}, verdict
    assert verdict.may_play
    assert (verdict.passed, verdict.tried) == (len(CASES), len(CASES))


@pytest.mark.parametrize("code", are.FAULTY)
def test_a_case_finds_the_fault_that_it_is_for(code: str) -> None:
    verdict = found_with(are.FAULTY[code](), *dict.fromkeys(["ping", "decision", code]))
    failed = verdict.of(Outcome.FAILED)
    assert [result.code for result in failed] == [code], verdict
    assert not verdict.may_play
    assert failed[0].detail
    assert json.loads(failed[0].request)["protocol"] == "1"


@pytest.mark.parametrize("code", ["ping", "decision", "correction", "tables", "house_random"])
def test_a_failure_shows_what_was_sent_and_what_came_back(code: str) -> None:
    verdict = found_with(are.FAULTY[code](), code)
    (failed,) = verdict.results
    expected = {
        "ping": ('"challenge"', '"yours"'),
        "decision": ('"attempt":2', "play:7C+everything"),
        "correction": ('"attempt":2', "play:7C"),
        "tables": ('"players":3', "HTTP 500"),
        "house_random": ("declare", "HTTP 500"),
    }[code]
    assert expected[0] in failed.request
    assert expected[1] in failed.reply


@pytest.mark.parametrize(
    ("code", "number"), [(code, number) for code, several in are.WARNED.items() for number in range(len(several))]
)
def test_a_case_warns_of_what_is_unwise(code: str, number: int) -> None:
    verdict = found_with(are.WARNED[code][number](), *dict.fromkeys(["ping", "decision", code]))
    warned = verdict.of(Outcome.WARNED)
    assert [result.code for result in warned] == [code], verdict
    assert verdict.may_play
    assert warned[0].detail


def test_without_an_echo_nothing_else_is_tried() -> None:
    verdict = found_with(are.FAULTY["ping"]())
    assert outcomes(verdict) == {case.code: "failed" if case.code == "ping" else "skipped" for case in CASES}
    assert (verdict.passed, verdict.tried, verdict.may_play) == (0, 1, False)


def test_a_program_that_hangs_is_not_waited_for_again_and_again() -> None:
    verdict = found_with(are.but(are.is_decision, are.hangs))
    assert outcomes(verdict)["ping"] == "passed"
    assert outcomes(verdict)["decision"] == "failed"
    assert verdict.tried == 2
    assert "in time" in verdict.results[1].detail


def test_with_another_secret_the_ping_says_so() -> None:
    async def put() -> Verdict:
        async def told(result: CaseResult) -> None:
            assert result

        async with examinee_at(Endpoint(1, program.url, Webhook(bytes(32)))) as examinee:
            return await examine(examinee, told, [case_of("ping")])

    with Program(are.well) as program:
        verdict = asyncio.run(put())
    assert "secret" in verdict.results[0].detail


def test_a_request_in_pieces_is_too_much_for_a_program_that_reads_once() -> None:
    with are.reads_once() as url:
        verdict = verdict_on(url, "ping", "decision", "slow_link")
    assert outcomes(verdict) == {"ping": "passed", "decision": "passed", "slow_link": "failed"}
    assert "pieces" in verdict.results[-1].detail
    assert "HTTP 400" in verdict.results[-1].reply


def test_nagles_delay_is_found_and_named() -> None:
    with are.of_the_standard_library("nagle") as url:
        (found,) = verdict_on(url, "nagle").results
    assert found.outcome is Outcome.WARNED
    assert found.detail.startswith(
        "Nagle's algorithm with delayed ACK: set TCP_NODELAY or write head and body in one send."
    )


def test_two_sends_without_nagle_are_no_fault() -> None:
    with are.of_the_standard_library("no_nagle") as url:
        (found,) = verdict_on(url, "nagle").results
    assert found.outcome is Outcome.PASSED


def test_a_program_that_is_slow_by_itself_is_not_called_nagles() -> None:
    with are.of_the_standard_library("thinks") as url:
        (found,) = verdict_on(url, "nagle").results
    assert found.outcome is Outcome.WARNED
    assert "Nagle" not in found.detail


def test_every_case_has_a_program_that_it_is_for() -> None:
    assert {*are.FAULTY, *are.WARNED, "slow_link", "nagle"} == {case.code for case in CASES}


def test_nobody_is_there() -> None:
    (found,) = verdict_on("http://127.0.0.1:9/", "ping").results
    assert found.outcome is Outcome.FAILED
    assert found.reply == ""
