"""From frozen standings to the seeds of the next stage: cuts, crossing, reserves, and why."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from tournaments.formats.bracket_building import seed_order, size_of
from tournaments.formats.meetings import Reason
from tournaments.formats.qualification import Cut, Standing, Take, cut, why_not


def groups(*sizes: int, points: int = 4) -> list[Standing]:
    """Groups in which who is better beat all who are worse; numbers are 10 × group + place."""
    return [
        Standing(10 * group + place, place, group, points * (size - place), size - place, size - 1)
        for group, size in enumerate(sizes, start=1)
        for place in range(1, size + 1)
    ]


def numbers(result: Cut) -> list[int]:
    return [one.number for one in result.through]


def rounds_of_meeting(result: Cut) -> list[int]:
    """For each two of one group the round of the bracket in which they can meet at the earliest."""
    lines = seed_order(size_of(len(result.through)))
    lines_of = {one.number: lines.index(seed) for seed, one in enumerate(result.through, start=1)}
    return [
        (lines_of[one.number] ^ lines_of[other.number]).bit_length()
        for one, other in combinations(result.through, 2)
        if one.standing.group == other.standing.group
    ]


def test_group_winners_are_seeded_before_those_who_came_second() -> None:
    assert numbers(cut(groups(4, 4), Take(of_each=2), cross=False)) == [11, 21, 12, 22]


def test_group_mates_are_crossed() -> None:
    crossed = cut(groups(4, 4), Take(of_each=2))
    assert numbers(crossed) == [11, 21, 12, 22]
    assert rounds_of_meeting(crossed) == [2, 2]


@pytest.mark.parametrize("count", [2, 4, 8, 16, 32])
def test_the_first_two_of_a_group_meet_in_the_final_only(count: int) -> None:
    crossed = cut(groups(*[4] * count), Take(of_each=2))
    assert set(rounds_of_meeting(crossed)) == {size_of(2 * count).bit_length() - 1}


@pytest.mark.parametrize(
    ("count", "take"), [(3, Take(of_each=2, best=2)), (6, Take(of_each=2, best=4)), (4, Take(of_each=4))]
)
def test_nobody_meets_a_group_mate_in_the_first_round(count: int, take: Take) -> None:
    assert min(rounds_of_meeting(cut(groups(*[5] * count), take))) > 1


def test_the_best_of_the_next_place_compare_by_points_a_game() -> None:
    table = groups(3, 5)
    assert [(one.number, one.rate) for one in table if one.place == 2] == [
        (12, (2, Fraction(1, 2))),
        (22, (3, Fraction(3, 4))),
    ]
    result = cut(table, Take(of_each=1, best=1))
    assert numbers(result)[2:] == [22]
    assert result.through[2].reasons == (Reason("best_of_place", (2, 12, 4)),)


def test_difference_a_game_decides_between_equal_points_a_game() -> None:
    level = [Standing(1, 1, 1, 8, 5, 2), Standing(2, 1, 2, 8, 6, 2), Standing(3, 2, 1), Standing(4, 2, 2)]
    assert numbers(cut(level, Take(of_each=1))) == [2, 1]


def test_reserves_are_next_in_line_with_their_rank() -> None:
    result = cut(groups(3, 5), Take(of_each=1, best=1))
    assert [(one.number, one.reasons) for one in result.reserves] == [
        (12, (Reason("in_reserve", (1,)),)),
        (23, (Reason("in_reserve", (2,)),)),
        (13, (Reason("in_reserve", (3,)),)),
        (24, (Reason("in_reserve", (4,)),)),
        (25, (Reason("in_reserve", (5,)),)),
    ]


def test_who_had_left_is_passed_over_and_others_move_up() -> None:
    table = [replace(one, left=one.number == 11) for one in groups(4, 4)]
    result = cut(table, Take(of_each=2), cross=False)
    assert numbers(result) == [21, 12, 22, 13]
    assert [(one.number, one.reasons) for one in result.out] == [(11, (Reason("left"),))]


def test_a_group_with_too_few_left_is_filled_up_by_the_next_in_line() -> None:
    """First eight are announced and five are there; then six, one of whom a group of one cannot give."""
    gone = {11, 12, 13, 21, 22, 23, 24}
    table = [replace(one, left=one.number in gone) for one in groups(4, 4, 4)]
    result = cut(table, Take(of_each=2, best=2), cross=False)
    assert numbers(result) == [31, 14, 32, 33, 34]
    assert result.through[-1].reasons == (Reason("filled_up", (3, 4)),)
    assert result.reserves == ()
    table = [replace(one, left=one.number in {11, 12, 13}) for one in groups(4, 4, 4)]
    result = cut(table, Take(of_each=2), cross=False)
    assert numbers(result) == [21, 31, 14, 22, 32, 23]
    assert result.through[-1].reasons == (
        Reason("filled_up", (2, 3)),
        Reason("by_order_at_cut", (3,)),
    )
    assert [one.number for one in result.reserves] == [33, 24, 34]


@pytest.mark.parametrize("take", [Take(of_each=2, best=1), Take(of_each=3), Take(best=4), Take(of_each=1, best=2)])
def test_as_many_go_on_as_were_announced_while_so_many_are_there(take: Take) -> None:
    chance = Random(11)
    for _ in range(50):
        table = [replace(one, left=chance.random() < 0.5) for one in groups(4, 5, 4, 5)]
        there = sum(not one.left for one in table)
        result = cut(table, take)
        assert len(result.through) == min(there, 4 * take.of_each + take.best)
        assert len(result.through) + len(result.reserves) == there


def test_the_first_overall_go_on_in_their_order() -> None:
    table = [Standing(number, place) for number, place in ((5, 1), (3, 2), (1, 3), (2, 4))]
    result = cut(table, Take(first=2))
    assert numbers(result) == [5, 3]
    assert result.through[1].reasons == (Reason("first_overall", (2,)),)
    assert numbers(cut(table, Take())) == [5, 3, 1, 2]


def test_a_shared_place_at_the_cut_is_said_of_both() -> None:
    table = [Standing(number, place) for number, place in ((5, 1), (3, 2), (1, 2), (2, 4))]
    result = cut(table, Take(first=2))
    assert Reason("by_order_at_cut", (2,)) in result.through[1].reasons
    assert [Reason("by_order_at_cut", (2,)) in one.reasons for one in result.reserves] == [True, False]
    assert all(len(one.reasons) == 1 for one in cut(table, Take(first=3)).through)


def test_equal_rates_at_the_cut_are_said_too() -> None:
    result = cut(groups(3, 3, 3), Take(of_each=1, best=1))
    assert Reason("by_order_at_cut", (2,)) in result.through[3].reasons
    assert [one.number for one in result.reserves if Reason("by_order_at_cut", (2,)) in one.reasons] == [22, 32]


def test_crossing_is_said_of_those_who_were_moved() -> None:
    result = cut(groups(4, 4, 4, 4), Take(of_each=2))
    straight = numbers(cut(groups(4, 4, 4, 4), Take(of_each=2), cross=False))
    assert numbers(result) != straight
    for seed, one in enumerate(result.through, start=1):
        before = straight.index(one.number) + 1
        assert (Reason("crossed", (before,)) in one.reasons) == (before != seed)


@pytest.mark.parametrize(
    ("sizes", "take"),
    [
        ((4, 4), Take(first=4, of_each=2)),
        ((8,), Take(first=9)),
        ((4, 3), Take(of_each=4)),
        ((4, 3), Take(of_each=3, best=2)),
    ],
)
def test_a_cut_that_cannot_be_made_is_refused_with_advice(sizes: tuple[int, ...], take: Take) -> None:
    assert why_not(sizes, take)
    assert why_not(sizes, Take()) is None
    assert why_not(sizes, Take(of_each=2, best=1)) is None
