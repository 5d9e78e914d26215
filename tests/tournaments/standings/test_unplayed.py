"""FIDE C.07 (March 2026) art. 14 to 16, one event at a time; values are in points here, not in units."""

from __future__ import annotations

import pytest

from tests.tournaments.standings.notation import meetings, ranked, told, values
from tournaments.standings.criteria import UNIT
from tournaments.standings.legs import Category, legs_of
from tournaments.standings.opposition import Cut
from tournaments.standings.values import format_value


def written(names: str, lines: tuple, criterion: str, **options: object) -> dict[str, str]:
    rows = ranked(names, lines, criterion, **options)
    return {who: format_value(criterion, value) for who, value in values(rows, criterion).items()}


def test_art_8_1_buchholz_adds_up_the_scores_of_opponents() -> None:
    lines = meetings("1 A-B 1:2", "1 C-D 1:1", "2 A-C 1:2", "2 B-D 1:2")
    assert written("ABCD", lines, "buchholz") == {"A": "1.5", "B": "2.5", "C": "2.5", "D": "1.5"}


def test_art_9_1_sonneborn_berger_multiplies_them_by_what_was_won() -> None:
    lines = meetings("1 A-B 1:2", "1 C-D 1:1", "2 A-C 1:2", "2 B-D 1:2")
    assert written("ABCD", lines, "sonneborn_berger") == {"A": "1.5", "B": "0.5", "C": "0.25", "D": "0.25"}


def test_art_16_3_rounds_after_somebody_was_gone_count_as_drawn_for_his_opponents() -> None:
    lines = meetings("1 A-B 2:1", "1 C-D 1:2", "2 A-C 1:2", "2 D zero_bye", "3 A-C 1:2")
    # B has 1 point and two rounds without a word; D nothing, a bye asked for and a round without a word; C 1 point.
    found = written("ABCD", lines, "buchholz", rounds=3)
    assert (found["A"], found["C"]) == ("4", "5")


def test_art_16_2_3_a_bye_before_somebody_came_back_counts_as_it_was() -> None:
    gone = meetings("1 A-B 1:2", "2 B zero_bye", "2 A-C 1:2", "3 A-C 1:2", "3 B zero_bye")
    back = meetings("1 A-B 1:2", "2 B zero_bye", "2 A-C 1:2", "3 A-C 1:2", "3 B bye")
    assert told("A", "buchholz", "ABC", gone, "buchholz").parts[0].score == UNIT["buchholz"] * 1
    assert told("A", "buchholz", "ABC", back, "buchholz").parts[0].score == UNIT["buchholz"] * 1
    half = meetings("1 A-B 1:2", "2 B half_bye", "2 A-C 1:2", "3 A-C 1:2", "3 B-D 2:1")
    assert told("A", "buchholz", "ABCD", half, "buchholz").parts[0].score == UNIT["buchholz"] // 2


@pytest.mark.parametrize(
    ("last", "category"),
    [
        ("3 A-D 1:2", Category.REQUESTED),
        ("3 A bye", Category.REQUESTED),
        ("3 A-D +:-", Category.REQUESTED),
        ("3 A-D -:+", Category.GONE),
        ("3 A half_bye", Category.GONE),
    ],
)
def test_art_16_2_what_proves_that_somebody_came_back(last: str, category: Category) -> None:
    lines = meetings("1 A-B 1:2", "2 A zero_bye", last)
    assert told("A", "buchholz", "ABD", lines, "buchholz").parts[1].category == category


def test_art_16_4_1_the_dummy_of_a_forfeit_is_no_better_than_whom_one_was_to_meet() -> None:
    lines = meetings("1 A-B +:-", "2 A-C 1:2", "2 B-D 2:1", "3 A-D 1:2", "3 B-C 2:1")
    won, lost = (told(who, "buchholz", "ABCD", lines, "buchholz").parts[0] for who in "AB")
    assert (won.category, won.score) == (Category.FORFEIT_WIN, 0)  # A has 3 points, B none
    assert (lost.category, lost.score) == (Category.FORFEIT_LOSS, 0)  # B's own


def test_art_16_4_2_the_dummy_of_a_bye_is_no_better_than_a_draw_in_every_round() -> None:
    lines = meetings("1 A bye", "2 A-B 1:2", "3 A-C 1:2", "1 B-C 1:2", "2 C bye", "3 B zero_bye")
    assert format_value("buchholz", told("A", "buchholz", "ABC", lines, "buchholz").parts[0].score) == "1.5"
    assert format_value("buchholz", told("B", "buchholz", "ABC", lines, "buchholz").parts[2].score) == "1"


def test_art_16_5_voluntarily_unplayed_rounds_are_cut_first() -> None:
    lines = meetings("1 A-B 1:2", "2 A-C 1:2", "3 A zero_bye", "2 B-D 2:1", "3 C-D 1:2", "3 B half_bye")
    cell = told("A", "buchholz_cut1", "ABCD", lines, "buchholz_cut1")
    assert [part.cut for part in cell.parts] == [None, None, Cut.VOLUNTARY]
    assert min(part.value for part in cell.parts) < cell.parts[2].value
    cell = told("A", "buchholz_cut2", "ABCD", lines, "buchholz_cut2")
    assert sorted(str(part.cut) for part in cell.parts) == ["None", "lowest", "voluntary"]


