"""The broker's memory emptied again and again while programs that call us play: every game ends as without it.

Size: 8 games and 2 flushes, 100 games and 10 with MANELA_PROOF=full.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle, islice

import pytest

from bots_api.models import Presence, PullDecision
from deploy.demo_stage import free_port
from engine import verify
from matches.core.clocks import Control
from matches.core.plan import MatchPlan
from matches.models import Match, Party, PartyEvent, Result
from matches.services.create import create_matches
from matches.services.versions import house_agent
from tests.bots_api.pull.calling import Caller, caller
from tests.bots_api.pull.mailing import plays
from tests.chaos.conftest import WHOLE_SIZE, Install
from tests.chaos.installation import Installation
from tests.chaos.reading import cards_played
from tests.pull_program import APPLICATION, PullProgram, granian

GAMES, FLUSHES, PROGRAMS = (100, 10, 10) if WHOLE_SIZE else (8, 2, 2)
DEALS = 2
FEWEST_CARDS = 30
"""Of a game of two deals, both seats together; a flush after so many a game and less comes while all are played."""
WITHIN_S = 600


@contextmanager
def playing(hall: Installation, callers: Sequence[Caller]) -> Iterator[list[PullProgram]]:
    """A server, and these programs, half of them on streams and half on long polls."""
    port = free_port(9_300)
    hall.crew.start("web", sys.executable, "-m", *granian(port, APPLICATION))
    with ExitStack() as running:
        yield [
            running.enter_context(PullProgram(f"http://127.0.0.1:{port}", one.token, plays, mode))
            for one, mode in zip(callers, cycle(["stream", "poll"]), strict=False)
        ]


def draw(callers: Sequence[Caller]) -> list[Match]:
    """Matches of two games each of these programs against the house, in turn."""
    house = house_agent("greedy@1")
    plans = [
        MatchPlan(agents=(one.agent_id, house.pk), boards=1, deals=DEALS, control=Control.CLASSIC)
        for one in islice(cycle(callers), GAMES // 2)
    ]
    return create_matches(plans)


@pytest.mark.chaos
@pytest.mark.timeout(1_200)
def test_games_of_programs_that_call_outlive_a_broker_that_forgets(
    install: Install, say: Callable[[str], None]
) -> None:
    with install("flushed") as hall:
        callers = [caller() for _ in range(PROGRAMS)]
        with playing(hall, callers) as programs:
            hall.wait(lambda: Presence.objects.count() == PROGRAMS, 60, "the programs are there")
            matches = draw(callers)
            for flush in range(1, FLUSHES + 1):
                enough = GAMES * FEWEST_CARDS * flush // (FLUSHES + 1)
                hall.wait(partial(_are_played, enough), WITHIN_S, f"{enough} cards are played", pause_s=0.01)
                assert Match.objects.exclude(status="finished").exists()
                hall.servers.flush()
            hall.wait(lambda: not Match.objects.exclude(status="finished").exists(), WITHIN_S, "all is played")
        check(matches, programs)
        say(f"{GAMES} games of programs that call, {FLUSHES} times FLUSHALL: {_sum(programs)}, 0 faults, none lost")


def _are_played(cards: int) -> bool:
    return cards_played() >= cards


def check(matches: Sequence[Match], programs: Sequence[PullProgram]) -> None:
    """Each match has one result and whole records; what was accepted is what was played, once each."""
    assert Result.objects.count() == len(matches)
    assert [verify(party.record) for party in Party.objects.all()] == [None] * GAMES
    assert not PartyEvent.objects.exclude(cause="")
    replies = [reply for program in programs for reply in program.replies]
    assert {reply.status for reply in replies} == {200}
    assert Counter(reply.decision_id for reply in replies) == Counter(
        PullDecision.objects.filter(state="answered").values_list("decision_id", flat=True)
    )
    answers = Counter(str(reply.sent["action"]) for reply in replies)
    assert answers == Counter(PullDecision.objects.values_list("action", flat=True))
    own = [event.action for event in PartyEvent.objects.select_related("party") if _is_the_program_s(event)]
    assert answers == Counter(own)


def _is_the_program_s(event: PartyEvent) -> bool:
    return event.seat == event.party.table_seat(0, 2)


def _sum(programs: Sequence[PullProgram]) -> str:
    return f"{sum(len(program.replies) for program in programs)} answers"
