"""What the owner of a version is told to do next, and what its matches wait for."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from bots_api.models import BotVersion, Delivery, PullDecision
from bots_api.pull.presence import set_accepting
from bots_api.services import add_version, register_bot
from bots_api.stats import Lately, Reason, Waiting, lately_of, waiting_of
from bots_api.web.next_step import Act, Standing, next_step
from bots_api.web.words import queue_words
from matches.core.lifecycle import MatchStatus
from matches.models import Agent, AgentStatus, Game, Match
from matches.services.versions import set_status
from tests.cast import person
from tests.rogues.matches import match_of

PLAYS = Standing(
    status=AgentStatus.ACTIVE,
    status_reason="",
    is_pull=True,
    was_seen=True,
    is_connected=True,
    is_accepting=True,
    qualification="passed",
    waiting=Waiting(0, 0, 0, Reason.NONE_DUE),
)
SIX = datetime(2030, 3, 1, 18, 0, tzinfo=UTC)


TEN_PAST = SIX + timedelta(minutes=10)


def drains(due: int = 0, running: int = 0, begins_at: datetime | None = None) -> Standing:
    return replace(PLAYS, is_accepting=False, waiting=Waiting(due, 0, running, Reason.DRAINING, begins_at=begins_at))


def waits(reason: Reason, due: int = 0, ahead: int = 0, running: int = 0, idle_minutes: int = 0) -> Standing:
    return replace(PLAYS, waiting=Waiting(due, ahead, running, reason, SIX, idle_minutes))


@pytest.mark.parametrize(
    ("standing", "told"),
    [
        (PLAYS, "It plays as soon as it has a match: nothing is due."),
        (waits(Reason.LATER), "Its next match is due at 1 Mar, "),
        (waits(Reason.QUEUED, 1), "1 match is due: a worker takes it next."),
        (waits(Reason.QUEUED, 2, 3), "2 matches are due; 3 stand before it."),
        (waits(Reason.NO_WORKER, 1, idle_minutes=30), "1 match is due, but no worker has taken a match for 30 minutes"),
        (waits(Reason.OPPONENT_NOT_READY, 1), "1 match is due, but the opponent is not there"),
        (waits(Reason.HELD_BY_ORGANISER), "Nothing is due: the organiser holds what there is."),
        (waits(Reason.PLAYING, running=2), "It plays: 2 matches are on."),
        (replace(PLAYS, has_token=False), "It has no play token that is alive"),
        (replace(PLAYS, is_connected=False), "It is not connected: start your program."),
        (drains(), "It takes no new matches, and none is on."),
        (drains(1, begins_at=TEN_PAST), "none is on. 1 match that is due begins all the same at 1 Mar, "),
        (drains(2, 1, TEN_PAST), "it has begun. 2 matches that are due begin all the same, the first at 1 Mar, "),
        (drains(begins_at=TEN_PAST), "none is on. Its next match begins all the same at 1 Mar, "),
        (replace(PLAYS, status=AgentStatus.NEW, was_seen=False, has_token=False), "It has no play token that is alive"),
        (
            replace(waits(Reason.PLAYING, running=1), lately=Lately(owed_s=90)),
            "A decision has waited for its answer",
        ),
        (replace(PLAYS, lately=Lately(0, 254, 56)), "56 of its last 254 decisions were faults."),
    ],
)
def test_why_nothing_happens_is_told(standing: Standing, told: str) -> None:
    assert told in next_step(standing).sentence


def test_who_waits_for_nothing_is_led_to_a_match_and_others_look_again() -> None:
    assert next_step(PLAYS).act == Act.FIND_MATCHES
    assert next_step(waits(Reason.LATER)).act == Act.NONE
    assert next_step(waits(Reason.QUEUED, 1)).is_live
    assert next_step(waits(Reason.PLAYING, running=1)).is_live
    assert "faults" not in next_step(replace(PLAYS, lately=Lately(0, 254, 2))).sentence


def test_the_queue_is_told_where_there_is_one() -> None:
    assert queue_words(Waiting(0, 0, 1, Reason.PLAYING)) == ""
    assert queue_words(Waiting(2, 1, 0, Reason.QUEUED)) == "2 matches are due; 1 stands before it."


@pytest.fixture
def version(broker: object) -> BotVersion:
    made = add_version(register_bot("Trump card", person("bohdan")), "v1", "http://127.0.0.1:65535/")
    set_status(made.agent_id, AgentStatus.ACTIVE)
    made.agent.refresh_from_db()
    return made


def reason_of(version: BotVersion) -> str:
    return waiting_of(Agent.objects.get(pk=version.agent_id)).reason


def running(until: timedelta) -> dict[str, object]:
    now = timezone.now()
    return {"status": MatchStatus.RUNNING, "lease_owner": "lane", "lease_until": now + until, "started_at": now}


@pytest.mark.django_db
def test_what_a_version_waits_for(version: BotVersion) -> None:
    now = timezone.now()
    match = Match.objects.filter(pk=match_of(version.agent).pk)
    match.update(due_at=now - timedelta(seconds=5))
    assert reason_of(version) == Reason.QUEUED
    match.update(due_at=now + timedelta(hours=3))
    assert reason_of(version) == Reason.LATER
    match.update(due_at=now - timedelta(minutes=31))
    waiting = waiting_of(version.agent)
    assert (waiting.reason, waiting.idle_minutes) == (Reason.NO_WORKER, 31)
    match.update(due_at=now - timedelta(seconds=5))
    other = Agent.objects.exclude(pk=version.agent_id)
    other.update(is_ready=False)
    assert reason_of(version) == Reason.OPPONENT_NOT_READY
    other.update(is_ready=True)
    match.update(status=MatchStatus.HELD)
    assert reason_of(version) == Reason.HELD_BY_ORGANISER
    match.update(**running(timedelta(minutes=5)))
    assert reason_of(version) == Reason.PLAYING


@pytest.mark.django_db
def test_a_version_that_drains_is_told_when_its_match_begins_all_the_same(
    version: BotVersion, settings: Settings
) -> None:
    now, patience = timezone.now(), timedelta(seconds=settings.MATCH_PATIENCE_SECONDS)
    match = Match.objects.filter(pk=match_of(version.agent).pk)
    assert waiting_of(version.agent).begins_at is None
    set_accepting(version.pk, False)
    agent = Agent.objects.get(pk=version.agent_id)
    for due_at in (now - timedelta(minutes=1), now + timedelta(hours=3)):
        match.update(due_at=due_at)
        assert waiting_of(agent).begins_at == due_at + patience
    match.update(due_at=now - timedelta(hours=3))
    assert (waiting_of(agent).begins_at or now) > now
    match.update(**running(timedelta(minutes=5)))
    assert waiting_of(agent).begins_at is None


@pytest.mark.django_db
def test_matches_of_others_stand_before_it_and_a_busy_worker_is_one(version: BotVersion) -> None:
    now = timezone.now()
    other = add_version(register_bot("Another", person("chrystyna")), "v1", "http://127.0.0.1:65535/")
    set_status(other.agent_id, AgentStatus.ACTIVE)
    other.agent.refresh_from_db()
    first, second = match_of(other.agent), match_of(version.agent)
    Match.objects.update(due_at=now - timedelta(minutes=31))
    waiting = waiting_of(version.agent)
    assert (waiting.due, waiting.ahead, waiting.reason) == (1, 1, Reason.NO_WORKER)
    Match.objects.filter(pk=first.pk).update(**running(timedelta(minutes=5)))
    waiting = waiting_of(version.agent)
    assert (waiting.ahead, waiting.reason) == (0, Reason.QUEUED)
    assert Match.objects.get(pk=second.pk).status == MatchStatus.READY


@pytest.mark.django_db
def test_a_match_that_is_on_is_linked(client: Client, version: BotVersion) -> None:
    match = match_of(version.agent)
    Match.objects.filter(pk=match.pk).update(**running(timedelta(minutes=5)))
    client.force_login(version.bot.player.owner)
    html = client.get(f"/v/{version.agent.public_id}/").content.decode()
    assert f'href="/m/{match.public_id}/"' in html
    assert 'hx-trigger="every 10s"' in html
    assert "Nothing is due" not in html


@pytest.mark.django_db
def test_a_decision_that_is_owed_is_seen(version: BotVersion) -> None:
    assert lately_of(version.agent) == Lately()
    asked = {"seq": 1, "game": "g_x", "match": "m_x", "body": "{}", "legal": ["pass"], "default_action": "pass"}
    clock = {"budget_ms": 1_000, "bank_ms": 0, "grace_ms": 0}
    given = timezone.now() - timedelta(seconds=90)
    PullDecision.objects.create(agent=version.agent, decision_id="dec_1", given_at=given, **asked, **clock)
    assert 90 <= lately_of(version.agent).owed_s < 3_600


@pytest.mark.django_db
def test_a_line_of_the_log_leads_to_its_match(client: Client, version: BotVersion) -> None:
    match = match_of(version.agent)
    game = Game.objects.filter(party__match=match, party__number=1).get(match_seat__agent=version.agent_id)
    said = {"message": "decision", "seq": 7, "message_id": "dec_1", "outcome": "malformed", "sent_at": timezone.now()}
    sent = Delivery.objects.create(agent=version.agent, game=game.public_id, **said)
    client.force_login(version.bot.player.owner)
    for path in ("", f"messages/{sent.pk}/"):
        html = client.get(f"/v/{version.agent.public_id}/{path}").content.decode()
        assert re.search(rf'href="/m/{match.public_id}/">party 1 of ', html)
