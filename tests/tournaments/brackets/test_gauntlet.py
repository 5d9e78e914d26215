"""The gauntlet: a ladder of seeds, or a challenger against all."""

from __future__ import annotations

import pytest

from tests.tournaments.brackets.playing import better_seed, played
from tournaments.formats.brackets import Place, Seed, places_of
from tournaments.formats.gauntlet import GauntletKind, Settings, bracket_of, why_not


def test_the_winner_goes_up_the_ladder() -> None:
    assert [match.sources for match in bracket_of(4).matches] == [
        (Seed(3), Seed(4)),
        (Seed(2), Place(1, 1)),
        (Seed(1), Place(2, 1)),
    ]


@pytest.mark.parametrize("entrants", [2, 3, 7, 40])
def test_places_equal_seeds_if_the_better_seed_always_wins(entrants: int) -> None:
    bracket = bracket_of(entrants)
    assert places_of(bracket, played(bracket, better_seed)) == {seed: seed for seed in range(1, entrants + 1)}


def test_the_lowest_seed_can_climb_to_the_top() -> None:
    bracket = bracket_of(4)
    decisions = played(bracket, lambda match, pair: (2, 1))
    assert places_of(bracket, decisions) == {4: 1, 1: 2, 2: 3, 3: 4}


def test_a_challenger_meets_each_of_the_others_and_places_are_by_points() -> None:
    bracket = bracket_of(4, Settings(GauntletKind.CHALLENGER))
    assert [match.sources for match in bracket.matches] == [
        (Seed(1), Seed(4)),
        (Seed(1), Seed(3)),
        (Seed(1), Seed(2)),
    ]
    assert [match.round for match in bracket.matches] == [1, 2, 3]
    assert bracket.by_points
    assert places_of(bracket, played(bracket, better_seed)) == {}


def test_one_alone_has_no_gauntlet() -> None:
    assert why_not(1, Settings())
    assert why_not(2, Settings()) is None
