"""What a draw says of itself: floats, byes, first seats, the order of tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.swiss.events import Event, positions
from tests.tournaments.swiss.test_terms import after
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, Position, Reason
from tournaments.formats.swiss import Settings, draw_next


def drawn(position: Position, **settings: object) -> Draw:
    return draw_next(position, Settings(**settings))


def reasons(draw: Draw, number: int) -> dict[str, tuple[int | str, ...]]:
    """The reasons of the table at which this one sits."""
    return {one.code: one.values for table in draw.tables if number in table.entrants for one in table.reasons}


def test_the_first_round_is_the_upper_half_against_the_lower():
    draw = drawn(Position(tuple(Entrant(number) for number in range(1, 9)), rounds=3))
    assert [sorted(table.entrants) for table in draw.tables] == [[1, 5], [2, 6], [3, 7], [4, 8]]
    assert reasons(draw, 1)["score_group"] == (0,)


def test_tables_are_sorted_by_the_higher_score_and_byes_come_last():
    draw = drawn(after("1-5 2-6 3-7 4-8 9", 9, rounds=5))
    scores = [max(4 * (number in (1, 2, 3, 4, 9)) for number in table.entrants) for table in draw.tables]
    assert scores[:-1] == sorted(scores[:-1], reverse=True)
    assert draw.tables[-1].kind is Kind.BYE


def test_floats_say_from_where_to_where():
    """Three have won: one of the three who lost floats up, and one of the winners meets him."""
    draw = drawn(after("1-4 2-5 3-6", 6, rounds=5))
    assert [sorted(table.entrants) for table in draw.tables] == [[1, 3], [2, 4], [5, 6]]
    assert reasons(draw, 4)["floated_up"] == (4, 0, 4)
    assert reasons(draw, 4)["floated_down"] == (2, 4, 0)
    assert "floated_up" not in reasons(draw, 5)


def test_who_would_have_met_again_is_named():
    """By the halves 1 would meet 3, and 2 would meet 4."""
    draw = drawn(after("1-3 2-4", 4, rounds=3, meetings=(Meeting(1, (1, 3), (2, 2)), Meeting(1, (2, 4), (2, 2)))))
    table = next(table for table in draw.tables if 1 in table.entrants)
    avoided = {reason.values for reason in table.reasons if reason.code == "rematch_avoided"}
    assert (1, 3, 1) in avoided
    assert avoided <= {(1, 3, 1), (2, 4, 1), (4, 2, 1)}


@pytest.mark.parametrize(
    ("history", "sides", "bye"),
    [
        ("1-2 3-4", 5, 4),  # 5 has no point either, but has not played
        ("1-3 2-4 5", 5, 4),
        ("1-4 2-5 3 / 1-2 3-5 4", 5, 5),
    ],
)
def test_c046_3_4_who_has_the_bye(history, sides, bye):
    """The lowest score, then the most matches played, then the largest number, of those who had none."""
    assert drawn(after(history, sides, rounds=7)).tables[-1].entrants == (bye,)


def test_c2_who_won_by_forfeit_has_no_bye_and_the_draw_says_so():
    forfeit = Meeting(1, (2, 3), (0, 4), Kind.FORFEIT, absent=frozenset({2}))
    position = Position(tuple(Entrant(number) for number in (1, 2, 3)), (forfeit,), 2, 4)
    entrants = (Entrant(1, carried=8), Entrant(2, carried=8), Entrant(3))
    draw = drawn(replace(position, entrants=entrants))
    assert draw.tables[-1].entrants == (2,)
    assert Reason("bye_had_before", (3, 1)) in draw.tables[-1].reasons


def test_who_asked_for_a_bye_is_not_in_the_draw():
    entrants = (Entrant(1), Entrant(2, away=frozenset({1})), Entrant(3), Entrant(4, joined=2), Entrant(5, left=1))
    draw = drawn(Position(entrants, rounds=3))
    assert [table.entrants for table in draw.tables] in ([(1, 3)], [(3, 1)])


def test_nobody_and_one_alone():
    assert drawn(Position((), rounds=3)).tables == ()
    assert [table.kind for table in drawn(Position((Entrant(1),), rounds=3)).tables] == [Kind.BYE]


# First seats


def test_first_seats_fewer_first():
    """1 and 4 sat first in round 1: against 1, who did, 2 does now."""
    position = after("1-3 2-4", 4, rounds=3)
    draw = drawn(replace(position, meetings=(Meeting(1, (1, 3), (4, 0)), Meeting(1, (4, 2), (0, 4)))))
    assert draw.tables[0].entrants == (2, 1)
    assert reasons(draw, 1)["first_seat_fewer"] == (2, 0, 1)


def test_first_seats_alternate_where_they_are_equal():
    meetings = (
        *(Meeting(1, (1, 3), (4, 0)), Meeting(1, (4, 2), (0, 4))),
        *(Meeting(2, (4, 1), (0, 4)), Meeting(2, (2, 3), (4, 0))),
    )
    draw = drawn(Position(tuple(Entrant(number) for number in range(1, 5)), meetings, 3, 3))
    assert draw.tables[0].entrants == (1, 2)
    assert reasons(draw, 1)["first_seat_alternates"] == (1, 2)


@pytest.mark.parametrize("seed", [bytes([number]) * 32 for number in range(6)])
def test_first_seats_begin_by_one_lot_for_all(seed):
    draw = drawn(Position(tuple(Entrant(number) for number in range(1, 9)), rounds=3, lots=Lots(seed)))
    firsts = [table.entrants[0] for table in draw.tables]
    assert firsts in ([1, 6, 3, 8], [5, 2, 7, 4])
    assert reasons(draw, 1)["first_seat_lot"] == (firsts[0],)


def test_first_seats_of_the_better_one_where_they_are_not_balanced():
    draw = drawn(after("1-3 2-4", 4, rounds=3), first_seat=False)
    assert [table.entrants for table in draw.tables] == [(1, 2), (3, 4)]


def test_first_seats_are_balanced_over_an_event():
    """After nine rounds nobody has sat first three times more or less than second."""
    last = list(positions(Event(seed=4, sides=40, rounds=9)))[-1]
    for one in last.entrants:
        seats = [meeting.entrants.index(one.number) for meeting in last.meetings if one.number in meeting.entrants]
        assert abs(2 * sum(seats) - len(seats)) <= 2
