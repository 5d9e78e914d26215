"""From decided matches to who sits where: byes, double forfeits, those who leave, corrections, any order of arrival."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from tests.tournaments.brackets.laws import brackets_of, every_ending, walk
from tests.tournaments.brackets.playing import better_seed, played, to_play
from tournaments.formats import double_elimination, single_elimination
from tournaments.formats.brackets import (
    BYE,
    OPEN,
    VOID,
    Decision,
    Part,
    Slot,
    SlotState,
    filled,
    order_of,
    outcomes,
    places_of,
    stale,
)

FIRST, SECOND, NOBODY = (1, 2), (2, 1), (2, 2)


def sits(entrant: int) -> Slot:
    return Slot(SlotState.FILLED, entrant)


@pytest.mark.parametrize("entrants", [2, 3, 4, 5])
def test_every_pattern_of_results_comes_to_an_end(entrants: int) -> None:
    for _, bracket in brackets_of(entrants):
        assert every_ending(bracket) >= 3 ** (entrants - 2)


@pytest.mark.parametrize("entrants", [2, 3])
def test_every_pattern_comes_to_an_end_whoever_leaves_before_the_first_match(entrants: int) -> None:
    seeds = range(1, entrants + 1)
    for count in seeds:
        for gone in permutations(seeds, count):
            for _, bracket in brackets_of(entrants):
                assert every_ending(bracket, gone) >= 1


@pytest.mark.parametrize("entrants", [2, 3, 5, 6, 7, 8, 9, 12, 13, 17, 24, 33])
def test_random_results_forfeits_and_leavers_lock_nothing(entrants: int) -> None:
    random = Random(entrants)
    for _, bracket in brackets_of(entrants):
        for leavers in (0, 1, 3):
            walk(bracket, random, leavers)


def test_a_seat_is_open_until_its_match_is_decided() -> None:
    bracket = single_elimination.bracket_of(3)
    assert filled(bracket, {}) == {1: (sits(1), BYE), 2: (sits(2), sits(3)), 3: (sits(1), OPEN)}
    assert filled(bracket, {2: Decision(SECOND)})[3] == (sits(1), sits(3))


def test_a_double_forfeit_sends_a_bye_on() -> None:
    bracket = single_elimination.bracket_of(4)
    decisions = {1: Decision(NOBODY), 2: Decision(FIRST)}
    assert filled(bracket, decisions)[3] == (BYE, sits(2))
    assert places_of(bracket, decisions) == {2: 1, 1: 3, 4: 3, 3: 3}


def test_a_void_match_sends_a_bye_on() -> None:
    bracket = single_elimination.bracket_of(4)
    assert filled(bracket, {1: Decision(()), 2: Decision(FIRST)})[3] == (BYE, sits(2))


def test_a_double_forfeit_of_the_final_leaves_nobody_first() -> None:
    bracket = single_elimination.bracket_of(2)
    assert places_of(bracket, {1: Decision(NOBODY)}) == {1: 2, 2: 2}


def test_who_forfeits_a_semi_final_beside_another_is_below_the_match_for_the_third_place() -> None:
    bracket = single_elimination.bracket_of(4, single_elimination.Settings(third_place=True))
    decisions = {1: Decision(NOBODY), 2: Decision(FIRST)}
    assert filled(bracket, decisions)[3] == (BYE, sits(3))
    assert places_of(bracket, decisions) == {1: 4, 4: 4, 3: 3, 2: 1}


def test_who_leaves_loses_what_is_not_decided_and_keeps_what_is() -> None:
    bracket = single_elimination.bracket_of(4)
    decisions = {1: Decision(FIRST)}
    assert filled(bracket, decisions, gone=[1])[1] == (sits(1), sits(4))
    assert filled(bracket, decisions, gone=[1])[3] == (Slot(SlotState.VOID, 1), OPEN)
    decisions[2] = Decision(FIRST)
    assert outcomes(bracket, decisions, gone=[1])[3] == SECOND
    assert places_of(bracket, decisions, gone=[1]) == {2: 1, 1: 2, 3: 3, 4: 3}


def test_who_leaves_the_winners_bracket_voids_a_seat_of_the_losers_bracket() -> None:
    bracket = double_elimination.bracket_of(4)
    decisions = {1: Decision(FIRST), 2: Decision(FIRST)}
    slots = filled(bracket, decisions, gone=[4])
    losers = next(match for match in bracket.matches if match.part is Part.LOSERS)
    assert slots[losers.number] == (Slot(SlotState.VOID, 4), sits(3))
    assert outcomes(bracket, decisions, gone=[4])[losers.number] == SECOND


def test_the_reset_waits_for_the_final_and_is_void_when_not_needed() -> None:
    bracket = double_elimination.bracket_of(2)
    assert [match.part for match in bracket.matches] == [Part.WINNERS, Part.FINAL, Part.RESET]
    decisions = {1: Decision(FIRST)}
    assert filled(bracket, decisions)[3] == (OPEN, OPEN)
    assert filled(bracket, decisions | {2: Decision(FIRST)})[3] == (VOID, VOID)
    assert places_of(bracket, decisions | {2: Decision(FIRST)}) == {1: 1, 2: 2}
    assert filled(bracket, decisions | {2: Decision(NOBODY)})[3] == (VOID, VOID)
    needed = decisions | {2: Decision(SECOND)}
    assert filled(bracket, needed)[3] == (sits(1), sits(2))
    assert places_of(bracket, needed) == {}
    assert places_of(bracket, needed | {3: Decision(SECOND)}) == {2: 1, 1: 2}


def test_who_leaves_before_the_final_loses_the_reset_too() -> None:
    bracket = double_elimination.bracket_of(2)
    assert filled(bracket, {1: Decision(FIRST)}, gone=[1])[3] == (Slot(SlotState.VOID, 1), sits(2))
    assert places_of(bracket, {1: Decision(FIRST)}, gone=[1]) == {2: 1, 1: 2}


def test_who_leaves_later_changes_nothing_before() -> None:
    bracket = single_elimination.bracket_of(4)
    decisions = {1: Decision(FIRST), 2: Decision(FIRST)}
    assert places_of(bracket, decisions, gone=[1]) == {2: 1, 1: 2, 3: 3, 4: 3}
    assert places_of(bracket, decisions, gone=[1, 2]) == {2: 1, 1: 2, 3: 3, 4: 3}
    assert places_of(bracket, decisions, gone=[2, 1]) == {1: 1, 2: 2, 3: 3, 4: 3}


def test_a_corrected_result_makes_later_ones_about_others_stale() -> None:
    bracket = single_elimination.bracket_of(8)
    decisions = played(bracket, better_seed)
    corrected = decisions | {1: Decision(SECOND, (1, 8))}
    assert stale(bracket, decisions) == ()
    assert stale(bracket, corrected) == (5, 7)
    assert to_play(bracket, corrected) == [(5, (8, 4))]
    assert filled(bracket, corrected)[7] == (OPEN, sits(2))
    assert order_of(bracket, corrected) == (3, 1, 5, 6, 7)


def test_a_decision_about_whoever_sits_there_stays() -> None:
    bracket = single_elimination.bracket_of(4)
    decisions = {1: Decision(SECOND), 2: Decision(FIRST), 3: Decision(FIRST)}
    assert stale(bracket, decisions) == ()
    assert places_of(bracket, decisions) == {4: 1, 2: 2, 1: 3, 3: 3}


@pytest.mark.parametrize("places", [(1, 1), (1, 3), (0, 1)])
def test_a_match_of_a_bracket_is_never_drawn(places: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at most one winner"):
        Decision(places)
