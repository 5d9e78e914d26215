"""Double elimination: where losers drop to, when they can meet again, what the two winners play."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.tournaments.brackets.playing import better_seed, played
from tests.tournaments.brackets.rematches import first_by_masks, latest_first_rematch, possible_rematches
from tournaments.formats.bracket_building import size_of
from tournaments.formats.brackets import BracketMatch, Part, order_of, places_of
from tournaments.formats.double_elimination import FIRST_REMATCH, GrandFinal, Settings, bracket_of, mask, why_not


@pytest.mark.parametrize("final", GrandFinal)
@pytest.mark.parametrize("entrants", [*range(2, 18), 24, 31, 33, 64, 100, 128])
def test_places_equal_seeds_if_the_better_seed_always_wins(entrants: int, final: GrandFinal) -> None:
    bracket = bracket_of(entrants, Settings(final))
    assert order_of(bracket, played(bracket, better_seed)) == tuple(range(1, entrants + 1))


def test_losers_of_one_round_share_a_place() -> None:
    bracket = bracket_of(8)
    places = places_of(bracket, played(bracket, better_seed))
    assert places == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7, 8: 7}


@pytest.mark.parametrize(
    ("rounds", "orders"),
    [
        (3, ["0123", "10"]),
        (4, ["01234567", "3210", "01"]),
        (5, ["0123456789abcdef", "76543210", "1032", "10"]),
    ],
)
def test_losers_drop_by_the_stated_orders(rounds: int, orders: list[str]) -> None:
    for number, order in enumerate(orders, start=1):
        dropped = [index ^ mask(rounds, number) for index in range(2 ** (rounds - number))]
        assert dropped == [int(digit, 16) for digit in order]


@pytest.mark.parametrize("size", FIRST_REMATCH)
def test_no_rematch_is_possible_before_the_stated_round(size: int) -> None:
    assert min(possible_rematches(bracket_of(size))) == FIRST_REMATCH[size]


@pytest.mark.parametrize(("size", "ways"), [(8, 4), (16, 8), (32, 16), (64, 48), (128, 64), (256, 128), (512, 384)])
def test_as_few_as_stated_can_meet_again_in_that_round(size: int, ways: int) -> None:
    assert possible_rematches(bracket_of(size))[FIRST_REMATCH[size]] == ways


def test_winners_rounds_are_played_beside_the_losers_round_before_their_drop() -> None:
    rounds: dict[int, list[str]] = {number: [] for number in range(1, 8)}
    for match in bracket_of(8).matches:
        rounds[match.round].append(match.part.value[0])
    assert ["".join(parts) for parts in rounds.values()] == ["wwww", "wwll", "ll", "wl", "l", "f", "r"]


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_no_other_order_has_a_later_first_rematch(size: int) -> None:
    assert latest_first_rematch(size.bit_length() - 1)[0] == FIRST_REMATCH[size]


@pytest.mark.parametrize("rounds", range(3, 10))
def test_arithmetic_and_bracket_agree_on_the_first_rematch(rounds: int) -> None:
    masks = [format(mask(rounds, number), f"0{rounds - number}b") for number in range(1, rounds)]
    assert first_by_masks(masks) == min(possible_rematches(bracket_of(2**rounds)))


@pytest.mark.parametrize("entrants", range(3, 65))
def test_byes_bring_no_rematch_forward(entrants: int) -> None:
    assert min(possible_rematches(bracket_of(entrants))) >= FIRST_REMATCH[size_of(entrants)]


@pytest.mark.parametrize(("entrants", "first"), [(8, 3), (16, 4), (32, 5)])
def test_random_play_never_finds_an_earlier_rematch_and_finds_the_first(entrants: int, first: int) -> None:
    random, bracket = Random(1), bracket_of(entrants)
    found = Counter[int]()
    for _ in range(150):
        met: set[frozenset[int]] = set()

        def chosen(match: BracketMatch, pair: tuple[int, int], met: set[frozenset[int]] = met) -> tuple[int, int]:
            if frozenset(pair) in met and match.part is Part.LOSERS:
                found[match.round - 1] += 1
            met.add(frozenset(pair))
            return random.choice([(1, 2), (2, 1)])

        played(bracket, chosen)
    assert min(found) == first


def test_without_a_grand_final_the_losers_winner_is_second() -> None:
    bracket = bracket_of(4, Settings(GrandFinal.NONE))
    assert {match.part for match in bracket.matches} == {Part.WINNERS, Part.LOSERS}
    assert places_of(bracket, played(bracket, better_seed)) == {1: 1, 2: 2, 3: 3, 4: 4}


def test_only_the_reset_is_conditional() -> None:
    for final in GrandFinal:
        bracket = bracket_of(6, Settings(final))
        conditional = [match.part for match in bracket.matches if match.conditional_on is not None]
        assert conditional == ([Part.RESET] if final is GrandFinal.RESET else [])


@pytest.mark.parametrize(("entrants", "matches"), [(2, 2), (3, 4), (8, 14), (13, 24), (128, 254)])
def test_everybody_but_the_winner_loses_twice_or_the_winner_once_less(entrants: int, matches: int) -> None:
    bracket = bracket_of(entrants, Settings(GrandFinal.SINGLE))
    assert sum(not match.is_bye for match in bracket.matches) == matches == 2 * entrants - 2


def test_what_cannot_be_played_is_refused_with_advice() -> None:
    assert why_not(2, Settings()) is None
    assert why_not(1, Settings())
    assert why_not(8, Settings(), seats=3)
