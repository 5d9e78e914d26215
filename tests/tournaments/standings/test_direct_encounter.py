"""FIDE C.07 (March 2026) art. 6, and its like for tables of three and four."""

from __future__ import annotations

from tests.tournaments.standings.notation import meetings, order, ranked, told, values
from tournaments.standings.criteria import UNIT
from tournaments.standings.points import Count, Scheme

POINT = UNIT["direct_encounter"]


def test_two_who_are_level_are_told_apart_by_their_own_meeting() -> None:
    lines = meetings("1 A-B 2:1", "2 A-C 1:2", "2 B-D 2:1", "3 A-D 1:2", "3 B-C 1:2", "1 C-D 1:2")
    rows = ranked("ABCD", lines, "direct_encounter", is_round_robin=True)
    assert order(rows) == "1B 2A 3C 4D"
    assert values(rows, "direct_encounter")["B"] == POINT


def test_art_6_2_those_still_level_are_looked_at_by_themselves() -> None:
    """All four have met and are level; A and B have two points among the four, and A beat B."""
    lines = meetings(
        "1 A-B 1:2", "1 C-D 1:2", "2 A-C 1:2", "2 B-D 1:2", "3 A-D 2:1", "3 B-C 1:2",
        "4 C-E 1:2", "4 D-E 1:2",
    )  # fmt: skip
    rows = ranked("ABCDE", lines[:6], "direct_encounter", is_round_robin=True, C=4, D=4)
    assert order(rows) == "1A 2B 3C 4D 5E"
    assert values(rows, "direct_encounter") == {"A": 2 * POINT, "B": 2 * POINT, "C": POINT, "D": POINT, "E": None}


def test_a_circle_says_nothing_and_leaves_all_three_level() -> None:
    lines = meetings("1 A-B 1:2 300:100", "2 B-C 1:2 300:200", "3 C-A 1:2 300:200")
    rows = ranked("ABC", lines, "direct_encounter", is_round_robin=True)
    assert order(rows) == "1A 1B 1C"
    assert set(values(rows, "direct_encounter").values()) == {POINT}
    assert order(ranked("ABC", lines, "direct_encounter", "point_difference", is_round_robin=True)) == "1A 2C 3B"


def test_art_6_3_who_stays_on_top_whatever_the_missing_games_bring_is_first() -> None:
    """A beat B and C, who have not met: whoever of them had won, A would stay alone on top."""
    lines = meetings("1 A-B 1:2", "2 A-C 1:2", "3 A-D 2:1")
    rows = ranked("ABC", lines, "direct_encounter", B=4, C=4, A=-4)
    assert order(rows) == "1A 2B 2C"


def test_art_6_3_who_could_still_be_caught_is_not_told_apart() -> None:
    """A beat B; C has met neither and could have beaten both."""
    lines = meetings("1 A-B 1:2")
    rows = ranked("ABC", lines, "direct_encounter", B=4, C=4)
    assert order(rows) == "1A 1B 1C"
    assert set(values(rows, "direct_encounter").values()) == {None}


def test_art_6_1_1_a_forfeit_is_no_meeting_in_a_swiss() -> None:
    lines = meetings("1 A-B +:-")
    assert order(ranked("AB", lines, "direct_encounter", B=4)) == "1A 1B"
    assert order(ranked("AB", lines, "direct_encounter", B=4, is_round_robin=True)) == "1A 2B"


def test_art_6_1_2_more_meetings_of_the_same_two_count_as_their_average() -> None:
    """A has 1 of 2 against B and all of 1 against C; B beat C twice."""
    lines = meetings("1 A-B 1:2", "2 A-B 2:1", "3 A-C 1:2", "4 B-C 1:2", "5 B-C 1:2")
    rows = ranked("ABC", lines, "direct_encounter", A=4, C=12, is_round_robin=True)
    assert values(rows, "direct_encounter") == {"A": POINT * 3 // 2, "B": POINT * 3 // 2, "C": 0}
    thrice = meetings("1 A-B 1:2", "2 A-B 2:1", "3 A-B 2:1")
    assert values(ranked("AB", thrice, "direct_encounter", A=4), "direct_encounter") == {
        "A": POINT // 3,
        "B": POINT * 2 // 3,
    }


def test_where_scores_are_counted_nothing_is_certain_until_all_have_met() -> None:
    scores = Scheme(Count.SCORE)
    lines = meetings("1 A-B 1:2 900:0", "2 A-C 1:2 900:0", scheme=scores)
    rows = ranked("ABC", lines, "direct_encounter", B=7200, C=7200, scheme=scores)
    assert order(rows) == "1A 1B 1C"


def test_partners_have_not_met() -> None:
    lines = meetings("1 A&C-B&D 1:2")
    assert order(ranked("AC", lines, "direct_encounter")) == "1A 1C"
    rows = ranked("ABCD", lines, "direct_encounter", B=4, D=4)
    assert order(rows) == "1A 1B 1C 1D"
    assert values(rows, "direct_encounter") == dict.fromkeys("ABCD")
    assert order(ranked("AB", lines, "direct_encounter", B=4)) == "1A 2B"


def test_at_larger_tables_places_among_the_tied_count() -> None:
    """A and B sat together twice: once A was two places before B, once B one place before A."""
    lines = meetings("1 A-X-B 1:2:3", "2 B-A-Y 1:2:3", scheme=Scheme(sides=3))
    rows = ranked("AB", lines, "direct_encounter", B=6, scheme=Scheme(sides=3))
    assert order(rows) == "1A 2B"
    assert values(rows, "direct_encounter") == {"A": POINT // 2, "B": -POINT // 2}


def test_at_larger_tables_all_must_have_met_equally_often() -> None:
    lines = meetings("1 A-B-C 1:2:3", "2 A-B-X 2:1:3", scheme=Scheme(sides=3))
    assert order(ranked("ABC", lines, "direct_encounter", C=18, scheme=Scheme(sides=3))) == "1A 1B 1C"
    assert order(ranked("ABC", lines[:1], "direct_encounter", B=6, C=12, scheme=Scheme(sides=3))) == "1A 2B 3C"


def test_the_parts_are_the_meetings_of_those_who_were_level() -> None:
    lines = meetings("1 A-B 1:2", "2 A-B 2:1", "3 A-C 1:2", "3 B-D 1:2")
    cell = told("A", "direct_encounter", "ABCD", lines, "direct_encounter")
    assert [(part.round, part.opponents, part.value) for part in cell.parts] == [(1, (2,), POINT // 2), (2, (2,), 0)]
    assert (cell.value, cell.tied_before, cell.tied_after) == (POINT // 2, 2, 2)
