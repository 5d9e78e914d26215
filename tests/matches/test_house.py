"""House programs as entrants: their versions, their thinkers in a lane, and which lanes take their matches."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from engine import rules_of
from engine.bots import HOUSE, HOUSE_VERSIONS, THINKERS, UnknownBot
from matches import house
from matches.core.house import HouseRefused, house_program, house_programs, why_not_house
from matches.lane import drive
from matches.models import Match, Party, PartyEvent
from matches.services.desk import resume_match
from matches.services.versions import house_agent
from tests.matches.drawn import drawn, forget_everything, log_of, same_seed
from tests.matches.slow_thinker import PROGRAMS, SLOW_MS

in_a_lane = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker", "slow_programs")]


@pytest.fixture
def slow_programs(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs of the tests' own that think, in real thinkers."""
    for name, policy in PROGRAMS.items():
        monkeypatch.setitem(HOUSE, name, policy)
        monkeypatch.setitem(HOUSE_VERSIONS, name, 1)
    monkeypatch.setattr("matches.core.house.THINKERS", THINKERS | frozenset(PROGRAMS))
    settings.SEAT_AGENTS = settings.SEAT_AGENTS | {"house": "tests.matches.seats.ThinkingSlowly"}
    settings.HOUSE_THINKERS = 1


@pytest.mark.parametrize(
    "label", ["", "greedy", "greedy@", "greedy@0", "greedy@01", "greedy@x", "Greedy@1", "greedy@1 "]
)
def test_a_text_that_is_no_label_is_refused(label: str) -> None:
    with pytest.raises(HouseRefused) as refusal:
        house_program(label)
    assert refusal.value.code == "bad_house_label"


def test_a_version_that_is_not_here_is_refused_by_name_and_a_name_that_nobody_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(HOUSE_VERSIONS, "greedy", 2)
    with pytest.raises(HouseRefused, match="greedy@1 is not played here: this installation has greedy@2") as refusal:
        house_program("greedy@1")
    assert refusal.value.code == "house_version_gone"
    assert house_program("greedy@2").label == "greedy@2"
    with pytest.raises(UnknownBot):
        house_program("nobody@1")


def test_every_program_here_says_what_it_may_take() -> None:
    """Those that think have a budget, or nobody would know what an anchor is; the others answer at once."""
    for program in house_programs():
        assert house_program(program.label) == program
        assert (program.budget_ms is not None) == program.thinks
        assert why_not_house(program.label, rules_of("moscow/2", {})) is None


@pytest.mark.django_db
def test_no_match_is_drawn_with_a_version_that_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [house_agent("greedy@1", name) for name in ("One", "Two")]
    monkeypatch.setitem(HOUSE_VERSIONS, "greedy", 2)
    with pytest.raises(ValueError, match="greedy@1 is not played here"):
        drawn(agents=tuple(agent.pk for agent in agents))
    assert not Match.objects.exists()


class TestInALane:
    pytestmark = in_a_lane

    def test_a_program_that_thinks_plays_what_it_would_in_the_loop_and_its_time_is_noted(self) -> None:
        quick = drawn("greedy@1", "greedy@1", **same_seed())
        drive(slots=1, seconds=60)
        log = log_of(quick)
        forget_everything()
        match = drawn("slow@1", "greedy@1", **same_seed())
        assert match.house_thinks
        assert drive(slots=1, seconds=60) == 1
        assert log_of(match) == log
        taken = PartyEvent.objects.filter(kind="action").values_list("elapsed_ms", "charged_ms")
        assert {elapsed >= SLOW_MS for elapsed, _ in taken} == {True, False}
        assert {charged for _, charged in taken} == {0}

    def test_a_thinker_that_falls_costs_nobody_anything(self) -> None:
        quick = drawn("greedy@1", "greedy@1", **same_seed())
        drive(slots=1, seconds=60)
        log = log_of(quick)
        forget_everything()
        match = drawn("fragile@1", "greedy@1", **same_seed())
        assert drive(slots=1, seconds=60) == 1
        assert log_of(match) == log
        assert not Party.objects.filter(status="void").exists()

    def test_a_program_beyond_its_clock_has_run_out_of_time_like_anybody(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(house, "LONGEST_THOUGHT_MS", 60)
        drawn("endless@1", "greedy@1")
        assert drive(slots=1, seconds=60) == 1
        assert set(PartyEvent.objects.exclude(cause="").values_list("cause", flat=True)) == {"timeout"}
        assert set(Party.objects.values_list("reason", flat=True)) == {"forfeit"}

    def test_a_program_that_fails_every_time_sets_the_match_aside(self, settings: Settings) -> None:
        settings.MATCH_ATTEMPTS = 1
        match = drawn("raising@1", "greedy@1")
        assert drive(slots=1, seconds=60) == 0
        match.refresh_from_db()
        assert match.status == "stalled"

    def test_a_version_that_this_code_has_left_behind_is_played_by_no_other(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = drawn("greedy@1", "random@1")
        with monkeypatch.context() as later:
            later.setitem(HOUSE_VERSIONS, "greedy", 2)
            assert drive(slots=1, seconds=60) == 0
        match.refresh_from_db()
        assert match.status == "stalled"
        assert (
            match.status_reason == "greedy@1 is not played here: this installation has greedy@2, which plays otherwise."
        )
        assert not PartyEvent.objects.exists()
        resume_match(match.pk)
        assert drive(slots=1, seconds=60) == 1

    @pytest.mark.parametrize(
        ("thinkers", "takes", "played"),
        [(0, "all", "quick"), (1, "others", "quick"), (1, "thinking", "slow"), (1, "all", "quick slow")],
    )
    def test_a_lane_takes_what_its_worker_is_for(
        self, settings: Settings, thinkers: int, takes: str, played: str
    ) -> None:
        settings.HOUSE_THINKERS, settings.MATCH_LANE_TAKES = thinkers, takes
        drawn("greedy@1", "random@1", title="quick")
        drawn("slow@1", "greedy@1", title="slow")
        drive(slots=4, seconds=60)
        assert sorted(Match.objects.filter(status="finished").values_list("title", flat=True)) == played.split()
        assert set(Match.objects.exclude(status="finished").values_list("status", flat=True)) <= {"ready"}

    def test_matches_in_which_programs_think_leave_slots_for_the_others(self) -> None:
        for _ in range(4):
            drawn("slow@1", "greedy@1", deals=40, title="slow")
        quick = [drawn("greedy@1", "random@1", title="quick") for _ in range(3)]
        drive(slots=4, seconds=6)
        assert Match.objects.filter(title="quick", status="finished").count() == len(quick)
        assert Match.objects.filter(title="slow", started_at__isnull=False).count() == 2
