"""What is drawn ahead: cycles of a round robin, movements of tables, whist designs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.tournaments.tables.complete import (
    LOTS,
    faults_of_movement,
    faults_of_round_robin,
    faults_of_rounds,
    faults_of_whist,
    field,
    partners,
    sat_out,
)
from tests.tournaments.tables.playing import farthest_seats
from tests.tournaments.tables.searching import perfect
from tests.tournaments.tables.searching import whist as searched_whist
from tournaments.formats import round_robin, tables, whist
from tournaments.formats.meetings import Draw, Entrant, Kind, Reason
from tournaments.formats.table_designs import STARTERS


def printed(draw: Draw) -> str:
    return " ".join("-".join(map(str, table.entrants)) for table in draw.tables)


@pytest.mark.parametrize("size", range(3, 41))
@pytest.mark.parametrize("cycles", [1, 2, 3])
def test_round_robins_are_complete_and_balanced(size: int, cycles: int) -> None:
    assert list(faults_of_round_robin(size, cycles)) == []


def test_c05_a_double_round_robin_swaps_the_last_rounds_of_its_first_cycle() -> None:
    draws = round_robin.draw_all(field(4), round_robin.Settings(cycles=2), LOTS)
    assert [printed(draw) for draw in draws] == ["1-4 2-3", "2-4 3-1", "4-3 1-2", "4-1 3-2", "3-4 2-1", "4-2 1-3"]
    assert draws[1].reasons == (Reason("swapped_with", (3,)),)
    assert draws[2].reasons == (Reason("swapped_with", (2,)),)
    assert draws[3].tables[0].reasons == (Reason("cycle", (2, 2)),)


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8, 11, 40])
@pytest.mark.parametrize("cycles", [2, 3, 8])
def test_nobody_has_one_seat_three_times_running(size: int, cycles: int) -> None:
    draws = round_robin.draw_all(field(size), round_robin.Settings(cycles=cycles), LOTS)
    seats = [{one: seat for table in draw.tables for seat, one in enumerate(table.entrants)} for draw in draws]
    free = [{table.entrants[0] for table in draw.tables if len(table.entrants) == 1} for draw in draws]
    for number in range(len(draws) - 2):
        for one in range(1, size + 1):
            three = range(number, number + 3)
            assert len({seats[of][one] for of in three}) == 2 or any(one in free[of] for of in three)


def test_without_reversing_every_cycle_is_the_same() -> None:
    draws = round_robin.draw_all(field(5), round_robin.Settings(cycles=2, reverse=False), LOTS)
    assert Counter(printed(draw) for draw in draws[:5]) == Counter(printed(draw) for draw in draws[5:])


@pytest.mark.parametrize("format", ["round_robin", "tables", "whist"])
def test_numbers_with_gaps_take_their_places_in_order(format: str) -> None:
    """Whatever the order that they come in."""
    gaps = [Entrant(number) for number in (90, 20, 50, 30, 71)]
    draws = drawn(format, gaps)
    names = dict(zip((20, 30, 50, 71, 90), range(1, 6), strict=True))
    named = [[tuple(names[one] for one in table.entrants) for table in draw.tables] for draw in draws]
    assert named == [[table.entrants for table in draw.tables] for draw in drawn(format, field(5))]


def drawn(format: str, entrants: Sequence[Entrant]) -> tuple[Draw, ...]:
    if format == "round_robin":
        return round_robin.draw_all(entrants, round_robin.Settings(), LOTS)
    if format == "tables":
        return tables.draw_all(entrants, tables.Settings(), LOTS, 4)
    return whist.draw_all(entrants, whist.Settings(), LOTS)


@pytest.mark.parametrize(("size", "seats"), sorted(STARTERS))
def test_perfect_movements_let_everybody_meet_once(size: int, seats: int) -> None:
    assert list(faults_of_movement(size, seats)) == []


@pytest.mark.parametrize(("size", "seats"), [(9, 3), (10, 3), (13, 4), (22, 4)])
def test_a_whole_movement_seats_everybody_equally_often(size: int, seats: int) -> None:
    draws = tables.draw_all(field(size), tables.Settings(), LOTS, seats)
    assert list(faults_of_rounds(draws, size)) == []
    out = sat_out(draws)
    assert len({out[one] for one in range(1, size + 1)}) == 1
    assert {table.kind for draw in draws for table in draw.tables} <= {Kind.PLAYED, Kind.ZERO_BYE}
    assert farthest_seats(draws) <= 2


def test_a_short_movement_gives_points_to_who_sits_out_and_keeps_owners_apart() -> None:
    owners = [Entrant(number, shields=frozenset({f"owner {number % 15}"})) for number in range(1, 31)]
    draws = tables.draw_all(owners, tables.Settings(rounds=3), LOTS, 4)
    assert [len([table for table in draw.tables if table.kind is Kind.BYE]) for draw in draws] == [2, 2, 2]
    assert draws[0].reasons == (Reason("movement", (30, 3)),)
    reasons = {reason.code for draw in draws for table in draw.tables for reason in table.reasons}
    assert "same_shield" not in reasons
    assert max(sat_out(draws).values()) == 1


def test_a_movement_tells_who_must_meet_again() -> None:
    draws = tables.draw_all(field(5), tables.Settings(), LOTS, 4)
    again = [
        reason for draw in draws for table in draw.tables for reason in table.reasons if reason.code == "met_before"
    ]
    assert len(again) == 5 * 6 - 10
    assert max(reason.values[2] for reason in again) == 2


@pytest.mark.parametrize("size", range(whist.LEAST, whist.MOST + 1))
def test_whist_designs_let_everybody_partner_each_once_and_oppose_each_twice(size: int) -> None:
    assert list(faults_of_whist(size)) == []


def test_there_is_a_design_for_every_size_that_can_have_one() -> None:
    assert set(range(4, 34)) == {size for size in range(4, 34) if whist.why_not(size, whist.Settings(), 4) is None}


@pytest.mark.parametrize(
    ("size", "kinds"),
    [(7, {Kind.BYE, Kind.HALF_BYE}), (10, {Kind.ZERO_BYE}), (13, {Kind.BYE}), (22, {Kind.BYE}), (32, set())],
)
def test_a_short_whist_event_has_no_partner_twice_and_sits_out_evenly(size: int, kinds: set[Kind]) -> None:
    draws = whist.draw_all(field(size), whist.Settings(rounds=5), LOTS)
    assert len(draws) == 5
    assert set(partners(draws).values()) == {1}
    out = sat_out(draws)
    assert max(out.values(), default=0) - min(out[one] for one in range(1, size + 1)) <= 2
    assert {table.kind for draw in draws for table in draw.tables if len(table.entrants) == 1} == kinds


@pytest.mark.parametrize(("size", "rounds", "apart"), [(10, 5, 0), (15, 9, 1), (18, 9, 0), (17, 8, 1), (7, 3, 2)])
def test_the_rounds_of_a_short_whist_event_are_chosen_so_that_sitting_out_is_even(
    size: int, rounds: int, apart: int
) -> None:
    """The least there is, by trying all choices of rounds."""
    out = sat_out(whist.draw_all(field(size), whist.Settings(rounds=rounds), LOTS))
    assert max(out.values()) - min(out[one] for one in range(1, size + 1)) == apart


@pytest.mark.parametrize(
    ("format", "size", "rounds", "seats"),
    [(tables, 5, 3, 3), (tables, 7, 6, 4), (tables, 11, 4, 4), (tables, 23, 8, 4), (whist, 7, 3, 4), (whist, 11, 4, 4)],
)
def test_of_the_free_rounds_of_an_uneven_event_the_first_has_full_points_and_others_half(
    format: Any, size: int, rounds: int, seats: int
) -> None:
    byes: dict[int, list[Reason]] = {number: [] for number in range(1, size + 1)}
    draws = format.draw_all(field(size), format.Settings(rounds=rounds), LOTS, seats)
    alone = [table for draw in draws for table in draw.tables if len(table.entrants) == 1]
    for table in alone:
        (reason,) = table.reasons
        byes[table.entrants[0]].append(reason)
        assert table.kind is (Kind.BYE if reason.code == "first_bye" else Kind.HALF_BYE)
    assert {table.kind for table in alone} == {Kind.BYE, Kind.HALF_BYE}
    for had in byes.values():
        many = len(had)
        assert had[:1] == [Reason("first_bye", (many,))][:many]
        assert had[1:] == [Reason("later_bye", (which, many)) for which in range(2, many + 1)]


def test_a_short_whist_event_prefers_rounds_in_which_owners_are_apart() -> None:
    owners = [Entrant(number, shields=frozenset({f"owner {number % 8}"})) for number in range(1, 17)]
    short, whole = (whist.draw_all(owners, whist.Settings(rounds=rounds), LOTS) for rounds in (5, 0))
    assert shared(short) < shared(whole) * 5 // len(whole)


def shared(draws: Sequence[Draw]) -> int:
    return sum(reason.code == "same_shield" for draw in draws for table in draw.tables for reason in table.reasons)


@pytest.mark.parametrize("size", [4, 5, 6, 8, 10, 12, 13])
def test_starters_are_found_again(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(whist.STARTERS, size, searched_whist(size))
    assert list(faults_of_whist(size)) == []


@pytest.mark.parametrize(("size", "seats"), [(15, 3), (16, 4), (28, 4)])
def test_perfect_movements_are_found_again(size: int, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STARTERS, (size, seats), perfect(size, seats, seed=2))
    assert list(faults_of_movement(size, seats)) == []


@pytest.mark.parametrize(
    ("format", "size", "options", "seats", "told"),
    [
        (round_robin, 1, round_robin.Settings(), 2, "at least 2"),
        (round_robin, 8, round_robin.Settings(), 4, "4 seats"),
        (tables, 3, tables.Settings(), 4, "needs 4 entries"),
        (tables, 8, tables.Settings(), 2, "not 2"),
        (tables, 16, tables.Settings(rounds=6), 4, "has 5 rounds"),
        (whist, 3, whist.Settings(), 4, "at least 4"),
        (whist, 34, whist.Settings(), 4, "up to 33"),
        (whist, 8, whist.Settings(), 2, "tables of four"),
        (whist, 8, whist.Settings(rounds=8), 4, "after 7 rounds"),
    ],
)
def test_what_cannot_be_drawn_is_told_before_and_refused(
    format: Any, size: int, options: Any, seats: int, told: str
) -> None:
    assert told in format.why_not(size, options, seats)
    if format is not round_robin:
        with pytest.raises(ValueError, match=told):
            format.draw_all(field(size), options, LOTS, seats)


@pytest.mark.parametrize(("format", "size", "seats"), [(round_robin, 2, 2), (tables, 3, 3), (whist, 4, 4)])
def test_what_can_be_drawn_has_nothing_against_it(format: Any, size: int, seats: int) -> None:
    assert format.why_not(size, format.Settings(), seats) is None
