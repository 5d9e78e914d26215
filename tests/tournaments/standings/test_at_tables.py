"""Tables of three and four, for which there is no text: Buchholz and Sonneborn-Berger by the mean of table-mates."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.tournaments.standings.events import event
from tests.tournaments.standings.notation import meetings, order, ranked, told, values
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Kind, Meeting
from tournaments.standings.criteria import UNIT
from tournaments.standings.legs import legs_of
from tournaments.standings.opposition import won_from
from tournaments.standings.points import STANDARD, Scheme
from tournaments.standings.table import standings
from tournaments.standings.values import format_value

SHADOW, NO_LOTS = 100, Lots(b"")
THREE, FOUR = Scheme(sides=3), Scheme(sides=4)


def test_a_round_counts_the_mean_of_the_table_mates() -> None:
    lines = meetings("1 A-B-C-D 1:2:3:4", scheme=FOUR)
    rows = ranked("ABCD", lines, "buchholz", scheme=FOUR)
    assert order(rows) == "1A 2B 3C 4D"
    found = {who: format_value("buchholz", value) for who, value in values(rows, "buchholz").items()}
    assert found == {"A": "1", "B": "1.33", "C": "1.67", "D": "2"}


def test_sonneborn_berger_counts_the_share_won_from_each() -> None:
    """A won one point each from B (2), C (1) and D (0); B from C and D; tables of three give one and a half each."""
    four = ranked("ABCD", meetings("1 A-B-C-D 1:2:3:4", scheme=FOUR), "sonneborn_berger", scheme=FOUR)
    assert [format_value("sonneborn_berger", row.values[1]) for row in four] == ["3", "1", "0", "0"]
    three = ranked("ABC", meetings("1 A-B-C 1:2:2", scheme=THREE), "sonneborn_berger", scheme=THREE)
    assert [format_value("sonneborn_berger", row.values[1]) for row in three] == ["2.25", "0.56", "0.56"]


def test_of_two_who_came_to_a_table_of_three_one_won_a_point_and_a_half_from_the_other() -> None:
    line = Meeting(1, (1, 2, 3), (12, 6, 0), Kind.PLAYED, (1, 2, 3), (9, 8, 0), absent=frozenset({3}))
    parts = told("A", "sonneborn_berger", "ABC", (line,), "sonneborn_berger").parts
    assert [(part.opponents, part.value) for part in parts] == [((2,), UNIT["sonneborn_berger"] * 3 * 3 // 4)]


@pytest.mark.parametrize(
    ("places", "won"),
    [
        ((1, 2, 3, 4), (4, 4, 4)),
        ((1, 1, 3, 4), (2, 4, 4)),
        ((2, 1, 2, 4), (0, 2, 4)),
        ((1, 2, 3), (6, 6)),
        ((2, 1, 2), (0, 3)),
        ((1, 1, 1), (3, 3)),
        ((1, 2), (4,)),
    ],
)
def test_what_was_won_from_each_adds_up_to_the_points(places: tuple[int, ...], won: tuple[int, ...]) -> None:
    scheme = Scheme(sides=len(places))
    names = "ABCD"[: len(places)]
    (line,) = meetings(f"1 {'-'.join(names)} {':'.join(map(str, places))}", scheme=scheme)
    leg = legs_of([1], [line], 1, False)[1][0]
    assert won_from(leg, scheme) == tuple(6 * quarters for quarters in won)
    assert sum(won) == leg.points


def test_partners_are_no_opponents() -> None:
    lines = meetings("1 A&C-B&D 1:2 90:60", "2 A&D-B&C 2:1 60:90")
    cell = told("A", "buchholz", "ABCD", lines, "buchholz")
    assert [part.opponents for part in cell.parts] == [(2, 4), (2, 3)]
    rows = {row.number: row for row in ranked("ABCD", lines, "sonneborn_berger")}
    assert (rows[1].card_points_for, rows[1].card_points_against, rows[1].difference) == (150, 150, 0)
    assert (rows[3].wins, rows[3].losses, rows[3].places) == (2, 0, (2, 0))
    assert rows[1].values[1] == UNIT["sonneborn_berger"] // 2  # half a point each from B (1) and D (0)


def test_who_was_absent_from_a_table_that_was_played_is_nobodys_opponent() -> None:
    line = Meeting(1, (1, 2, 3, 4), (12, 8, 4, 0), Kind.PLAYED, (1, 2, 3, 4), (9, 8, 7, 0), absent=frozenset({4}))
    assert [part.opponents for part in told("A", "buchholz", "ABCD", (line,), "buchholz").parts] == [(2, 3)]
    gone = told("D", "buchholz", "ABCD", (line,), "buchholz").parts[0]
    assert (gone.category, gone.opponents) == ("forfeit_loss", (1, 2, 3))
    rows = {row.number: row for row in ranked("ABCD", (line,), scheme=FOUR)}
    leg = legs_of([1], [line], 1, False)[1][0]
    assert won_from(leg, FOUR) == (24, 24)  # a point from each of the two who came
    assert (rows[4].losses, rows[4].places, rows[1].places) == (1, (0, 0, 0, 0), (1, 0, 0, 0))


def test_pairs_written_as_four_individuals_have_what_two_sides_have() -> None:
    """Where partners never part, the mean of two opponents is the score of either: the same Buchholz and the rest."""
    chance, criteria = random.Random(7), ("points", "buchholz", "buchholz_cut1", "sonneborn_berger", "wins")
    for _ in range(20):
        one = event(chance, chance.randint(6, 20), 5, trouble=0.3)
        shadows = tuple(Entrant(SHADOW + entrant.number) for entrant in one.entrants)
        doubled = tuple(table for meeting in one.meetings for table in _with_shadows(meeting))
        plain = {row.number: row.values for row in standings(one.entrants, one.meetings, criteria, NO_LOTS, 5, False)}
        both = standings((*one.entrants, *shadows), doubled, criteria, NO_LOTS, 5, False)
        assert {row.number: row.values for row in both} == plain | {SHADOW + one: plain[one] for one in plain}


def _with_shadows(meeting: Meeting) -> tuple[Meeting, ...]:
    """The same with a partner for each, who is always there when he is."""
    shadows = tuple(SHADOW + number for number in meeting.entrants)
    if meeting.is_bye:
        return meeting, replace(meeting, entrants=shadows)
    table = replace(meeting, entrants=(*meeting.entrants, *shadows), points=meeting.points * 2, sides=(0, 1, 0, 1))
    absent = meeting.absent | {SHADOW + number for number in meeting.absent}
    return (replace(table, places=meeting.places * 2, scores=meeting.scores * 2, absent=frozenset(absent)),)


def test_adding_an_allocated_bye_never_lowers_buchholz() -> None:
    """The dummy has points of its own, and the opponents' scores do not fall."""
    chance = random.Random(3)
    for _ in range(20):
        one = event(chance, 8, 5)
        more = (*one.meetings, Meeting(6, (1,), (STANDARD.full,), Kind.BYE))
        before, after = (
            {row.number: row.values[0] for row in standings(one.entrants, them, ("buchholz",), NO_LOTS, 5, False)}
            for them in (one.meetings, more)
        )
        assert after[1] >= before[1]
