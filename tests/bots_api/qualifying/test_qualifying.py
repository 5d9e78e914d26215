"""A version plays once it has passed: in rows as it happens, in turn, and whatever kills the runner."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

import pytest
from django.db import connection
from django.utils import timezone

from bots_api.conformance import CASES, CaseResult, Outcome, Verdict, case_of, examine
from bots_api.health import quarantine_rejected
from bots_api.models import (
    BotVersion,
    Delivery,
    MessageCounter,
    Qualification,
    QualificationCase,
    QualificationStatus,
    QuarantinedBy,
)
from bots_api.qualifying import rows
from bots_api.qualifying.examining import calling_us
from bots_api.qualifying.services import QualificationRefused, admit, ask_for, run, run_waiting
from bots_api.services import add_version, register_bot
from bots_api.services.states import quarantine
from deploy.embedded.paths import PROJECT
from matches.ledger import Ledger
from matches.models import AgentStatus, User
from matches.services.versions import set_status
from tests.bots_api.conformance import programs as are
from tests.bots_api.pull.mailing import Message, RowProgram, hangs, plays
from tests.rogues.program import Behaviour, Exchange, Program

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
_numbers = itertools.count(1)


def owner(name: str = "anna") -> User:
    return User.objects.get_or_create(username=name)[0]


def new_version(url: str = "", whose: str = "anna") -> BotVersion:
    """A version of a new program that nobody has examined."""
    bot = register_bot(f"Candidate {next(_numbers)}", owner(whose))
    return add_version(bot, "v1", url, None if not url else are.KEY)


def qualified(version: BotVersion) -> Qualification:
    asked = ask_for(version, owner())
    run(asked.pk)
    asked.refresh_from_db()
    return asked


def status_of(version: BotVersion) -> str:
    version.agent.refresh_from_db()
    return version.agent.status


def outcomes(qualification: Qualification) -> dict[str, str]:
    return dict(qualification.cases.order_by("number").values_list("code", "outcome"))


def test_a_version_that_passes_may_play() -> None:
    with Program(are.well) as program:
        version = new_version(program.url)
        asked = qualified(version)
    assert (asked.status, asked.reason) == (QualificationStatus.PASSED, "")
    assert outcomes(asked) == {case.code: "passed" for case in CASES}
    assert list(asked.cases.values_list("number", flat=True)) == list(range(1, len(CASES) + 1))
    assert asked.started_at
    assert asked.finished_at
    assert status_of(version) == AgentStatus.ACTIVE


def test_its_messages_are_counted_with_all_others() -> None:
    with Program(are.FAULTY["decision"]()) as program:
        version = new_version(program.url)
        qualified(version)
    numbers = {request.message["seq"] for request in program.received}
    assert numbers == set(range(1, len(numbers) + 1))
    assert MessageCounter.objects.get(agent=version.agent).last_seq == len(numbers)


def test_a_version_that_fails_stays_what_it_was_and_shows_why() -> None:
    with Program(are.FAULTY["tables"]()) as program:
        version = new_version(program.url)
        asked = qualified(version)
    assert (asked.status, asked.reason) == (QualificationStatus.FAILED, "failed: tables")
    assert outcomes(asked) == {case.code: "failed" if case.code == "tables" else "passed" for case in CASES}
    failed = asked.cases.get(code="tables")
    assert '"players":3' in failed.request
    assert "HTTP 500" in failed.reply
    assert status_of(version) == AgentStatus.NEW


@pytest.mark.parametrize("kind", ["ping", "decision"])
def test_a_version_that_answers_410_is_retired(kind: str) -> None:
    with Program(are.but(lambda message: message["type"] == kind, are.says({}, 410))) as program:
        version = new_version(program.url)
        assert qualified(version).status == QualificationStatus.FAILED
    assert status_of(version) == AgentStatus.RETIRED


def test_passed_at_last_a_version_in_quarantine_returns() -> None:
    with Program(are.well) as program:
        version = new_version(program.url)
        quarantine_rejected(version.agent_id)
        qualified(version)
    assert status_of(version) == AgentStatus.ACTIVE


NOT_BY_MAIL = {"ping", "signature", "correction", "notices", "keep_alive", "slow_link", "nagle"}


def test_a_version_that_calls_us_is_asked_what_applies_to_it() -> None:
    version = new_version()
    with RowProgram(version, plays):
        asked = qualified(version)
    assert asked.status == QualificationStatus.PASSED, outcomes(asked)
    assert outcomes(asked) == {case.code: "skipped" if case.code in NOT_BY_MAIL else "passed" for case in CASES}
    assert status_of(version) == AgentStatus.ACTIVE
    assert not Delivery.objects.exists(), "figures are of games"


class Careless:
    """It calls us, and answers each decision with a card but where one thing surprises it."""

    def __init__(self, surprise: str) -> None:
        self._surprise = surprise
        self._seen: set[str] = set()
        self._plies: dict[str, int] = {}

    def __call__(self, message: Message) -> str | Sequence[str]:
        is_seen, last = message["decision_id"] in self._seen, self._plies.get(message["game"], -1)
        self._seen.add(message["decision_id"])
        self._plies[message["game"]] = message["ply"]
        surprised = {
            "duplicate": is_seen,
            "out_of_order": message["ply"] < last,
            "unknown_fields": "mood" in message["table"],
        }[self._surprise]
        return ("what", "never") if surprised else plays(message)


BY_MAIL = ("duplicate", "out_of_order", "unknown_fields")


def put_by_mail(version: BotVersion) -> Verdict:
    async def told(result: CaseResult) -> None:
        assert result.code in BY_MAIL

    async def put() -> Verdict:
        async with Ledger() as ledger, calling_us(version, ledger) as examinee:
            return await examine(examinee, told, [case_of(code) for code in BY_MAIL])

    return asyncio.run(put())


@pytest.mark.parametrize("code", BY_MAIL)
def test_what_surprises_a_version_that_calls_us_is_found_before_it_plays(code: str) -> None:
    version = new_version()
    with RowProgram(version, Careless(code)):
        verdict = put_by_mail(version)
    (failed,) = verdict.of(Outcome.FAILED)
    assert (failed.code, failed.reply) == (code, "never?")
    assert '"type":"decision"' in failed.request
    assert verdict.tried == len(BY_MAIL)


def test_a_version_that_calls_us_and_answers_otherwise_the_second_time_is_warned() -> None:
    version, turns = new_version(), itertools.count()
    with RowProgram(version, lambda message: message["legal"][next(turns) % 2]):
        verdict = put_by_mail(version)
    assert [result.code for result in verdict.of(Outcome.WARNED)] == ["duplicate"]


def test_a_version_that_calls_us_and_does_not_answer_is_told_what_to_look_at() -> None:
    version = new_version()
    with RowProgram(version, hangs):
        asked = qualified(version)
    failed = asked.cases.get(outcome="failed")
    assert failed.code == "decision"
    assert "token of this version" in failed.detail
    assert '"type":"decision"' in failed.request
    assert status_of(version) == AgentStatus.NEW


def test_whoever_asks_twice_has_one_run() -> None:
    version = new_version("http://127.0.0.1:9000/")
    first, second = ask_for(version, owner()), ask_for(version, owner())
    assert first == second
    Qualification.objects.update(status=QualificationStatus.FAILED, finished_at=timezone.now())
    assert ask_for(version, owner()) != first


def test_asked_by_many_at_once_there_is_one_run() -> None:
    version, anna = new_version("http://127.0.0.1:9000/"), owner()
    together(lambda: ask_for(BotVersion.objects.get(pk=version.pk), anna), 6)
    assert Qualification.objects.count() == 1


def together(work: Callable[[], object], count: int) -> None:
    def one() -> None:
        try:
            work()
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)


def test_only_the_owner_and_the_desk_ask() -> None:
    version = new_version("http://127.0.0.1:9000/")
    with pytest.raises(QualificationRefused) as refused:
        ask_for(version, owner("chrystyna"))
    assert refused.value.code == "not_yours"
    desk = User.objects.create_superuser("director", password="x")
    assert ask_for(version, desk).status == QualificationStatus.WAITING


def test_a_retired_version_is_not_examined_any_more() -> None:
    version = new_version("http://127.0.0.1:9000/")
    set_status(version.agent_id, AgentStatus.RETIRED)
    with pytest.raises(QualificationRefused) as refused:
        ask_for(version, owner())
    assert refused.value.code == "retired"
    admit(version)
    assert status_of(version) == AgentStatus.RETIRED


def test_what_the_desk_took_off_the_table_its_owner_does_not_bring_back() -> None:
    version = new_version("http://127.0.0.1:9000/")
    taken = rows.take_one(ask_for(version, owner()).pk)
    assert taken
    assert quarantine(version.agent_id, QuarantinedBy.DESK, "plays for two")
    rows.finish(taken, Verdict((CaseResult("ping", Outcome.PASSED, "", "", "", 1),)))
    assert status_of(version) == AgentStatus.QUARANTINED
    with pytest.raises(QualificationRefused) as refused:
        ask_for(version, owner())
    assert refused.value.code == "held_by_desk"
    admit(version)
    assert status_of(version) == AgentStatus.ACTIVE


def test_the_desk_admits_without_a_case() -> None:
    version = new_version("http://127.0.0.1:9000/")
    admit(version)
    assert status_of(version) == AgentStatus.ACTIVE


def test_owners_take_turns() -> None:
    annas = [ask_for(new_version("http://127.0.0.1:9000/"), owner()).pk for _ in range(3)]
    bohdans = ask_for(new_version("http://127.0.0.1:9000/", "bohdan"), owner("bohdan")).pk
    assert [one.pk for one in rows.take(2)] == [annas[0], bohdans]
    assert [one.pk for one in rows.take(9)] == annas[1:]


def test_one_process_runs_them() -> None:
    ask_for(new_version("http://127.0.0.1:9000/"), owner())
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with rows.the_only_runner() as is_ours:
            assert is_ours
            holding.set()
            done.wait(20)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert holding.wait(20)
    assert run_waiting() == 0
    done.set()
    thread.join(20)
    assert Qualification.objects.get().status == QualificationStatus.WAITING


def test_several_run_side_by_side_and_the_slow_one_delays_nobody() -> None:
    with Program(are.FAULTY["ping"]()) as quick, Program(are.but(are.is_decision, are.hangs)) as slow:
        asked = [ask_for(new_version(one.url), owner()).pk for one in (slow, quick, quick)]
        assert run_waiting() == 3
    ended = Qualification.objects.order_by("finished_at").values_list("pk", flat=True)
    assert set(ended[:2]) == set(asked[1:])


def hanging_until(heal: threading.Event) -> Behaviour:
    """Leaves decisions unanswered until it is healed; refuses to play then, so that its run is soon over."""

    async def behave(exchange: Exchange) -> None:
        if are.is_decision(exchange.message):
            await (exchange.reply_json({}, 410) if heal.is_set() else exchange.until_cut())
        else:
            await are.well(exchange)

    return behave


def test_a_run_whose_process_is_killed_is_begun_again(child_env: dict[str, str]) -> None:
    heal = threading.Event()
    with Program(hanging_until(heal)) as program:
        asked = ask_for(new_version(program.url), owner())
        runner = subprocess.Popen([sys.executable, "-c", RUNNER], env=child_env, cwd=PROJECT)
        try:
            wait_for(lambda: QualificationCase.objects.filter(qualification=asked, code="ping").exists())
        finally:
            os.kill(runner.pid, signal.SIGKILL)
            runner.wait()
        heal.set()
        wait_for(run_waiting)
    asked.refresh_from_db()
    assert asked.status == QualificationStatus.FAILED
    assert asked.cases.filter(code="ping").count() == 1
    assert "410" in asked.cases.get(code="decision").reply


RUNNER = "import django; django.setup(); from bots_api.qualifying.services import run_waiting; run_waiting()"


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    give_up_at = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up_at
        time.sleep(0.05)


def test_a_failure_of_ours_is_not_the_programs() -> None:
    version = new_version("http://127.0.0.1:9000/")
    asked = ask_for(version, owner())
    taken = rows.take_one(asked.pk)
    assert taken
    rows.finish(taken, None)
    asked.refresh_from_db()
    assert asked.status == QualificationStatus.FAILED
    assert "Our own failure" in asked.reason
    assert status_of(version) == AgentStatus.NEW
