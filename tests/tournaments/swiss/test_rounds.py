"""How many rounds a Swiss can have, and what it says before it begins."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tests.tournaments.swiss.events import Event, positions
from tests.tournaments.swiss.test_terms import after
from tournaments.formats.settings import format_settings, parse_settings
from tournaments.formats.swiss import Infeasible, Settings, draw_next, feasible, rounds_of, why_not
from tournaments.formats.swiss.matching import can_all_meet, heaviest, is_sure
from tournaments.formats.swiss.rounds import most_rounds, sure_rounds


@pytest.mark.parametrize("entrants", [4, 6, 8, 10, 12, 14, 16, 20])
def test_sure_rounds_are_sure_whoever_meets_whom(entrants):
    """Paired by no rule at all, round after round: the last of the sure rounds can still be paired."""
    for seed in range(40):
        rng = random.Random(seed)
        apart: dict[int, set[int]] = {number: set() for number in range(entrants)}
        for _ in range(sure_rounds(entrants)):
            assert can_all_meet(range(entrants), apart)
            pairs = [pair for pair in combinations(range(entrants), 2) if pair[1] not in apart[pair[0]]]
            partners = heaviest([(a, b, rng.randint(1, 50)) for a, b in pairs], as_many_as_possible=True)
            for one, other in partners.items():
                apart[one].add(other)


@pytest.mark.parametrize("entrants", [6, 10, 14, 18])
def test_sure_rounds_are_no_fewer_than_can_be_said(entrants):
    """If one half has met the other, each half is odd and cannot be paired: one round more is not sure."""
    half = entrants // 2
    assert sure_rounds(entrants) == half
    apart = {
        number: {other for other in range(entrants) if (number < half) != (other < half)} for number in range(entrants)
    }
    assert not can_all_meet(range(entrants), apart)


@pytest.mark.parametrize(("size", "apart"), [(2, 0), (4, 1), (6, 2), (8, 3), (12, 5)])
def test_dirac_every_group_of_this_size_can_be_paired(size, apart):
    assert is_sure(size, apart)
    assert not is_sure(size - 2, apart)
    for seed in range(60):
        rng = random.Random(seed)
        away: dict[int, set[int]] = {number: set() for number in range(size)}
        for a, b in rng.sample(list(combinations(range(size), 2)), size * (size - 1) // 2):
            if len(away[a]) < apart and len(away[b]) < apart:
                away[a].add(b)
                away[b].add(a)
        assert 2 * len(_matching(size, away)) == size


def _matching(size: int, away: dict[int, set[int]]) -> set[frozenset[int]]:
    pairs = [(a, b, 1) for a, b in combinations(range(size), 2) if b not in away[a]]
    return {frozenset(pair) for pair in heaviest(pairs, as_many_as_possible=True).items()}


@pytest.mark.parametrize(
    ("entrants", "rounds"),
    [(2, 1), (3, 3), (4, 3), (6, 3), (8, 5), (16, 6), (100, 9), (1000, 12)],
)
def test_rounds_left_open_separate_the_best_and_are_sure(entrants, rounds):
    assert rounds_of(entrants, Settings()) == rounds
    assert why_not(entrants, Settings()) is None
    assert rounds_of(entrants, Settings(rounds=5)) == 5


@pytest.mark.parametrize(
    ("entrants", "rounds", "infeasible", "said"),
    [
        (8, 5, Infeasible.STOP, None),
        (8, 6, Infeasible.STOP, "5 rounds can be paired whatever the results"),
        (8, 6, Infeasible.REMATCH, None),
        (8, 7, Infeasible.REMATCH, None),
        (8, 8, Infeasible.REMATCH, "play a round robin"),
        (7, 7, Infeasible.REMATCH, None),
        (7, 8, Infeasible.REMATCH, "play a round robin"),
        (1, 1, Infeasible.STOP, "needs two entrants"),
    ],
)
def test_why_a_swiss_cannot_begin(entrants, rounds, infeasible, said):
    why = why_not(entrants, Settings(rounds=rounds, infeasible=infeasible))
    assert why is None if said is None else said in (why or "")


def test_a_swiss_is_for_two_at_a_table():
    assert "Swiss for tables" in (why_not(16, Settings(), seats=4) or "")


@pytest.mark.parametrize("entrants", range(2, 14))
def test_no_more_rounds_than_opponents(entrants):
    assert most_rounds(entrants) == (entrants - 1 if entrants % 2 == 0 else entrants)


def test_what_is_left_can_be_paired_or_it_is_not_known():
    known = set()
    for event in (Event(seed, sides=8 + seed, rounds=6) for seed in range(12)):
        for position in positions(event):
            answer = feasible(position)
            known.add(answer)
            if answer is not False:
                assert draw_next(position, Settings()).tables
    assert True in known
    assert feasible(after("1-2", 2, round=2, rounds=2)) is False


def test_settings_are_written_and_read():
    settings = Settings(rounds=7, protect=2, infeasible=Infeasible.REMATCH)
    assert parse_settings(Settings, format_settings(settings)) == settings
