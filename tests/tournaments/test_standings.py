"""Places: who is told apart by what, who shares, and that every cell explains itself."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.standings.events import Event, event
from tests.tournaments.standings.notation import meetings, name, order, ranked, told, values
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Kind, Meeting
from tournaments.standings.criteria import CRITERIA, DIRECT_ENCOUNTER, LESS_IS_BETTER, LOT, UNIT
from tournaments.standings.points import Scheme, place_points
from tournaments.standings.table import DEFAULT, Row, explain, standings
from tournaments.standings.values import format_value

ALL = (*CRITERIA, DIRECT_ENCOUNTER)
SEED = bytes(range(32))


def decided_by(rows: tuple[Row, ...], who: str) -> str:
    trail = next(row for row in rows if name(row.number) == who).trail
    return trail[-1].criterion


def test_more_points_stand_higher() -> None:
    rows = ranked("ABC", meetings("1 A-B 1:2 300:200", "2 B-C 1:2 250:240", "3 A-C 1:1 200:200"))
    assert order(rows) == "1A 2B 3C"
    assert [row.points for row in rows] == [6, 4, 2]


def test_equal_points_are_told_apart_by_wins() -> None:
    rows = ranked("ABCD", meetings("1 A-C 1:1", "2 A-D 1:1", "2 B-C 1:2", "1 B-D 2:1"), *DEFAULT[1:])
    assert order(rows).startswith("1D 2B 3A")
    assert decided_by(rows, "A") == "wins"


def test_entries_that_nothing_separates_share_their_place_and_the_next_one_is_left_out() -> None:
    rows = ranked("ABC", meetings("1 A-B 1:1 9:9", "2 A-C 1:2 9:0", "3 B-C 1:2 9:0"), *DEFAULT[1:])
    assert order(rows) == "1A 1B 3C"


def test_the_trail_says_with_how_many_each_criterion_found_and_left_an_entry_tied() -> None:
    rows = ranked("ABC", meetings("1 A-B 1:2", "2 A-C 1:1", "3 B-C 1:1"), "wins")
    first = rows[0].trail[0]
    assert (first.criterion, first.value, first.tied_before, first.tied_after) == ("points", 6, 3, 1)
    assert len(rows[0].trail) == 1
    assert [cell.value for cell in rows[0].cells] == [6, 1]


def test_nobody_has_played_yet() -> None:
    assert order(ranked("AB", ())) == "1A 1B"
    assert ranked("", ()) == ()


def test_lots_order_those_who_share_a_place_and_part_nobody() -> None:
    drawn = Lots(SEED).order("standings", range(1, 9))
    rows = ranked("ABCDEFGH", (), seed=SEED)
    assert tuple(row.number for row in rows) == drawn
    assert {row.place for row in rows} == {1}


def test_the_lot_parts_whom_nothing_else_does_if_it_is_a_criterion() -> None:
    rows = ranked("ABCDEFGH", (), LOT, seed=SEED)
    assert tuple(row.number for row in rows) == Lots(SEED).order("standings", range(1, 9))
    assert [row.place for row in rows] == [row.values[1] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_fewer_first_seats_stand_higher() -> None:
    lines = meetings("1 A-B 1:1", "2 A-C 1:1", "3 B-C 1:1", "4 A-B +:-")
    rows = ranked("ABC", lines, "first_seats", A=-4)
    assert values(rows, "first_seats") == {"A": 2, "B": 1, "C": 0}
    assert order(rows) == "1C 2B 3A"


def test_wins_count_what_was_given_too_and_games_won_what_was_played() -> None:
    lines = meetings("1 A-B 1:2", "1 C bye", "2 A-C +:-", "2 B half_bye", "3 A zero_bye", "3 B-C 1:1")
    assert values(ranked("ABC", lines, "wins"), "wins") == {"A": 2, "B": 0, "C": 1}
    assert values(ranked("ABC", lines, "games_won"), "games_won") == {"A": 1, "B": 0, "C": 0}


def test_progressive_adds_up_the_totals_after_every_round() -> None:
    lines = meetings("1 A-B 1:2", "2 B-A 1:2", "3 A zero_bye", "3 B bye")
    rows = ranked("AB", lines, "progressive", "progressive_cut1")
    assert values(rows, "progressive") == {"A": 4 + 4 + 4, "B": 0 + 4 + 8}
    assert values(rows, "progressive_cut1") == {"A": 4 + 4, "B": 4 + 8}


def test_scores_and_parties_are_counted_as_they_are() -> None:
    lines = meetings("1 A-B-C 1:2:3 100:70:50", scheme=Scheme(sides=3))
    rows = ranked("ABC", lines, "point_difference", "points_for", "parties_won", scheme=Scheme(sides=3))
    found = [(row.card_points_for, row.card_points_against, row.difference) for row in rows]
    assert found == [(100, 120, 80), (70, 150, -10), (50, 170, -70)]
    assert [row.values[1:] for row in rows] == [(80, 100, 100), (-10, 70, 70), (-70, 50, 50)]


def test_at_a_larger_table_the_top_alone_wins_and_the_top_shared_is_drawn() -> None:
    lines = meetings("1 A-B-C-D 1:2:3:4", "2 A-B-C-D 1:1:3:4", "3 A-B-C-D 1:1:1:1", scheme=Scheme(sides=4))
    rows = ranked("ABCD", lines, scheme=Scheme(sides=4))
    assert [(name(row.number), row.wins, row.draws, row.losses, row.points) for row in rows] == [
        ("A", 1, 2, 0, 28),
        ("B", 0, 2, 1, 24),
        ("C", 0, 1, 2, 14),
        ("D", 0, 1, 2, 6),
    ]


def test_a_place_that_was_shared_counts_as_the_shared_one() -> None:
    lines = meetings("1 A-B-C-D 1:2:3:4", "2 A-B-C-D 1:1:3:3", "3 B-C-D-A 1:2:2:2", scheme=Scheme(sides=4))
    told_places = {name(row.number): row.places for row in ranked("ABCDE", lines, scheme=Scheme(sides=4))}
    assert told_places == {
        "A": (2, 1, 0, 0),
        "B": (2, 1, 0, 0),
        "C": (0, 1, 2, 0),
        "D": (0, 1, 1, 1),
        "E": (0, 0, 0, 0),
    }
    assert [row.places for row in ranked("AB", ())] == [(), ()]


def test_forfeits_are_won_and_lost_but_no_places() -> None:
    rows = ranked("AB", meetings("1 A-B +:-", "2 A-B 1:1", "3 A-B -:-"))
    assert [(row.played, row.wins, row.draws, row.losses, row.places) for row in rows] == [
        (3, 1, 1, 1, (1, 0)),
        (3, 0, 1, 2, (1, 0)),
    ]


def test_unknown_criteria_and_rows_are_refused() -> None:
    with pytest.raises(KeyError):
        ranked("AB", (), "koya")
    with pytest.raises(ValueError, match="no such entrant"):
        told("C", "points", "AB", meetings("1 A-B 1:2"))
    with pytest.raises(ValueError, match="wins"):
        told("A", "wins", "AB", meetings("1 A-B 1:2"))


@pytest.mark.parametrize(
    ("criterion", "value", "written"),
    [
        ("points", 14, "3½"),
        ("points", 3, "¾"),
        ("points", 0, "0"),
        ("points", -6, "−1½"),
        ("progressive", 49, "12¼"),
        ("buchholz", 24 * 12 + 12, "12.5"),
        ("buchholz", 24 * 12 + 8, "12.33"),
        ("buchholz_cut1", 24 * 7, "7"),
        ("sonneborn_berger", 96 * 12 + 24, "12.25"),
        ("sonneborn_berger", 1, "0.01"),
        ("direct_encounter", 3360 * 3 // 2, "1.5"),
        ("direct_encounter", -3360, "−1"),
        ("wins", 3, "3"),
        ("point_difference", 80, "+80"),
        ("point_difference", -5, "−5"),
        ("point_difference", 0, "0"),
        ("points_for", 420, "420"),
        ("lot", 1, "1"),
        ("direct_encounter", None, ""),
    ],
)
def test_values_are_written_as_they_are_read(criterion: str, value: int | None, written: str) -> None:
    assert format_value(criterion, value) == written


@pytest.mark.parametrize("criterion", ["buchholz", "sonneborn_berger"])
def test_values_that_differ_are_not_written_alike(criterion: str) -> None:
    written = [format_value(criterion, value) for value in range(4 * UNIT[criterion])]
    assert len(set(written)) == len(written)


def test_every_criterion_has_a_unit() -> None:
    assert set(UNIT) == set(ALL)
    assert set(ALL) >= LESS_IS_BETTER


@pytest.mark.parametrize("criterion", ALL)
@pytest.mark.parametrize("is_round_robin", [False, True])
def test_the_parts_of_every_cell_add_up_to_its_value(criterion: str, is_round_robin: bool) -> None:
    chance = random.Random(5)
    one = with_annulled(event(chance, 12, 6, trouble=0.4), chance)
    asked = (["points", criterion] if criterion != "points" else ["points"], Lots(SEED), one.rounds, is_round_robin)
    rows = {row.number: row for row in standings(one.entrants, one.meetings, *asked)}
    for number, row in rows.items():
        cell = explain(number, criterion, one.entrants, one.meetings, *asked)
        assert (cell.value, cell.tied_before, cell.tied_after) == (row.values[-1], *row.level[-2:])
        if cell.value is not None and criterion != LOT:
            assert sum(part.value for part in cell.parts if part.cut is None) == cell.value
        assert all(part.round for part in cell.parts)


def with_annulled(one: Event, chance: random.Random) -> Event:
    played = [meeting for meeting in one.meetings if meeting.kind is Kind.PLAYED]
    gone = chance.choice(played)
    annulled = Meeting(gone.round, gone.entrants, (0, 0), Kind.ANNULLED)
    return Event(one.entrants, tuple(annulled if meeting is gone else meeting for meeting in one.meetings), one.rounds)


@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_the_table_does_not_depend_on_the_order_of_entrants_or_meetings(seed: int, chance: random.Random) -> None:
    one = event(random.Random(seed), 10, 5, trouble=0.3)
    expected = standings(one.entrants, one.meetings, ALL, Lots(SEED), one.rounds, False)
    entrants, shuffled = list(one.entrants), list(one.meetings)
    chance.shuffle(entrants)
    chance.shuffle(shuffled)
    assert standings(entrants, shuffled, ALL, Lots(SEED), one.rounds, False) == expected


@given(st.integers(0, 10**6), st.permutations(range(1, 11)))
def test_the_table_does_not_depend_on_who_has_which_number(seed: int, renumbered: list[int]) -> None:
    """Without lots: whoever is where he was, whatever his number is."""
    one, criteria = event(random.Random(seed), 10, 5, trouble=0.3), tuple(code for code in ALL if code != LOT)
    new = dict(zip(range(1, 11), renumbered, strict=True))
    entrants = [Entrant(new[entrant.number]) for entrant in one.entrants]
    moved = [renamed(meeting, new) for meeting in one.meetings]
    before, after = (
        {row.number: (row.place, row.values, row.level) for row in standings(*them, criteria, Lots(b""), 5, False)}
        for them in ((one.entrants, one.meetings), (entrants, moved))
    )
    assert {new[number]: told for number, told in before.items()} == after


def renamed(meeting: Meeting, new: dict[int, int]) -> Meeting:
    numbers, absent = (type(them)(new[one] for one in them) for them in (meeting.entrants, meeting.absent))
    return Meeting(
        meeting.round, numbers, meeting.points, meeting.kind, meeting.places, meeting.scores, absent=absent
    )  # fmt: skip


tables = st.integers(2, 4).flatmap(
    lambda count: st.tuples(
        st.permutations(range(1, 7)).map(lambda numbers: tuple(numbers[:count])),
        st.lists(st.integers(0, 3), min_size=count, max_size=count),
    )
)


@given(st.lists(tables, max_size=8))
def test_tables_of_any_size_add_up(drawn: list[tuple[tuple[int, ...], list[int]]]) -> None:
    lines = [
        Meeting(number, seated, place_points(found), places=found, scores=tuple(cards))
        for number, (seated, cards) in enumerate(drawn, start=1)
        for found in [tuple(1 + sum(other > own for other in cards) for own in cards)]
    ]
    rows = standings([Entrant(number) for number in range(1, 7)], lines, ("points",), Lots(b""), len(lines), True)
    assert sum(row.points for row in rows) == sum(sum(line.points) for line in lines)
    assert sum(row.difference for row in rows) == 0
    assert all(row.wins + row.draws + row.losses == sum(row.places) == row.played for row in rows)
