"""Tie-breaks beside two independent libraries, in events with every kind of round that was not played."""

from __future__ import annotations

import random

import pytest

from tests.tournaments.standings.comparing import differences, ours
from tests.tournaments.standings.events import Event, event, round_robin
from tests.tournaments.standings.oracles import NAMES

EVENTS, ROUND_ROBINS, BATCH = 150, 50, 25


def swiss(seed: int) -> Event:
    chance = random.Random(seed)
    return event(chance, chance.randint(6, 40), chance.randint(5, 9), trouble=0.3)


@pytest.mark.parametrize("first", range(0, EVENTS, BATCH))
def test_every_tie_break_is_that_of_both_libraries(first: int) -> None:
    for seed in range(first, first + BATCH):
        assert differences(swiss(seed)) == [], seed


@pytest.mark.parametrize("first", range(0, ROUND_ROBINS, BATCH))
def test_a_round_robin_counts_its_forfeits_as_games(first: int) -> None:
    """C.07 art. 15.2."""
    for seed in range(first, first + BATCH):
        chance = random.Random(seed)
        assert differences(round_robin(chance, chance.randint(6, 11), trouble=0.3), is_round_robin=True) == [], seed


def test_the_events_hold_everything_that_can_go_unplayed_and_every_tie_break_tells_some_apart() -> None:
    """Else the comparison would show less than it says."""
    kinds: set[tuple[str, int]] = set()
    told: dict[str, set[int]] = {name: set() for name in NAMES}
    for seed in range(BATCH):
        one = swiss(seed)
        kinds |= {(meeting.kind, len(meeting.absent)) for meeting in one.meetings}
        met = {(meeting.round, number) for meeting in one.meetings for number in meeting.entrants}
        everybody = {(number, entrant.number) for number in range(1, one.rounds + 1) for entrant in one.entrants}
        kinds |= {("nothing", 0)} if everybody - met else set()
        for name, values in ours(one).items():
            told[name] |= set(values.values())
    byes = {("bye", 0), ("half_bye", 0), ("zero_bye", 0)}
    assert kinds == byes | {("played", 0), ("forfeit", 1), ("forfeit", 2), ("nothing", 0)}
    assert all(len(values) > 5 for values in told.values())
