"""Tie-breaks beside two independent libraries, in events with every kind of round that was not played."""

from __future__ import annotations

import random

import pytest

from tests.tournaments.standings.events import Event, event, round_robin
from tests.tournaments.standings.oracles import NAMES, by_gacrux, by_tiebreak_core
from tournaments.formats.lots import Lots
from tournaments.standings.table import standings

EVENTS = 150
BATCH = 25
CRITERIA = ("points", *NAMES)


def ours(one: Event, is_round_robin: bool = False) -> dict[str, dict[int, int | None]]:
    rows = standings(one.entrants, one.meetings, CRITERIA, Lots(b""), one.rounds, is_round_robin)
    return {name: {row.number: row.values[CRITERIA.index(name)] for row in rows} for name in NAMES}


def places(one: Event, is_round_robin: bool = False) -> dict[int, int]:
    criteria = ("points", "direct_encounter")
    rows = standings(one.entrants, one.meetings, criteria, Lots(b""), one.rounds, is_round_robin)
    return {row.number: row.place for row in rows}


def swiss(seed: int) -> Event:
    chance = random.Random(seed)
    return event(chance, chance.randint(6, 40), chance.randint(5, 9), trouble=0.3)


@pytest.mark.parametrize("first", range(0, EVENTS, BATCH))
def test_every_tie_break_is_that_of_both_libraries(first: int) -> None:
    for seed in range(first, first + BATCH):
        one = swiss(seed)
        by_other, ranks = by_gacrux(one)
        assert ours(one) == by_tiebreak_core(one) == by_other, seed
        assert places(one) == ranks, seed


@pytest.mark.parametrize("first", range(0, 50, BATCH))
def test_a_round_robin_counts_its_forfeits_as_games(first: int) -> None:
    """C.07 art. 15.2. A game won by forfeit is not won at the table: gacrux reads 7.2 so too, tiebreak-core not."""
    for seed in range(first, first + BATCH):
        chance = random.Random(seed)
        one = round_robin(chance, chance.randint(6, 11), trouble=0.3)
        by_other, ranks = by_gacrux(one, is_round_robin=True)
        assert ours(one, is_round_robin=True) == by_other, seed
        assert places(one, is_round_robin=True) == ranks, seed


def test_the_events_hold_everything_that_can_go_unplayed() -> None:
    """Else the comparison would show less than it says."""
    kinds: set[tuple[str, int]] = set()
    for seed in range(BATCH):
        one = swiss(seed)
        kinds |= {(meeting.kind, len(meeting.absent)) for meeting in one.meetings}
        met = {(meeting.round, number) for meeting in one.meetings for number in meeting.entrants}
        everybody = {(number, entrant.number) for number in range(1, one.rounds + 1) for entrant in one.entrants}
        kinds |= {("nothing", 0)} if everybody - met else set()
    wanted = {
        ("played", 0),
        ("bye", 0),
        ("half_bye", 0),
        ("zero_bye", 0),
        ("forfeit", 1),
        ("forfeit", 2),
        ("nothing", 0),
    }
    assert kinds == wanted
