"""Tables in the notation of a cross table: `A-B 4:0 300:200` = A beat B, card points 300 to 200."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.table import PLACE_POINTS, Row, Score, place_points, standings


def scores(*lines: str) -> list[Score]:
    parsed = []
    for line in lines:
        names, points, cards = line.split()
        parsed.append(Score(tuple(names.split("-")), numbers(points), numbers(cards)))
    return parsed


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(":")))


def order(rows: tuple[Row, ...]) -> str:
    return " ".join(f"{row.place}{row.entry}" for row in rows)


def decided_by(rows: tuple[Row, ...], entry: str) -> str:
    trail = next(row for row in rows if row.entry == entry).trail
    return trail[-1].criterion


def test_more_points_stand_higher() -> None:
    table = standings("ABC", scores("A-B 4:0 300:200", "B-C 4:0 250:240", "A-C 2:2 200:200"))
    assert order(table) == "1A 2B 3C"
    assert [row.points for row in table] == [6, 4, 2]


def test_equal_points_are_told_apart_by_wins() -> None:
    table = standings("ABCD", scores("A-C 2:2 9:9", "A-D 2:2 9:9", "B-C 4:0 9:1", "B-D 0:4 1:9"))
    assert order(table).startswith("1D 2B 3A")
    assert decided_by(table, "A") == "wins"


def test_equal_points_and_wins_are_told_apart_by_their_own_meeting() -> None:
    table = standings(
        "ABCD",
        scores("A-B 0:4 1:2", "A-C 4:0 900:0", "A-D 4:0 900:0", "B-C 0:4 0:900", "B-D 4:0 2:1", "C-D 0:4 1:2"),
    )
    assert order(table)[:5] == "1B 2A"
    assert decided_by(table, "B") == "head_to_head"


def test_head_to_head_is_applied_again_to_the_part_it_left_tied() -> None:
    """A, B, C, D have two wins each among themselves or not: the first pass leaves pairs, the second decides them."""
    table = standings(
        "ABCDE",
        scores(
            "A-B 4:0 1:0", "A-C 4:0 1:0", "A-D 0:4 0:1", "B-C 4:0 1:0", "B-D 4:0 1:0", "C-D 4:0 1:0",
            "A-E 0:4 0:1", "B-E 0:4 0:1", "C-E 4:0 1:0", "D-E 4:0 1:0",
        ),
    )  # fmt: skip
    # E has two wins as well: all five are tied with two wins; among all five nothing splits, difference is level too.
    assert [row.points for row in table] == [8, 8, 8, 8, 8]
    assert {row.place for row in table} == {1}


def test_head_to_head_is_silent_while_the_tied_have_not_all_met() -> None:
    table = standings("ABC", scores("A-C 4:0 300:100", "B-C 4:0 250:100"))
    assert order(table) == "1A 2B 3C"
    steps = {step.criterion: step.value for step in table[0].trail}
    assert steps["head_to_head"] is None
    assert decided_by(table, "A") == "difference"


def test_a_circle_is_broken_by_the_difference_of_card_points() -> None:
    table = standings("ABC", scores("A-B 4:0 300:100", "B-C 4:0 300:200", "C-A 4:0 300:200"))
    assert order(table) == "1A 2C 3B"
    assert decided_by(table, "C") == "difference"


def test_entries_that_nothing_separates_share_their_place_and_the_next_one_is_left_out() -> None:
    table = standings("ABC", scores("A-B 2:2 9:9", "A-C 4:0 9:0", "B-C 4:0 9:0"))
    assert order(table) == "1A 1B 3C"


def test_the_trail_says_with_how_many_each_criterion_found_and_left_an_entry_tied() -> None:
    table = standings("ABC", scores("A-B 4:0 3:1", "A-C 2:2 2:2", "B-C 2:2 2:2"))
    first = table[0].trail[0]
    assert (first.criterion, first.value, first.tied_before, first.tied_after) == ("points", 6, 3, 1)


def test_nobody_has_played_yet() -> None:
    assert order(standings("AB", [])) == "1A 1B"


@pytest.mark.parametrize(
    ("places", "quarters"),
    [
        ("1 2", "4 0"),
        ("1 1", "2 2"),
        ("1 2 3", "12 6 0"),
        ("1 1 3", "9 9 0"),
        ("1 2 2", "12 3 3"),
        ("1 1 1", "6 6 6"),
        ("1 2 3 4", "12 8 4 0"),
        ("1 1 3 4", "10 10 4 0"),
        ("1 2 2 4", "12 6 6 0"),
        ("1 2 3 3", "12 8 2 2"),
        ("1 1 3 3", "10 10 2 2"),
        ("1 1 1 4", "8 8 8 0"),
        ("1 2 2 2", "12 4 4 4"),
        ("1 1 1 1", "6 6 6 6"),
    ],
)
def test_equal_places_share_what_they_fill(places: str, quarters: str) -> None:
    """Every way in which two, three or four can tie."""
    told = [int(place) for place in places.split()]
    assert place_points(told) == tuple(map(int, quarters.split()))
    assert place_points(told[::-1]) == place_points(told)[::-1]
    assert sum(place_points(told)) == sum(PLACE_POINTS[len(told)])


def test_at_a_larger_table_the_top_alone_wins_and_the_top_shared_is_drawn() -> None:
    table = standings(
        "ABCD", scores("A-B-C-D 12:8:4:0 9:8:7:6", "A-B-C-D 10:10:4:0 9:9:7:6", "A-B-C-D 6:6:6:6 1:1:1:1")
    )
    assert [(row.entry, row.wins, row.draws, row.losses, row.points) for row in table] == [
        ("A", 1, 2, 0, 28),
        ("B", 0, 2, 1, 24),
        ("C", 0, 1, 2, 14),
        ("D", 0, 1, 2, 6),
    ]


def test_a_place_that_was_shared_counts_as_the_shared_one() -> None:
    played = scores("A-B-C-D 12:8:4:0 9:8:7:6", "A-B-C-D 10:10:2:2 9:9:6:6", "B-C-D-A 12:4:4:4 9:5:5:5")
    told = {row.entry: row.places for row in standings("ABCDE", played)}
    assert told == {"A": (2, 1, 0, 0), "B": (2, 1, 0, 0), "C": (0, 1, 2, 0), "D": (0, 1, 1, 1), "E": (0, 0, 0, 0)}
    assert [row.places for row in standings("AB", scores("A-B 4:0 9:1", "A-B 2:2 5:5"))] == [(2, 0), (1, 1)]
    assert [row.places for row in standings("AB", [])] == [(), ()]


def test_the_difference_at_a_larger_table_is_to_each_of_the_others() -> None:
    table = standings("ABC", scores("A-B-C 12:6:0 100:70:50"))
    assert [(row.card_points_for, row.card_points_against, row.difference) for row in table] == [
        (100, 120, 80),
        (70, 150, -10),
        (50, 170, -70),
    ]


def test_larger_tables_are_no_meetings_of_two() -> None:
    table = standings("ABC", scores("A-B-C 9:9:0 90:80:10"))
    assert order(table) == "1A 2B 3C"
    steps = {step.criterion: step.value for step in table[0].trail}
    assert steps["head_to_head"] is None
    assert decided_by(table, "A") == "difference"


def a_table(names: list[str]) -> st.SearchStrategy[Score]:
    """A meeting of two to four of these, with card points of each."""
    seats = st.integers(2, 4).flatmap(
        lambda count: st.tuples(
            st.permutations(names).map(lambda order: tuple(order[:count])),
            st.lists(st.integers(0, 3), min_size=count, max_size=count),
        )
    )
    return seats.map(lambda drawn: Score(drawn[0], place_points(places_of(drawn[1])), tuple(drawn[1])))


def places_of(cards: list[int]) -> list[int]:
    return [1 + sum(other > own for other in cards) for own in cards]


@given(st.lists(a_table(list("ABCDEF")), max_size=8), st.randoms(use_true_random=False))
def test_tables_of_any_size_fold_alike_in_any_order(played: list[Score], chance: random.Random) -> None:
    expected = {row.entry: row for row in standings("ABCDEF", played)}
    shuffled = list(played)
    chance.shuffle(shuffled)
    assert {row.entry: row for row in standings("FEDCBA", shuffled)} == expected
    assert sum(row.points for row in expected.values()) == sum(sum(score.points) for score in played)
    assert sum(row.difference for row in expected.values()) == 0
    assert all(row.wins + row.draws + row.losses == sum(row.places) == row.played for row in expected.values())


results = st.lists(
    st.tuples(
        st.permutations("ABCDEF"), st.sampled_from([(4, 0), (2, 2), (0, 4)]), st.integers(0, 99), st.integers(0, 99)
    ),
    max_size=15,
)


@given(results, st.randoms(use_true_random=False))
def test_the_table_does_not_depend_on_the_order_of_entries_or_results(played: list, chance: random.Random) -> None:
    met = {frozenset(names[:2]): Score(tuple(names[:2]), points, (own, other)) for names, points, own, other in played}
    entries, all_scores = list("ABCDEF"), list(met.values())
    expected = {row.entry: row for row in standings(entries, all_scores)}
    chance.shuffle(entries)
    chance.shuffle(all_scores)
    assert {row.entry: row for row in standings(entries, all_scores)} == expected
    assert sum(row.points for row in expected.values()) == 4 * len(all_scores)
    assert sum(row.difference for row in expected.values()) == 0
