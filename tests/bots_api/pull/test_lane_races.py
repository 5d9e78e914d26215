"""Answers, closings and kills in whatever order: each decision ends once, and the log of the party says how."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

import psycopg
import pytest
from django.utils import timezone

from bots_api.models import PullDecision
from bots_api.pull.mailbox import ALIVE_SECONDS, ON_ITS_WAY_MS, Ended, looking
from bots_api.pull.server.trips import Put, settle
from bots_api.pull.server.verdicts import Verdict
from bots_api.wire import Reply
from matches import lane
from matches.core.clocks import CLOCKS, Control
from matches.models import Match
from matches.services.journal import write_together
from tests.bots_api.pull.calling import Caller, asked, put_in
from tests.bots_api.pull.mailing import PATIENT, Behaviour, Message, RowProgram, plays, pull_version, server_seen
from tests.bots_api.pull.test_lane_matches import events_of, said, stands
from tests.matches.drawn import at_once, conninfo
from tests.rogues.matches import QUICK, match_of

pytestmark = pytest.mark.django_db
TOGETHER = pytest.mark.django_db(transaction=True)
HARD_MS = PATIENT.budget_ms + PATIENT.bank_ms + PATIENT.grace_ms
OVER_MS = HARD_MS + ON_ITS_WAY_MS
"""So long after its clock started no answer can be on its way any more."""


def open_decisions(count: int) -> list[PullDecision]:
    """Decisions of one version that are open, with clocks that have just started."""
    one = Caller(pull_version(), token="")
    put_in(*(asked(one) for _ in range(count)), tell=False)
    started(0)
    return list(PullDecision.objects.filter(agent=one.agent_id).order_by("seq"))


def started(ms_ago: float, server_seen_ago: float = 0) -> None:
    """Lets all clocks run for so long, with a server that was there until so many seconds ago."""
    PullDecision.objects.update(given_at=timezone.now() - timedelta(milliseconds=ms_ago))
    server_seen(server_seen_ago)


def looked(rows: Sequence[PullDecision]) -> list[Ended]:
    (found,) = write_together([looking([row.decision_id for row in rows])])
    return [Ended(*row) for row in found]


def answered(rows: Sequence[PullDecision], arrived_ms_ago: float = 0) -> list[Verdict]:
    at = time.monotonic() - arrived_ms_ago / 1_000
    verdicts = settle([Put(row.decision_id, row.agent_id, Reply(row.legal[0]), at) for row in rows])
    return [verdict for verdict in verdicts if verdict is not None]


def test_a_decision_is_closed_when_no_answer_can_be_on_its_way_any_more() -> None:
    rows = open_decisions(1)
    started(HARD_MS - 20_000)
    assert looked(rows) == []
    started(OVER_MS + 1)
    assert [row.cause for row in looked(rows)] == ["timeout"]


def test_a_decision_whose_time_is_over_stays_open_while_an_answer_may_be_on_its_way() -> None:
    for _ in range(20):
        rows, at = open_decisions(1), time.monotonic()
        started(HARD_MS + 1)
        found = looked(rows)
        if time.monotonic() - at < (ON_ITS_WAY_MS - 1) / 1_000:
            break
    assert found == []


@pytest.mark.parametrize(
    ("seen_ago_s", "ended"),
    [
        (0, ["timeout"]),
        (2, []),  # whether it was there when the time was over nobody knows yet
        (ALIVE_SECONDS + 1, ["infra"]),
    ],
)
def test_nobody_is_charged_for_a_server_that_was_killed_before_the_time_was_over(
    seen_ago_s: float, ended: list[str]
) -> None:
    rows = open_decisions(1)
    started(OVER_MS + 500, server_seen_ago=seen_ago_s)
    assert [row.cause for row in looked(rows)] == ended


def test_an_answer_that_came_in_time_and_lay_with_us_is_taken() -> None:
    rows = open_decisions(1)
    started(HARD_MS + 100)
    (verdict,) = answered(rows, arrived_ms_ago=20_000)
    assert verdict.accepted is not None
    (ended,) = looked(rows)
    assert (ended.state, ended.elapsed_ms <= HARD_MS) == ("answered", True)


def test_an_answer_that_came_too_late_is_refused_and_the_lane_finds_why() -> None:
    rows = open_decisions(1)
    started(HARD_MS + 50)
    (verdict,) = answered(rows)
    assert (verdict.problem and verdict.problem.status) == 410
    (ended,) = looked(rows)
    assert (ended.state, ended.cause, ended.played) == ("closed", "timeout", rows[0].default_action)


def test_whoever_comes_second_hears_what_the_first_has_done() -> None:
    rows = open_decisions(2)
    started(OVER_MS + 1)
    looked(rows[:1])
    answered(rows[1:], arrived_ms_ago=HARD_MS)
    after_closing, again = answered(rows, arrived_ms_ago=HARD_MS)
    assert (after_closing.problem and after_closing.problem.status) == 410
    assert again.accepted is not None
    assert again.accepted["replayed"]
    assert {row.state: row.cause for row in looked(rows)} == {"closed": "timeout", "answered": ""}


@TOGETHER
def test_a_row_that_is_just_being_answered_is_passed_over() -> None:
    """A lane that waited for it would keep every match of its waiting."""
    rows = open_decisions(2)
    started(OVER_MS + 1)
    with psycopg.connect(conninfo()) as session:
        session.execute("SELECT 1 FROM bots_api_pulldecision WHERE id = %s FOR UPDATE", [rows[0].pk])
        assert [row.decision_id for row in looked(rows)] == [rows[1].decision_id]
    assert len(looked(rows)) == 2


@TOGETHER
def test_closed_and_answered_in_the_same_moment_each_decision_ends_one_way_for_both() -> None:
    """The answers had come in time; whoever comes first, both of them agree. In the end either has come first."""
    ends: set[str] = set()
    until = time.monotonic() + 60
    while ends != {"answered", "closed"} and time.monotonic() < until:
        ends |= raced(open_decisions(20))
    assert ends == {"answered", "closed"}


def raced(rows: Sequence[PullDecision]) -> set[str]:
    """Answers all in turn, while they are closed from their end and every third of them from the beginning."""
    started(OVER_MS + 1)
    verdicts: list[Verdict] = []

    def answer() -> None:
        for row in rows:
            verdicts.extend(answered([row], arrived_ms_ago=HARD_MS))

    def close(these: Sequence[PullDecision]) -> None:
        for row in these:
            looked([row])

    at_once(answer, lambda: close(rows[::-1]), lambda: close(rows[::3]))
    ended = list(PullDecision.objects.filter(agent=rows[0].agent_id).order_by("seq"))
    for row, verdict in zip(ended, verdicts, strict=True):
        assert (verdict.accepted is not None) == (row.state == "answered")
        assert (row.action != "", row.cause) == ((True, "") if row.state == "answered" else (False, "timeout"))
    return {row.state for row in ended}


class Killer:
    """Cuts off whatever lane is playing, from another thread."""

    def __init__(self) -> None:
        self.kills = 0

    def plays_until_killed(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        self._loop, self._lane = asyncio.get_running_loop(), asyncio.create_task(lane.Lane(4, seconds=60).run())
        with suppress(asyncio.CancelledError):
            await self._lane

    def kill(self) -> None:
        self.kills += 1
        self._loop.call_soon_threadsafe(self._lane.cancel)


def erratic(chance: random.Random, killer: Killer) -> Behaviour:
    """Mostly plays; sometimes says nothing, or something illegal first, or its lane is killed at that moment."""

    def behave(message: Message) -> list[str] | str | None:
        fate = chance.random()
        if fate < 0.05:
            return None
        if fate < 0.35:
            killer.kill()
            time.sleep(chance.random() * 0.01)
        return ["play:nothing", plays(message)] if fate > 0.9 else plays(message)

    return behave


@TOGETHER
@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize("seed", range(2))
def test_however_often_lanes_are_killed_each_decision_ends_once_and_stands_in_the_log(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, QUICK)
    version, killer = pull_version(), Killer()
    matches = [match_of(version.agent, deals=1) for _ in range(2)]
    with RowProgram(version, erratic(random.Random(seed), killer)) as program:
        while Match.objects.exclude(status="finished").exists():
            killer.plays_until_killed()
            Match.objects.filter(status="running").update(lease_until=timezone.now(), attempts=0)
    assert killer.kills > 2
    rows = {row.decision_id: row for row in PullDecision.objects.all()}
    assert "open" not in {row.state for row in rows.values()}
    assert Counter(message["decision_id"] for message in program.heard) == Counter(rows.keys())
    accepted = sum(verdict.accepted is not None for verdict in program.verdicts)
    assert accepted == sum(row.state == "answered" for row in rows.values())
    events = [event for match in matches for event in events_of(match)]
    assert Counter(map(said, events)) == Counter(map(stands, rows.values()))
