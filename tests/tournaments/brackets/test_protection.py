"""Shields in a bracket: who shares one meets late, and nobody leaves the tier of his seed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest

from tournaments.formats.bracket_building import seed_order, size_of
from tournaments.formats.meetings import Entrant, Reason
from tournaments.formats.protection import seeded, starts


def field(clubs: str) -> list[Entrant]:
    """One letter an entrant, the best first; a dot has no club."""
    return [
        Entrant(number, shields=frozenset({club} - {"."}))
        for number, club in enumerate(clubs.replace(" ", ""), start=1)
    ]


def meetings(field: Sequence[Entrant], order: Sequence[int]) -> list[int]:
    """By round: how many pairs of one club can meet there at the earliest."""
    lines = seed_order(size_of(len(order)))
    counts = [0] * len(lines).bit_length()
    for (one, first), (other, second) in combinations(enumerate(order, start=1), 2):
        if field[first - 1].shields & field[second - 1].shields:
            counts[(lines.index(one) ^ lines.index(other)).bit_length()] += 1
    return counts[1:]


def test_a_pair_of_one_club_is_moved_to_the_other_half() -> None:
    order = seeded(field("A B C D E F G A"), True)
    assert order.order == (1, 2, 3, 4, 5, 6, 8, 7)
    assert order.reasons == (
        Reason("shields_apart", (7, 8)),
        Reason("shields_apart", (8, 7)),
        Reason("shields_meet", ("A", 1, 7, 3)),
    )


def test_seeds_stay_where_they_are_without_protection_or_need() -> None:
    assert seeded(field("A B A B A B A B"), False).order == tuple(range(1, 9))
    assert seeded(field("A B C D E F G H"), True).order == tuple(range(1, 9))
    assert seeded(field("A A A"), True).order == (1, 2, 3)


def test_the_first_two_seeds_are_never_moved() -> None:
    assert seeded(field("A A A A"), True).order == (1, 2, 3, 4)
    assert seeded(field("A . A ."), True).order == (1, 2, 3, 4)
    assert seeded(field("A . . A"), True).order == (1, 2, 4, 3)


@pytest.mark.parametrize("entrants", [5, 6, 7, 8])
def test_no_order_within_the_tiers_is_better(entrants: int) -> None:
    random = Random(entrants)
    for _ in range(12):
        here = field("".join(random.choice("AAABBC.") for _ in range(entrants)))
        every = (
            (1, 2, *middle, *lower) for middle in permutations((3, 4)) for lower in permutations(range(5, entrants + 1))
        )
        assert meetings(here, seeded(here, True).order) == min(meetings(here, order) for order in every)


@pytest.mark.parametrize("entrants", [13, 32, 100])
def test_tiers_are_kept_and_no_club_meets_earlier_than_before(entrants: int) -> None:
    random = Random(entrants)
    here = field("".join(random.choice("ABCDEFGHIJKLM") for _ in range(entrants)))
    order = seeded(here, True).order
    tiers = [(number - 1).bit_length() for number in range(1, entrants + 1)]
    assert [(number - 1).bit_length() for number in order] == tiers
    assert meetings(here, order) < meetings(here, range(1, entrants + 1))
    assert meetings(here, order)[0] == 0


def test_no_order_is_better_where_some_bear_two_shields() -> None:
    random = Random(2)
    every = [(1, 2, *middle, *lower) for middle in permutations((3, 4)) for lower in permutations(range(5, 9))]
    for _ in range(12):
        shields = [{random.choice("ABC"), random.choice("xyz")} for _ in range(8)]
        here = [Entrant(number, shields=frozenset(one)) for number, one in enumerate(shields, start=1)]
        assert weighed(here, seeded(here, True).order) == min(weighed(here, order) for order in every)


def weighed(field: Sequence[Entrant], order: Sequence[int]) -> list[int]:
    """`meetings`, two who share two shields counted twice."""
    lines = seed_order(size_of(len(order)))
    counts = [0] * len(lines).bit_length()
    for (one, first), (other, second) in combinations(enumerate(order, start=1), 2):
        shared = len(field[first - 1].shields & field[second - 1].shields)
        counts[(lines.index(one) ^ lines.index(other)).bit_length()] += shared
    return counts[1:]


def test_owners_and_clubs_both_shield() -> None:
    shields = [{"a", "x"}, {"b"}, {"c"}, {"x"}, {"d"}, {"e"}, {"f"}, {"a"}]
    here = [Entrant(number, shields=frozenset(one)) for number, one in enumerate(shields, start=1)]
    assert meetings(here, seeded(here, True).order) == [0, 0, 2]


@pytest.mark.parametrize("pools", [[0], [0, 1, 2, 2], [0, 1, 2, 2, 3, 3, 3, 3], [1, 0, 1, 0, 2], [0] * 5])
def test_searches_start_from_every_order_in_which_nobody_leaves_his_pool(pools: list[int]) -> None:
    kept = [
        order
        for order in permutations(range(len(pools)))
        if all(pools[seed] == pools[entrant] for seed, entrant in enumerate(order))
    ]
    assert list(starts(pools)) == kept
