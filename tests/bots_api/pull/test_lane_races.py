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
from bots_api.pull.mailbox import ON_ITS_WAY_MS, Ended, looking
from bots_api.pull.server.trips import Put, settle
from bots_api.pull.server.verdicts import Verdict
from bots_api.wire import Reply
from matches import lane
from matches.core.clocks import CLOCKS, Control
from matches.models import Match
from matches.services.journal import write_together
from tests.bots_api.pull.mailing import Behaviour, Message, RowProgram, ask, plays, pull_version, server_seen
from tests.bots_api.pull.test_lane_matches import events_of, said, stands
from tests.bots_api.tables import question_to
from tests.matches.drawn import at_once, conninfo
from tests.rogues.matches import QUICK, match_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
HARD_MS = 550


def open_decisions(count: int) -> list[PullDecision]:
    """Decisions of one version that are open, with clocks that have just started."""
    version = pull_version()
    server_seen()
    with RowProgram(version, plays):
        ask(*(question_to(version) for _ in range(count)))
    PullDecision.objects.update(state="open", action="", decided_at=None, elapsed_ms=0)
    started(0)
    return list(PullDecision.objects.order_by("seq"))


def started(ms_ago: float) -> None:
    PullDecision.objects.update(given_at=timezone.now() - timedelta(milliseconds=ms_ago))


def looked(rows: Sequence[PullDecision]) -> list[Ended]:
    (found,) = write_together([looking([row.decision_id for row in rows])])
    return [Ended(*row) for row in found]


def answered(rows: Sequence[PullDecision], arrived_ms_ago: float = 0) -> list[Verdict]:
    at = time.monotonic() - arrived_ms_ago / 1_000
    verdicts = settle([Put(row.decision_id, row.agent_id, Reply(row.legal[0]), at) for row in rows])
    return [verdict for verdict in verdicts if verdict is not None]


@pytest.mark.parametrize(
    ("started_ms_ago", "ended"),
    [(HARD_MS - 100, []), (HARD_MS + ON_ITS_WAY_MS - 100, []), (HARD_MS + ON_ITS_WAY_MS + 1, ["timeout"])],
)
def test_a_decision_is_closed_when_no_answer_can_be_on_its_way_any_more(
    started_ms_ago: float, ended: list[str]
) -> None:
    rows = open_decisions(1)
    started(started_ms_ago)
    assert [row.cause for row in looked(rows)] == ended


def test_an_answer_that_came_in_time_and_lay_with_us_is_taken() -> None:
    rows = open_decisions(1)
    started(HARD_MS + 100)
    (verdict,) = answered(rows, arrived_ms_ago=110)
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
    started(HARD_MS + ON_ITS_WAY_MS + 1)
    looked(rows[:1])
    answered(rows[1:], arrived_ms_ago=HARD_MS)
    after_closing, again = answered(rows, arrived_ms_ago=HARD_MS)
    assert (after_closing.problem and after_closing.problem.status) == 410
    assert again.accepted is not None
    assert again.accepted["replayed"]
    assert {row.state: row.cause for row in looked(rows)} == {"closed": "timeout", "answered": ""}


def test_a_row_that_is_just_being_answered_is_passed_over() -> None:
    """A lane that waited for it would keep every match of its waiting."""
    rows = open_decisions(2)
    started(HARD_MS + ON_ITS_WAY_MS + 1)
    with psycopg.connect(conninfo()) as session:
        session.execute("SELECT 1 FROM bots_api_pulldecision WHERE id = %s FOR UPDATE", [rows[0].pk])
        assert [row.decision_id for row in looked(rows)] == [rows[1].decision_id]
    assert len(looked(rows)) == 2


def test_closed_and_answered_in_the_same_moment_each_decision_ends_one_way_for_both() -> None:
    """The answers had come in time; every half of them is on its way when its decision is closed."""
    ends: Counter[str] = Counter()
    rows = open_decisions(40)
    started(HARD_MS + ON_ITS_WAY_MS + 1)
    verdicts: list[Verdict] = []

    def answer() -> None:
        for row in rows:
            verdicts.extend(answered([row], arrived_ms_ago=HARD_MS))

    def close(these: Sequence[PullDecision]) -> None:
        for row in these:
            looked([row])

    at_once(answer, lambda: close(rows[::-1]), lambda: close(rows[::3]))
    for row, verdict in zip(PullDecision.objects.order_by("seq"), verdicts, strict=True):
        ends[row.state] += 1
        assert (verdict.accepted is not None) == (row.state == "answered")
        assert (row.action != "", row.cause) == ((True, "") if row.state == "answered" else (False, "timeout"))
    assert set(ends) == {"answered", "closed"}


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
