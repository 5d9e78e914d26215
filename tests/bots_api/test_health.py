"""Versions that nobody speaks to are pinged; who does not answer is in quarantine until it answers again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from bots_api.health import (
    FAILURES_TO_QUARANTINE,
    LONGEST_PAUSE,
    SILENCE,
    SOON,
    Finding,
    Pulse,
    _note,
    found,
    probe_due,
)
from bots_api.models import BotVersion, Delivery, Qualification, QuarantinedBy, VersionHealth
from bots_api.qualifying.services import admit
from bots_api.services.pinging import ping_all
from bots_api.services.states import quarantine
from matches.lane import drive
from matches.models import Agent, AgentStatus, Match
from tests.bots_api.tables import version_at
from tests.rogues import behaviours as does
from tests.rogues.matches import match_of
from tests.rogues.program import Program

db = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("before", "answered", "finding"),
    [
        (Pulse(), True, Finding(Pulse(), SILENCE)),
        (Pulse(), False, Finding(Pulse(1), SOON)),
        (Pulse(1), True, Finding(Pulse(), SILENCE)),
        (Pulse(1), False, Finding(Pulse(2), SOON)),
        (Pulse(2), True, Finding(Pulse(), SILENCE)),
        (Pulse(2), False, Finding(Pulse(3), SILENCE, AgentStatus.QUARANTINED)),
        (Pulse(3), False, Finding(Pulse(4), 2 * SILENCE)),
        (Pulse(5), False, Finding(Pulse(6), 8 * SILENCE)),
        (Pulse(500), False, Finding(Pulse(501), LONGEST_PAUSE)),
        (Pulse(3), True, Finding(Pulse(3, 1), SOON)),
        (Pulse(3, 1), True, Finding(Pulse(), SILENCE, AgentStatus.ACTIVE)),
        (Pulse(3, 1), False, Finding(Pulse(4), 2 * SILENCE)),
    ],
)
def test_what_follows_from_one_ping_more(before: Pulse, answered: bool, finding: Finding) -> None:
    assert found(before, answered=answered) == finding


def status_of(version: BotVersion) -> str:
    return Agent.objects.get(pk=version.agent_id).status


def a_while_later() -> None:
    """All pauses are over and nothing was sent meanwhile."""
    VersionHealth.objects.update(next_probe_at=Now() - timedelta(seconds=1))
    Delivery.objects.update(sent_at=Now() - 2 * SILENCE)


def probed(times: int) -> list[int]:
    counts = []
    for _ in range(times):
        a_while_later()
        counts.append(probe_due())
    return counts


@db
def test_a_program_dies_and_comes_back() -> None:
    with Program(does.answers_notices) as program:
        version, port = version_at(program.url), int(program.url.split(":")[2].split("/")[0])
        assert probed(2) == [1, 1]
        assert len(program.messages("ping")) == 2
    assert status_of(version) == AgentStatus.ACTIVE
    assert probed(FAILURES_TO_QUARANTINE - 1) == [1, 1]
    assert status_of(version) == AgentStatus.ACTIVE
    assert probed(1) == [1]
    agent = Agent.objects.get(pk=version.agent_id)
    assert agent.status == AgentStatus.QUARANTINED
    assert agent.status_reason == "did not answer 3 pings: no connection"
    assert str(port) in VersionHealth.objects.get().last_detail, "its owner is told more"
    assert probed(2) == [1, 1]
    with Program(does.answers_notices, port):
        assert probed(1) == [1]
        assert status_of(version) == AgentStatus.QUARANTINED
        assert probed(1) == [1]
    agent.refresh_from_db()
    assert (agent.status, agent.status_reason) == (AgentStatus.ACTIVE, "")
    assert (health := VersionHealth.objects.get()).failures == health.answers == 0
    assert {row.outcome for row in Delivery.objects.all()} == {"unreachable"}  # answers would bury the faults


@db
def test_one_good_answer_among_bad_ones_is_enough_to_stay() -> None:
    bad, good = does.says(b"{}"), does.answers_notices
    with Program(does.first(bad, bad, good, bad, bad, good)) as program:
        version = version_at(program.url)
        assert probed(6) == [1] * 6
    assert status_of(version) == AgentStatus.ACTIVE


@db
def test_pauses_are_kept() -> None:
    with Program(does.says(b"{}")) as program:
        version_at(program.url)
        assert [probe_due() for _ in range(3)] == [1, 0, 0]
    pause = VersionHealth.objects.get().next_probe_at - Delivery.objects.get().sent_at
    assert SOON <= pause < SOON + timedelta(seconds=10)


@db
def test_who_was_spoken_to_a_moment_ago_is_not_pinged() -> None:
    with Program(does.at_decisions(does.plays)) as program:
        version = version_at(program.url)
        match_of(version.agent)
        drive(slots=2, seconds=40)
        assert probe_due() == 0
        assert program.messages("ping") == []
        newest = Delivery.objects.order_by("-id")[0].sent_at
        assert VersionHealth.objects.get().next_probe_at == newest + SILENCE
        assert probed(1) == [1]


@db
@pytest.mark.parametrize("why", ["a match", "its qualification", "it drains", "it is new", "it is retired"])
def test_who_is_not_pinged(why: str) -> None:
    with Program(does.answers_notices) as program:
        version = version_at(program.url)
        assert probed(1) == [1]
        if why == "a match":
            Match.objects.filter(pk=match_of(version.agent).pk).update(
                status="running", lease_owner="lane", lease_until=Now() + timedelta(minutes=1), started_at=Now()
            )
        elif why == "its qualification":
            Qualification.objects.create(version=version, status="running")
        elif why == "it drains":
            BotVersion.objects.update(is_accepting=False)
        else:
            Agent.objects.update(status=why.rpartition(" ")[2])
        assert probed(2) == [0, 0]
        assert len(program.messages("ping")) == 1


@db
def test_a_version_that_refuses_our_signature_does_not_come_back_by_pings() -> None:
    with Program(does.at_decisions(does.says(b"", 401))) as program:
        version = version_at(program.url)
        match_of(version.agent)
        drive(slots=2, seconds=40)
        assert status_of(version) == AgentStatus.QUARANTINED
        assert probed(3) == [0, 0, 0]


@db
def test_whoever_was_let_play_again_by_hand_begins_anew() -> None:
    with Program(does.hangs_up) as program:
        version = version_at(program.url)
    assert probed(4) == [1] * 4
    assert status_of(version) == AgentStatus.QUARANTINED
    admit(version)
    assert probed(2) == [1, 1]
    assert status_of(version) == AgentStatus.ACTIVE
    assert VersionHealth.objects.get().failures == 2


@pytest.mark.django_db
@pytest.mark.parametrize("by", [QuarantinedBy.DESK, QuarantinedBy.REJECTED])
def test_pings_undo_no_quarantine_but_their_own(by: QuarantinedBy) -> None:
    with Program(does.answers_notices) as program:
        version = version_at(program.url)
        VersionHealth.objects.create(agent=version.agent, failures=FAILURES_TO_QUARANTINE)
        quarantine(version.agent_id, by, "for another reason")
        VersionHealth.objects.update(failures=FAILURES_TO_QUARANTINE)  # as a ping on its way may leave it
        assert probed(2) == [0, 0]
        for delivery in ping_all([version.agent_id]) * 3:
            _note(delivery)
    agent = Agent.objects.get(pk=version.agent_id)
    assert (agent.status, agent.status_reason) == (AgentStatus.QUARANTINED, "for another reason")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "then", "stays"),
    [
        ("desk", "rejected", "desk"),
        ("desk", "probes", "desk"),
        ("rejected", "probes", "rejected"),
        ("rejected", "desk", "desk"),
        ("probes", "rejected", "rejected"),
        ("probes", "desk", "desk"),
    ],
)
def test_the_graver_quarantine_stands(first: str, then: str, stays: str) -> None:
    version = version_at("http://127.0.0.1:9000/")
    assert quarantine(version.agent_id, QuarantinedBy(first), first)
    assert quarantine(version.agent_id, QuarantinedBy(then), then) is (stays != first)
    version.refresh_from_db()
    assert version.quarantined_by == version.agent.status_reason == stays


@pytest.mark.django_db
def test_whoever_is_awaited_by_a_match_is_asked_every_minute() -> None:
    version = version_at("http://127.0.0.1:9000/")
    quarantine(version.agent_id, QuarantinedBy.PROBES, "did not answer 3 pings")
    later = timezone.now() + timedelta(hours=1)
    VersionHealth.objects.create(agent=version.agent, failures=9, next_probe_at=later)
    for is_awaited in (False, True):
        if is_awaited:
            match_of(version.agent)
        assert probe_due() == 0
        pause = VersionHealth.objects.get().next_probe_at - timezone.now()
        assert (pause <= SILENCE) is is_awaited


@db
def test_a_version_that_says_gone_to_a_ping_is_retired_and_left_alone() -> None:
    with Program(does.says(b"", 410)) as program:
        version = version_at(program.url)
        assert probed(2) == [1, 0]
    assert status_of(version) == AgentStatus.RETIRED
