"""Who takes new matches, and how long a match waits for a program that does not."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from pytest_django import Settings

from bots_api import tasks as bots_tasks
from bots_api.models import BotVersion, Presence, PullDecision, PullNotice, QuarantinedBy
from bots_api.pull.forgetting import forget_old_mail
from bots_api.pull.presence import GONE_SECONDS, find_who_is_ready, set_accepting
from bots_api.pull.server.problems import Refused
from bots_api.services.states import let_play, quarantine
from matches import tasks
from matches.models import Agent, Match
from matches.services.claim import claim_due
from matches.services.desk import void_match
from matches.services.outbox import deliver_due
from tests.bots_api.pull.calling import Caller, asked, notice, put_in
from tests.bots_api.pull.mailing import pull_version, put, server_seen
from tests.bots_api.tables import version_at
from tests.matches.drawn import claimed, expire, own_connection, wait_until_somebody_waits_for_a_lock
from tests.rogues.matches import match_of

pytestmark = pytest.mark.django_db
TOGETHER = pytest.mark.django_db(transaction=True)
CALLED = "http://127.0.0.1:9999/"
"""Where a program is that no test here calls."""
ANSWERED = {"state": "answered", "action": "play:7C", "decided_at": Now()}
CLOSED = {"state": "closed", "cause": "timeout", "decided_at": Now()}


def seen(version: BotVersion, seconds_ago: float) -> None:
    at = timezone.now() - timedelta(seconds=seconds_ago)
    Presence.objects.update_or_create(agent=version.agent, defaults={"seen_at": at})


def is_ready(version: BotVersion) -> bool:
    return Agent.objects.get(pk=version.agent_id).is_ready


@pytest.mark.parametrize(
    ("seen_ago", "server_ago", "server_alive_for", "was", "ready"),
    [
        (1, 0, 3_600, False, True),
        (GONE_SECONDS - 5, 0, 3_600, True, True),
        (GONE_SECONDS + 5, 0, 3_600, True, False),
        (GONE_SECONDS + 5, 600, 3_600, True, True),  # none of our servers is there: nobody can come
        (GONE_SECONDS + 5, 0, 5, True, True),  # they are back, and the program has time to come back too
        (GONE_SECONDS + 5, 0, 5, False, False),
        (None, 600, 3_600, True, False),
    ],
)
def test_a_version_that_calls_is_ready_while_it_is_there(
    seen_ago: float | None, server_ago: float, server_alive_for: float, was: bool, ready: bool
) -> None:
    version = pull_version()
    server_seen(server_ago, server_alive_for)
    if seen_ago is not None:
        seen(version, seen_ago)
    Agent.objects.filter(pk=version.agent_id).update(is_ready=was)
    assert find_who_is_ready() == (was != ready)
    assert is_ready(version) is ready
    assert find_who_is_ready() == 0


def test_whoever_looks_for_one_version_leaves_the_others_alone() -> None:
    server_seen()
    one, other = pull_version(), pull_version()
    Agent.objects.update(is_ready=False)
    for version in (one, other):
        seen(version, 1)
    assert find_who_is_ready([one.agent_id]) == 1
    assert [is_ready(one), is_ready(other)] == [True, False]


def test_a_version_drains_and_comes_back_at_once_and_alone() -> None:
    server_seen()
    calls, other, called = pull_version(), pull_version(), version_at(CALLED)
    for version in (calls, other):
        seen(version, 1)
    for version in (calls, called):
        set_accepting(version.pk, False)
        assert (is_ready(version), BotVersion.objects.get(pk=version.pk).is_accepting) == (False, False)
    find_who_is_ready()
    assert [is_ready(version) for version in (calls, called, other)] == [False, False, True]
    for version in (calls, called):
        set_accepting(version.pk, True)
        assert is_ready(version)


@TOGETHER
def test_whoever_looks_while_a_version_drains_does_not_make_it_ready_again() -> None:
    server_seen()
    version = pull_version()
    seen(version, 1)
    Agent.objects.filter(pk=version.agent_id).update(is_ready=False)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            set_accepting(version.pk, False)
            looking = pool.submit(own_connection, find_who_is_ready)
            wait_until_somebody_waits_for_a_lock(30)
        assert looking.result() == 0
    assert not is_ready(version)


def test_accepting_does_not_make_ready_a_version_that_is_not_there() -> None:
    server_seen()
    version = pull_version()
    set_accepting(version.pk, True)
    assert not is_ready(version)


def test_a_match_waits_for_a_program_that_is_not_ready_and_then_begins_all_the_same(settings: Settings) -> None:
    version = version_at(CALLED)
    set_accepting(version.pk, False)
    waiting, other = match_of(version.agent), match_of(version_at(CALLED).agent)
    assert [lease.match_id for lease in claim_due("lane", 5)] == [other.pk]
    Match.objects.filter(pk=waiting.pk).update(
        due_at=timezone.now() - timedelta(seconds=settings.MATCH_PATIENCE_SECONDS - 5)
    )
    assert claim_due("lane", 5) == ()
    Match.objects.filter(pk=waiting.pk).update(
        due_at=timezone.now() - timedelta(seconds=settings.MATCH_PATIENCE_SECONDS + 1)
    )
    assert claimed().match_id == waiting.pk


def test_a_match_begins_once_its_program_is_ready_again() -> None:
    version = version_at(CALLED)
    set_accepting(version.pk, False)
    match = match_of(version.agent)
    assert claim_due("lane", 5) == ()
    set_accepting(version.pk, True)
    assert claimed().match_id == match.pk


@pytest.mark.parametrize(("by", "waits"), [("probes", True), ("rejected", False), ("desk", False)])
def test_a_match_waits_for_a_program_that_answers_no_pings_until_it_is_back(by: str, waits: bool) -> None:
    """Whoever was taken off the table for another reason does not come back by itself: nobody waits for him."""
    version = version_at(CALLED)
    match = match_of(version.agent)
    quarantine(version.agent_id, QuarantinedBy(by), "for the test")
    find_who_is_ready()
    if waits:
        assert claim_due("lane", 5) == ()
        let_play(version.agent_id)
    assert claimed().match_id == match.pk


def test_what_has_begun_goes_on_whoever_drains() -> None:
    version = version_at(CALLED)
    match = match_of(version.agent)
    claimed()
    set_accepting(version.pk, False)
    expire(match)
    assert claimed("another lane").match_id == match.pk


def test_lanes_are_not_woken_for_a_match_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[int] = []
    monkeypatch.setattr("matches.services.wake.wake_lanes", lambda: woken.append(1))
    version = version_at(CALLED)
    set_accepting(version.pk, False)
    match_of(version.agent)
    woken.clear()
    tasks.wake_lanes()
    assert woken == []
    set_accepting(version.pk, True)
    tasks.wake_lanes()
    assert woken == [1]


def aged(model: type[PullDecision] | type[PullNotice], **since: float) -> None:
    model.objects.update(made_at=timezone.now() - timedelta(**since), **_given(model, **since))


def _given(model: type[PullDecision] | type[PullNotice], **since: float) -> dict[str, object]:
    return {"given_at": timezone.now() - timedelta(**since)} if model is PullDecision else {}


def test_letters_are_kept_for_minutes_and_decisions_for_a_day() -> None:
    one = Caller(pull_version(), token="")
    put_in(asked(one), notice(one), asked(one), tell=False)
    PullDecision.objects.filter(seq=1).update(**ANSWERED)
    PullDecision.objects.filter(seq=3).update(**CLOSED)
    for since, left in (({"minutes": 14}, (2, 1)), ({"minutes": 16}, (2, 0)), ({"hours": 25}, (0, 0))):
        aged(PullNotice, **since)
        aged(PullDecision, **since)
        forget_old_mail()
        assert (PullDecision.objects.count(), PullNotice.objects.count()) == left


@pytest.mark.parametrize("fate", ["goes on", "is void", "is unknown"])
def test_a_decision_is_closed_and_forgotten_unless_its_match_goes_on(fate: str) -> None:
    """A match that was set aside for long plays what was answered before."""
    version = pull_version()
    match = match_of(version.agent)
    claimed()
    one, name = Caller(version, token=""), "m_practice" if fate == "is unknown" else match.public_id
    put_in(asked(one, match=name), asked(one, match=name), tell=False)
    PullDecision.objects.filter(seq=2).update(**ANSWERED)
    if fate == "is void":
        void_match(match.pk, "for the test")
    aged(PullDecision, seconds=59)
    forget_old_mail()
    assert PullDecision.objects.get(seq=1).state == "open"
    aged(PullDecision, hours=30)
    forget_old_mail()
    states = list(PullDecision.objects.order_by("seq").values_list("state", flat=True))
    assert states == (["open", "answered"] if fate == "goes on" else [])


def test_nobody_is_told_to_send_again_what_nobody_asks_for_again() -> None:
    """A party that was spoiled, a match that is over: a program with one thread would send it until tomorrow."""
    server_seen()
    version = pull_version()
    one = Caller(version, token="")
    spoiled, abandoned = put_in(asked(one), asked(one), tell=False)
    closed = {"state": "closed", "cause": "infra", "played": "play:7C"}
    for seconds, status in ((0, 503), (90, 410)):
        closed_at = timezone.now() - timedelta(seconds=seconds)
        PullDecision.objects.filter(decision_id=spoiled).update(**closed, decided_at=closed_at)
        told = refusal(version, spoiled)
        assert told.status == status
    assert told.more == {"played": "", "cause": "infra"}
    PullDecision.objects.filter(decision_id=abandoned).update(made_at=timezone.now() - timedelta(hours=1))
    forget_old_mail()
    told = refusal(version, abandoned)
    assert (told.status, told.more) == (410, {"played": "", "cause": "admin_void"})
    assert "nothing was played" in told.detail


def test_an_annulled_match_asks_nothing_more() -> None:
    server_seen()
    version = pull_version()
    match = match_of(version.agent)
    claimed()
    one = Caller(version, token="")
    stays_open, *of_match = put_in(asked(one), *(asked(one, match=match.public_id) for _ in range(2)), tell=False)
    PullDecision.objects.filter(seq=2).update(**ANSWERED)
    void_match(match.pk, "for the test")
    deliver_due()
    assert list(PullDecision.objects.order_by("seq").values_list("state", flat=True)) == ["open", "answered", "closed"]
    notice_of_it = PullNotice.objects.get()
    assert json.loads(notice_of_it.body) == {
        "protocol": "1",
        "type": "decision_closed",
        "game": "g_",
        "match": match.public_id,
        "decision_id": of_match[1],
        "played": "",
        "cause": "admin_void",
        "seq": notice_of_it.seq,
    }
    assert refusal(version, of_match[1]).status == 410
    assert put(stays_open, version.agent_id, "play:7C").accepted


def refusal(version: BotVersion, decision_id: str) -> Refused:
    problem = put(decision_id, version.agent_id, "play:7C").problem
    assert problem is not None
    return problem


def test_the_tasks_do_what_they_say() -> None:
    version = pull_version()
    server_seen()
    bots_tasks.find_who_is_ready()
    assert not is_ready(version)
    PullNotice.objects.create(agent=version.agent, seq=1, message="deal_over", body="{}")
    aged(PullNotice, minutes=16)
    bots_tasks.forget_old_mail()
    assert not PullNotice.objects.exists()