def test_art_14_1_1_d_sonneborn_berger_loses_the_product_of_the_weakest_opponent() -> None:
    """The win against who has one point goes, though the draw with who has more added less and the loss nothing."""
    lines = meetings("1 A-B 1:2", "1 C-D 2:1", "2 A-D 2:1", "2 B-C 2:1", "3 A-C 1:1", "3 B-D 1:2")
    cell = told("A", "sonneborn_berger_cut1", "ABCD", lines, "sonneborn_berger_cut1")
    assert [part.cut for part in cell.parts] == [Cut.LOWEST, None, None]
    assert cell.parts[0].value > cell.parts[2].value > cell.parts[1].value == 0


def test_art_16_5_1_but_not_if_the_unplayed_round_added_less() -> None:
    lines = meetings("1 A-B 1:2", "1 C-D 1:2", "2 A zero_bye", "2 B-C 1:2", "2 D bye", "3 A-C 1:2", "3 B-D 1:2")
    cell = told("A", "sonneborn_berger_cut1", "ABCD", lines, "sonneborn_berger_cut1")
    assert [part.cut for part in cell.parts] == [None, None, Cut.LOWEST]
    assert cell.parts[2].value > cell.parts[1].value == 0


def test_art_14_3_the_median_loses_the_lowest_and_then_the_highest() -> None:
    lines = meetings("1 A-B 1:2", "2 A-C 1:2", "3 A-D 1:2", "2 B-D 1:2", "3 B-C 1:2", "1 C-D 1:2")
    cell = told("A", "buchholz_median", "ABCD", lines, "buchholz_median")
    assert [part.cut for part in cell.parts] == [Cut.HIGHEST, None, Cut.LOWEST]


def test_art_15_2_forfeits_of_a_round_robin_are_games() -> None:
    lines = meetings("1 A-B +:-", "2 A-C 1:2", "3 B-C 1:2")
    assert written("ABC", lines, "sonneborn_berger", is_round_robin=True) == {"A": "1", "B": "0", "C": "0"}
    assert written("ABC", lines, "direct_encounter", is_round_robin=True) == {"A": "", "B": "", "C": ""}
    assert written("ABC", lines, "games_won", is_round_robin=True) == {"A": "1", "B": "1", "C": "0"}
    assert written("ABC", lines, "wins", is_round_robin=True) == {"A": "2", "B": "1", "C": "0"}


def test_a_free_round_of_a_round_robin_is_nothing() -> None:
    lines = meetings("1 A-B 1:2", "1 C zero_bye", "2 A-C 1:2", "2 B zero_bye", "3 B-C 1:2", "3 A zero_bye")
    assert written("ABC", lines, "buchholz", is_round_robin=True) == {"A": "1", "B": "2", "C": "3"}


def test_half_a_bye_of_a_movement_was_given_by_the_draw_and_is_no_win() -> None:
    """Elsewhere somebody asked for it, and after that he was gone."""
    lines = meetings("1 A-B 2:1", "2 A bye", "2 B-C 1:2", "3 B-C 1:2", "3 A half_bye")
    ahead, elsewhere = (legs_of((1, 2, 3), lines, 3, is_ahead)[1] for is_ahead in (True, False))
    assert [leg.category for leg in ahead[1:]] == [Category.ALLOCATED, Category.ALLOCATED]
    assert [leg.category for leg in elsewhere[1:]] == [Category.ALLOCATED, Category.GONE]
    assert written("ABC", lines, "wins", is_round_robin=True)["A"] == "1"


def test_what_was_annulled_counts_for_nothing_and_is_no_unplayed_round() -> None:
    lines = meetings("1 A-B x", "1 C-D 1:2", "2 A-C 1:2", "2 B-D 1:2")
    assert [part.round for part in told("A", "buchholz", "ABCD", lines, "buchholz").parts] == [2]
    rows = ranked("ABCD", lines)
    assert {row.number: (row.played, row.points) for row in rows} == {1: (1, 4), 2: (1, 4), 3: (2, 4), 4: (2, 0)}


def test_nobody_is_away_from_a_round_that_is_still_played() -> None:
    lines = meetings("1 A-B 1:2", "1 C-D 1:2", "2 A-C 1:2")
    open_one = ranked("ABCD", lines, "buchholz", rounds=1)
    assert values(open_one, "buchholz")["B"] == 2 * UNIT["buchholz"]
    assert values(ranked("ABCD", lines, "buchholz", rounds=2), "buchholz")["B"] == 2 * UNIT["buchholz"]
    assert len(told("B", "buchholz", "ABCD", lines, "buchholz").parts) == 2


def test_carried_points_count_as_points_and_nowhere_else() -> None:
    lines = meetings("1 A-B 1:2", "1 C-D 1:2")
    rows = ranked("ABCD", lines, "buchholz", "progressive", B=6)
    assert [(row.number, row.points) for row in rows][:2] == [(2, 6), (1, 4)]
    assert values(rows, "buchholz")["A"] == 0
    assert values(rows, "progressive")["B"] == 0


@pytest.mark.parametrize("is_round_robin", [False, True])
def test_who_has_no_row_any_more_was_still_met(is_round_robin: bool) -> None:
    lines = meetings("1 C bye", "1 A-B 1:1", "2 A-C 1:2", "2 B zero_bye", "3 B-C 2:1", "3 A zero_bye")
    rows = ranked("AB", lines, "buchholz", "games_won", is_round_robin=is_round_robin)
    assert {row.number: (row.points, row.played, row.values[2]) for row in rows} == {1: (6, 2, 1), 2: (2, 2, 0)}
    met = told("A", "buchholz", "AB", lines, "buchholz", is_round_robin=is_round_robin).parts[1]
    assert (met.opponents, met.value) == ((3,), 2 * UNIT["buchholz"])
