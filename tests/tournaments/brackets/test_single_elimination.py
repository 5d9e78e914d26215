"""Single elimination: seeding order, byes to the best seeds, the match for the third place."""

from __future__ import annotations

import pytest

from tests.tournaments.brackets.playing import better_seed, played
from tournaments.formats.bracket_building import seed_order
from tournaments.formats.brackets import Bracket, BracketMatch, Nobody, Part, Seed, filled, order_of, places_of
from tournaments.formats.single_elimination import Settings, bracket_of, why_not


def test_seeds_meet_as_is_usual() -> None:
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("entrants", [*range(2, 41), 64, 100, 127, 128, 129, 512])
def test_places_equal_seeds_if_the_better_seed_always_wins(entrants: int, third_place: bool) -> None:
    bracket = bracket_of(entrants, Settings(third_place))
    assert order_of(bracket, played(bracket, better_seed)) == tuple(range(1, entrants + 1))


@pytest.mark.parametrize("entrants", [*range(2, 41), 127, 512])
def test_byes_go_to_the_best_seeds_and_nowhere_else(entrants: int) -> None:
    first = [match for match in bracket_of(entrants).matches if match.round == 1]
    alone = sorted(match.sources[0].number for match in first if match.is_bye and isinstance(match.sources[0], Seed))
    size = 1 << (entrants - 1).bit_length()
    assert len(first) == size // 2
    assert alone == list(range(1, size - entrants + 1))
    assert not any(all(isinstance(source, Nobody) for source in match.sources) for match in first)
    assert not any(match.is_bye for match in bracket_of(entrants).matches if match.round > 1)


@pytest.mark.parametrize("rounds", range(1, 8))
def test_all_of_one_round_have_one_sum_of_seeds(rounds: int) -> None:
    bracket = bracket_of(2**rounds)
    slots = filled(bracket, played(bracket, better_seed))
    for number in range(1, rounds + 1):
        sums = {sum(slot.entrant or 0 for slot in slots[match.number]) for match in _of_round(bracket, number)}
        assert sums == {2 ** (rounds - number + 1) + 1}


def test_the_third_place_is_played_for_by_who_lost_a_semi_final() -> None:
    bracket = bracket_of(6, Settings(third_place=True))
    assert [match.part for match in _of_round(bracket, 3)] == [Part.THIRD, Part.FINAL]
    assert places_of(bracket, played(bracket, better_seed)) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5}


def test_of_three_one_is_third_without_a_match() -> None:
    bracket = bracket_of(3, Settings(third_place=True))
    assert [match.part for match in bracket.matches] == [Part.MAIN, Part.MAIN, Part.FINAL]
    assert places_of(bracket, played(bracket, better_seed)) == {1: 1, 2: 2, 3: 3}


@pytest.mark.parametrize(("entrants", "seats"), [(0, 2), (1, 2), (513, 2), (8, 4)])
def test_what_cannot_be_played_is_refused_with_advice(entrants: int, seats: int) -> None:
    assert why_not(entrants, Settings(), seats)


def test_a_bracket_of_one_is_refused() -> None:
    assert why_not(2, Settings()) is None
    with pytest.raises(ValueError, match="at least 2"):
        bracket_of(1)


def _of_round(bracket: Bracket, number: int) -> list[BracketMatch]:
    return [match for match in bracket.matches if match.round == number]
