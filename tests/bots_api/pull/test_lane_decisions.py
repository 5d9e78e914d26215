"""One decision from the lane's side: what it comes to, whichever way it ends, and that row, answer and log agree."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from bots_api.models import Delivery, PullDecision, PullNotice
from bots_api.pull import mailbox
from bots_api.pull.agents import PullAgents
from matches.agents import Answer, Question
from matches.core.clocks import ClockRules
from matches.core.faults import Cause
from tests.bots_api.pull.mailing import (
    PATIENT,
    Behaviour,
    Message,
    RowProgram,
    ask,
    give,
    hangs,
    plays,
    pull_version,
    put,
    server_seen,
    with_pull,
)
from tests.bots_api.tables import QUICK, question_to
from tests.matches.drawn import own_connection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def says(*actions: str) -> Behaviour:
    return lambda message: list(actions)


def says_nothing_but(raw: str) -> Behaviour:
    """Sends something that is no answer, as servers keep it."""

    def behave(message: Message) -> None:
        PullDecision.objects.filter(decision_id=message["decision_id"]).update(reply=raw)

    return behave


def judged(
    behaviour: Behaviour, clock: ClockRules = PATIENT, *, may_correct: bool = True
) -> tuple[Answer, PullDecision, RowProgram]:
    version = pull_version()
    with RowProgram(version, behaviour) as program:
        (answer,) = ask(question_to(version, clock, may_correct=may_correct))
    return answer, PullDecision.objects.get(), program


def test_an_answer_in_time_is_played_and_logged_with_its_note() -> None:
    answer, row, program = judged(plays)
    assert (answer.cause, answer.corrected, str(answer.action)) == (None, False, row.action)
    assert (row.state, answer.elapsed_ms) == ("answered", row.elapsed_ms)
    line = Delivery.objects.get()
    assert (line.outcome, line.action, line.note, line.seq, line.attempt) == ("ok", row.action, "well", row.seq, 1)
    assert (line.message_id, line.request, line.game) == (row.decision_id, "", row.game)
    assert program.verdicts[0].accepted is not None
    assert not PullNotice.objects.exists()
    check_text(row)


def check_text(row: PullDecision) -> None:
    """It is the decision object, on one line."""
    message = json.loads(row.body)
    assert "\n" not in row.body
    assert list(message)[-8:] == ["type", "decision_id", "seq", "game", "match", "round", "rated", "clock"]
    assert (message["type"], message["decision_id"], message["seq"]) == ("decision", row.decision_id, row.seq)
    assert (message["legal"], message["default"]) == (row.legal, row.default_action)
    assert message["clock"]["hard_ms"] == row.budget_ms + row.bank_ms + row.grace_ms


def test_no_answer_in_time_is_a_timeout_that_the_program_is_told_of() -> None:
    answer, row, _ = judged(says_nothing_but("I think"), QUICK)
    assert (answer.action, answer.cause, answer.elapsed_ms) == (None, Cause.TIMEOUT, 550)
    assert (row.state, row.cause, row.played, row.elapsed_ms) == ("closed", "timeout", row.default_action, 550)
    notice = json.loads(PullNotice.objects.get().body)
    assert notice == {
        "protocol": "1",
        "type": "decision_closed",
        "game": row.game,
        "match": row.match,
        "decision_id": row.decision_id,
        "played": row.default_action,
        "cause": "timeout",
        "seq": 2,
    }
    line = Delivery.objects.get()
    assert (line.outcome, line.detail, line.request) == ("timeout", "No answer came in time.", row.body)
    assert line.reply == "I think"


def test_what_a_killed_lane_has_said_and_written_of_a_decision_is_not_said_again() -> None:
    version = pull_version()
    question = question_to(version, ClockRules(budget_ms=100, bank_ms=0, grace_ms=0))
    with RowProgram(version, hangs):
        first, second = (ask(question)[0] for _ in range(2))
    assert first == second
    assert (PullNotice.objects.count(), Delivery.objects.count()) == (1, 1)
    PullNotice.objects.all().delete()
    Delivery.objects.all().delete()
    ask(question)
    assert (PullNotice.objects.count(), Delivery.objects.count()) == (1, 1)


def test_the_clock_starts_two_seconds_after_the_decision_was_made_for_a_program_that_is_not_there() -> None:
    server_seen(seconds_ago=-60)
    version = pull_version()
    instant = ClockRules(budget_ms=0, bank_ms=0, grace_ms=0)
    (answer,) = ask(question_to(version, instant))
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM decided_at - made_at) FROM bots_api_pulldecision")
        open_for = float(cursor.fetchone()[0])
    assert answer.cause is Cause.TIMEOUT
    assert open_for > mailbox.LATEST_START_SECONDS


def test_an_illegal_action_is_corrected_once_a_game() -> None:
    answer, row, program = judged(says("play:9S", "take"))
    assert (str(answer.action), answer.cause, answer.corrected) == ("take", None, True)
    assert (row.state, row.is_corrected) == ("answered", True)
    assert [verdict.accepted is not None for verdict in program.verdicts] == [False, True]
    first, second = Delivery.objects.order_by("id")
    assert (first.outcome, first.attempt, first.request, first.seq) == ("illegal_action", 1, row.body, row.seq)
    assert first.detail.startswith("“play:9S” is not legal there; legal were: ")
    assert first.reply == "play:9S?"
    assert (second.outcome, second.attempt, second.action, second.reply) == ("ok", 2, "take", "")


@pytest.mark.parametrize(("actions", "may_correct"), [(("play:9S", "play:TS"), True), (("play:TS",), False)])
def test_a_second_illegal_action_is_a_fault(actions: Sequence[str], may_correct: bool) -> None:
    answer, row, _ = judged(says(*actions), may_correct=may_correct)
    assert (answer.action, answer.cause, answer.corrected) == (None, Cause.ILLEGAL, may_correct)
    assert str(answer.tried) == "play:TS"
    assert (row.state, row.cause, row.tried, row.played) == ("closed", "illegal", "play:TS", row.default_action)
    line = Delivery.objects.latest("id")
    assert (line.outcome, line.attempt, line.request) == ("illegal", len(actions), row.body)
    assert line.reply == "play:TS?"
    assert line.detail.startswith("“play:TS” is not legal there; legal were: ")
    assert json.loads(PullNotice.objects.get().body)["cause"] == "illegal"


def test_what_is_no_action_at_any_table_is_a_fault_too() -> None:
    answer, row, _ = judged(says("I", "take it"))
    assert (answer.cause, answer.tried, row.tried) == (Cause.ILLEGAL, None, "")
    line = Delivery.objects.latest("id")
    assert line.detail.startswith("What was answered is no action")
    assert line.reply == "take it?"


def test_an_answer_is_found_without_a_hint() -> None:
    version = pull_version()
    with RowProgram(version, hints=False):
        (answer,) = ask(question_to(version, PATIENT))
    assert answer.cause is None


def test_without_a_server_nobody_is_charged_and_the_decision_is_asked_again_under_its_id() -> None:
    """The program is told nothing: for it nothing has ended."""
    version = pull_version()
    question = question_to(version)
    server_seen(seconds_ago=mailbox.ALIVE_SECONDS + 1)

    async def twice(pull: PullAgents) -> list[Answer]:
        asking = asyncio.create_task(pull.decide(question))
        while not await asyncio.to_thread(own_connection, PullDecision.objects.filter(cause="infra").exists):
            assert not asking.done()
            await asyncio.sleep(0.05)
        await asyncio.to_thread(own_connection, server_seen)
        first = await asking
        with RowProgram(version) as program:
            second = await pull.decide(question)
        assert [message["seq"] for message in program.heard] == [2]
        return [first, second]

    first, second = asyncio.run(with_pull(twice))
    row = PullDecision.objects.get()
    assert (first.cause, first.elapsed_ms) == (Cause.INFRA, 0)
    assert (second.cause, str(second.action)) == (None, row.action)
    assert (row.seq, row.state, row.cause, row.played) == (2, "answered", "", "")
    assert not PullNotice.objects.exists()
    assert list(Delivery.objects.order_by("id").values_list("outcome", "attempt")) == [("infra", 1), ("ok", 2)]


def test_a_server_that_was_away_for_a_moment_counts_as_away() -> None:
    """It lives when the time is over, but the program could not have answered all the while."""
    server_seen(alive_for=0.1)
    version = pull_version()
    question = question_to(version)

    async def gap(pull: PullAgents) -> list[Answer]:
        asking = asyncio.create_task(pull.decide(question))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(own_connection, give, question.decision_id)
        await asyncio.to_thread(own_connection, lambda: server_seen(alive_for=0))
        return [await asking]

    (answer,) = asyncio.run(with_pull(gap))
    assert answer.cause is Cause.INFRA


@pytest.mark.parametrize("state", ["open", "answered", "closed"])
def test_a_decision_that_a_killed_lane_asked_is_used_as_it_stands(state: str) -> None:
    """The program sees it once; its clock is where it was."""
    server_seen()
    version = pull_version()
    question = question_to(version, ClockRules(budget_ms=2_000, bank_ms=0, grace_ms=0))
    asyncio.run(_killed_while_it_asks(question))
    give(question.decision_id)
    legal = PullDecision.objects.get().legal
    actions = {"open": [], "answered": [legal[1]], "closed": ["nothing", "play:TS"]}[state]
    for action in actions:
        put(question.decision_id, version.agent_id, action)
    before = PullDecision.objects.get()
    assert before.state == state
    if state == "open":
        with RowProgram(version, hangs) as program:
            (answer,) = ask(question)
        assert (program.heard, answer.cause, answer.elapsed_ms) == ([], Cause.TIMEOUT, 2_000)
    else:
        (answer,) = ask(question)
        assert (str(answer.action), answer.cause) in [(legal[1], None), ("None", Cause.ILLEGAL)]
        assert answer.elapsed_ms == before.elapsed_ms
    row = PullDecision.objects.get()
    assert (row.seq, row.body, row.made_at, row.given_at) == (before.seq, before.body, before.made_at, before.given_at)


def test_a_decision_of_an_annulled_match_is_no_fault_and_nothing_is_said_twice() -> None:
    server_seen()
    question = question_to(pull_version())
    asyncio.run(_killed_while_it_asks(question))
    PullDecision.objects.update(state="closed", cause="admin_void", decided_at=Now())
    (answer,) = ask(question)
    assert (answer.action, answer.cause) == (None, Cause.ADMIN_VOID)
    assert not PullNotice.objects.exists()


async def _killed_while_it_asks(question: Question) -> None:
    async def cut_off(pull: PullAgents) -> list[Answer]:
        asking = asyncio.create_task(pull.decide(question))
        while not await asyncio.to_thread(own_connection, PullDecision.objects.exists):
            await asyncio.sleep(0.01)
        asking.cancel()
        return []

    await with_pull(cut_off)


def test_a_version_without_a_counter_fails_its_own_match_alone() -> None:
    server_seen()
    good, bad = pull_version(), pull_version()
    bad.agent.message_counter.delete()

    async def both(pull: PullAgents) -> Sequence[Any]:
        with RowProgram(good):
            return await asyncio.gather(
                pull.decide(question_to(good, PATIENT)), pull.decide(question_to(bad)), return_exceptions=True
            )

    first, second = asyncio.run(with_pull(both))
    assert first.cause is None
    assert isinstance(second, LookupError)


def test_all_that_is_asked_in_one_moment_goes_in_together() -> None:
    version, other = pull_version(), pull_version()
    questions = [question_to(one, PATIENT) for one in [version, other] * 20]
    with RowProgram(version), RowProgram(other):
        answers = ask(*questions)
    assert [answer.cause for answer in answers] == [None] * 40
    for agent_id in (version.agent_id, other.agent_id):
        rows = PullDecision.objects.filter(agent=agent_id).order_by("seq")
        assert [row.seq for row in rows] == list(range(1, 21))
        asked = [question.decision_id for question in questions if question.ref.agent_id == agent_id]
        assert [row.decision_id for row in rows] == asked
