"""Programs that call over a line which loses replies and cuts streams play as over a good one, and nobody is charged.

Size: 8 games, 200 with MANELA_PROOF=full.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import cycle, islice
from typing import Any

import pytest

from matches.core.clocks import Control
from matches.core.plan import MatchPlan
from matches.lane import drive
from matches.models import Party, PartyEvent
from matches.services.create import create_matches
from matches.services.versions import house_agent
from tests.bots_api.pull.calling import Caller, caller
from tests.bots_api.pull.flaky import FlakyLine
from tests.bots_api.pull.mailing import plays
from tests.chaos.conftest import WHOLE_SIZE
from tests.pull_program import PullProgram, serving
from tests.quicker import empty_tables

GAMES, PROGRAMS = (200, 10) if WHOLE_SIZE else (8, 2)
DEALS = 2
WITHIN_S = 900
Records = Sequence[dict[str, Any]]


def played_at(url: str) -> tuple[Records, list[PullProgram]]:
    """The same games from the same seeds, by programs that call there; then the database is empty again."""
    callers = [caller() for _ in range(PROGRAMS)]
    with ExitStack() as running:
        programs = [
            running.enter_context(PullProgram(url, one.token, plays, mode))
            for one, mode in zip(callers, cycle(["stream", "poll"]), strict=False)
        ]
        matches = create_matches(_plans(callers))
        assert drive(slots=16, seconds=WITHIN_S) == len(matches)
    assert not PartyEvent.objects.exclude(cause="")
    parties = Party.objects.filter(match__in=matches).order_by("match", "number")
    records = [party.record for party in parties]
    empty_tables()
    return records, programs


def _plans(callers: Sequence[Caller]) -> list[MatchPlan]:
    """Matches of two games each against the house, which plays the same in the same game."""
    house = house_agent("greedy@1")
    return [
        MatchPlan(
            agents=(one.agent_id, house.pk),
            boards=1,
            deals=DEALS,
            control=Control.CLASSIC,
            seed=number.to_bytes(32, "big"),
        )
        for number, one in enumerate(islice(cycle(callers), GAMES // 2))
    ]


@pytest.mark.chaos
@pytest.mark.timeout(2 * WITHIN_S)
@pytest.mark.django_db(transaction=True)
def test_games_over_a_flaky_line_end_as_over_a_good_one(child_env: dict[str, str], say: Callable[[str], None]) -> None:
    with serving(child_env) as server:
        good, _ = played_at(server.base_url)
        with FlakyLine(server.base_url) as line:
            flaky, programs = played_at(line.url)
    assert len(good) == GAMES
    assert [json.dumps(record) for record in flaky] == [json.dumps(record) for record in good]
    replies = [reply for program in programs for reply in program.replies]
    replayed = sum("replayed" in reply.body for reply in replies)
    assert {reply.status for reply in replies} == {200}
    assert min(line.dropped, line.cut, replayed) > 0, "the line lost nothing"
    say(
        f"{GAMES} games of programs that call over a flaky line: {line.dropped} of {line.replies} replies dropped, "
        f"{line.cut} streams cut, {replayed} answers repeated; 0 faults, every record as over a good line"
    )
