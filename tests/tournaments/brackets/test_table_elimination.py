"""Elimination at tables of three and four: sizes, who goes on, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, Position, Reason
from tournaments.formats.table_elimination import (
    Plan,
    Settings,
    ShortTables,
    draw_next,
    place_at,
    places_of,
    plan_of,
    plans_of,
    rounds_of,
    why_not,
)

ALLOW = ShortTables.ALLOW
POINTS = {3: (12, 6, 0), 4: (12, 8, 4, 0)}
Order = Callable[[tuple[int, ...]], list[int]]
"""From those at a table to the same, the winner first."""


def event(
    entrants: int, settings: Settings, seats: int, order: Order = sorted, left: dict[int, int] | None = None
) -> tuple[list[Draw], list[Meeting]]:
    """A whole event. `left`: by number the first round that somebody is no longer there for."""
    field = tuple(Entrant(number, left=(left or {}).get(number)) for number in range(1, entrants + 1))
    draws: list[Draw] = []
    meetings: list[Meeting] = []
    rounds = rounds_of(entrants, settings, seats)
    for number in range(1, rounds + 1):
        position = Position(field, tuple(meetings), number, rounds, Lots(b""), seats)
        draws.append(draw_next(position, settings))
        meetings += [played(number, table.entrants, table.kind, order) for table in draws[-1].tables]
    return draws, meetings


def played(number: int, entrants: tuple[int, ...], kind: Kind, order: Order) -> Meeting:
    if kind is Kind.BYE:
        return Meeting(number, entrants, (12,), Kind.BYE)
    ranked = order(entrants)
    places = tuple(ranked.index(one) + 1 for one in entrants)
    points = tuple(POINTS[len(entrants)][place - 1] for place in places)
    return Meeting(number, entrants, points, places=places, scores=tuple(-place for place in places))


def sizes(entrants: int, settings: Settings, seats: int = 4) -> list[tuple[tuple[int, ...], int, int]]:
    return [(plan.sizes, plan.advance, plan.sitting_out) for plan in plans_of(entrants, settings, seats)]


@pytest.mark.parametrize(
    ("entrants", "settings", "rounds"),
    [
        (16, Settings(2), [((4,) * 4, 2, 0), ((4, 4), 2, 0), ((4,), 1, 0)]),
        (16, Settings(1), [((4,) * 4, 1, 0), ((4,), 1, 0)]),
        (9, Settings(2), [((4, 4), 2, 1), ((4,), 3, 1), ((4,), 1, 0)]),
        (5, Settings(2), [((4,), 3, 1), ((4,), 1, 0)]),
        (8, Settings(1), [((4, 4), 2, 0), ((4,), 1, 0)]),
        (7, Settings(1, ALLOW), [((4, 3), 2, 0), ((4,), 1, 0)]),
        (11, Settings(1, ALLOW), [((4, 4, 3), 1, 0), ((3,), 1, 0)]),
        (5, Settings(2, ALLOW), [((4,), 2, 1), ((3,), 1, 0)]),
    ],
)
def test_tables_are_as_full_as_can_be(
    entrants: int, settings: Settings, rounds: list[tuple[tuple[int, ...], int, int]]
) -> None:
    assert sizes(entrants, settings) == rounds


def test_three_seats_have_three_at_every_table() -> None:
    assert sizes(10, Settings(1), 3) == [((3, 3, 3), 1, 1), ((3,), 2, 1), ((3,), 1, 0)]


@pytest.mark.parametrize(("seats", "short"), [(3, ShortTables.SIT_OUT), (4, ShortTables.SIT_OUT), (4, ALLOW)])
def test_every_size_comes_to_a_final_with_tables_of_a_legal_size(seats: int, short: ShortTables) -> None:
    for advance in range(1, seats):
        settings = Settings(advance, short)
        for entrants in range(3 if short is ALLOW else seats, 300):
            plans = list(plans_of(entrants, settings, seats))
            assert plans[-1].is_final
            for plan in plans:
                assert set(plan.sizes) <= ({3, 4} if short is ALLOW else {seats})
                assert short is not ALLOW or plan.sitting_out == (sum(plan.sizes) + plan.sitting_out == 5)
            assert all(before.left > after.left for before, after in pairwise(plans[:-1]))


@pytest.mark.parametrize("settings", [Settings(1), Settings(2), Settings(3), Settings(1, ALLOW), Settings(2, ALLOW)])
@pytest.mark.parametrize("entrants", [4, 5, 6, 7, 8, 9, 15, 16, 21, 64])
def test_the_best_are_first_if_the_better_seed_always_wins(entrants: int, settings: Settings) -> None:
    draws, meetings = event(entrants, settings, 4)
    places = places_of(range(1, entrants + 1), meetings)
    surely = len(draws[-1].tables[0].entrants) if settings.short_tables is ALLOW and entrants != 5 else 2
    assert draws[-1].reasons[0] == Reason("final")
    assert [places[number] for number in range(1, surely + 1)] == list(range(1, surely + 1))
    assert sorted(places) == list(range(1, entrants + 1))


def test_seeds_are_spread_like_a_snake_and_anew_after_each_round() -> None:
    draws, _ = event(16, Settings(2), 4, order=lambda numbers: sorted(numbers, reverse=True))
    assert [sorted(table.entrants) for table in draws[0].tables] == [
        [1, 8, 9, 16],
        [2, 7, 10, 15],
        [3, 6, 11, 14],
        [4, 5, 12, 13],
    ]
    assert [sorted(table.entrants) for table in draws[1].tables] == [[9, 12, 13, 16], [10, 11, 14, 15]]
    assert draws[1].tables[0].reasons[0] == Reason("seeded", (13, 1))


def test_of_equal_places_the_more_points_so_far_are_seeded_higher() -> None:
    field = tuple(Entrant(number) for number in range(1, 9))
    before = Meeting(1, (5, 6, 7, 8), (12, 8, 4, 0), places=(1, 2, 3, 4))
    last = [Meeting(2, table, (12, 8, 4, 0), places=(1, 2, 3, 4)) for table in ((1, 4, 3, 8), (5, 2, 6, 7))]
    draw = draw_next(Position(field, (before, *last), 3, 3, Lots(b""), 4), Settings(2))
    assert [reason.values for reason in draw.tables[0].reasons] == [(5, 1), (1, 2), (2, 3), (4, 4)]


def test_no_more_go_on_than_leave_somebody_behind() -> None:
    assert plan_of(9, Settings(3), 3) == Plan((3, 3, 3), 2)


def test_a_place_shared_at_the_cut_goes_to_the_better_seed_with_a_reason() -> None:
    field = tuple(Entrant(number) for number in range(1, 9))
    tied = Meeting(1, (1, 4, 5, 8), (12, 6, 6, 0), places=(1, 2, 2, 4))
    clear = Meeting(1, (2, 3, 6, 7), (12, 8, 4, 0), places=(1, 2, 3, 4))
    draw = draw_next(Position(field, (tied, clear), 2, 2, Lots(b""), 4), Settings(2))
    assert sorted(draw.tables[0].entrants) == [1, 2, 3, 4]
    assert Reason("cut_by_seed", (4, 5)) in draw.reasons


def test_the_best_of_those_cut_moves_up_for_who_left() -> None:
    draws, _ = event(8, Settings(2), 4, left={1: 2})
    assert sorted(draws[1].tables[0].entrants) == [2, 3, 4, 5]
    assert Reason("moved_up", (5,)) in draws[1].reasons


def test_who_did_not_come_does_not_go_on() -> None:
    field = tuple(Entrant(number) for number in range(1, 9))
    forfeited = Meeting(1, (1, 4, 5, 8), (0, 12, 12, 12), Kind.FORFEIT, absent=frozenset({1}))
    empty = Meeting(1, (2, 3, 6, 7), (0, 0, 0, 0), Kind.FORFEIT, absent=frozenset({2, 3, 6, 7}))
    draw = draw_next(Position(field, (forfeited, empty), 2, 2, Lots(b""), 4), Settings(2))
    assert draw == Draw((), (Reason("over"),))
    short = draw_next(Position(field, (forfeited, empty), 2, 2, Lots(b""), 4), Settings(2, ALLOW))
    assert sorted(short.tables[0].entrants) == [4, 5, 8]


def test_the_best_sits_out_but_not_twice_running() -> None:
    draws, _ = event(9, Settings(2), 4)
    assert [table.entrants for draw in draws for table in draw.tables if table.kind is Kind.BYE] == [(1,), (2,)]


def test_after_the_final_it_is_over() -> None:
    _, meetings = event(4, Settings(2), 4)
    field = tuple(Entrant(number) for number in range(1, 5))
    assert draw_next(Position(field, tuple(meetings), 2, 2, Lots(b""), 4), Settings(2)) == Draw((), (Reason("over"),))


def test_after_a_round_that_was_over_nobody_comes_back_in() -> None:
    """Five did not come: three are left, who fill no table, and the rounds that were announced stay empty."""
    field = tuple(Entrant(number) for number in range(1, 9))
    forfeited = Meeting(1, (1, 4, 5, 8), (0, 12, 12, 12), Kind.FORFEIT, absent=frozenset({1}))
    empty = Meeting(1, (2, 3, 6, 7), (0, 0, 0, 0), Kind.FORFEIT, absent=frozenset({2, 3, 6, 7}))
    for number in (2, 3, 4):
        draw = draw_next(Position(field, (forfeited, empty), number, 4, Lots(b""), 4), Settings(1))
        assert (draw, number) == (Draw((), (Reason("over"),)), number)


@pytest.mark.parametrize("settings", [Settings(1), Settings(2), Settings(3), Settings(1, ALLOW), Settings(2, ALLOW)])
def test_leavers_and_random_results_lock_nothing(settings: Settings) -> None:
    random = Random(7)
    for entrants in (5, 8, 13, 16, 30):
        for _ in range(10):
            left = {random.randint(1, entrants): random.randint(1, 3) for _ in range(random.randint(0, 5))}
            draws, meetings = event(entrants, settings, 4, lambda table: random.sample(table, len(table)), left)
            for number, draw in enumerate(draws, start=1):
                here = [one for table in draw.tables for one in table.entrants]
                assert len(here) == len(set(here))
                assert not any(left.get(one, number + 1) <= number for one in here)
            assert min(places_of(range(1, entrants + 1), meetings).values()) == 1


def test_with_no_round_left_the_best_sit_at_the_last_table() -> None:
    field = tuple(Entrant(number) for number in range(1, 9))
    both = [Meeting(1, table, (12, 8, 4, 0), places=(1, 2, 3, 4)) for table in ((1, 4, 5, 8), (2, 3, 6, 7))]
    draw = draw_next(Position(field, tuple(both), 2, 2, Lots(b""), 4), Settings(3))
    assert sorted(draw.tables[0].entrants) == [1, 2, 3, 4]
    assert draw.reasons[:3] == (Reason("final"), Reason("cut_to_fit", (5,)), Reason("cut_to_fit", (6,)))


def test_a_table_that_was_not_played_has_the_present_first_and_the_absent_last() -> None:
    meeting = Meeting(1, (3, 5, 7), (0, 0, 0), Kind.FORFEIT, absent=frozenset({5}))
    assert [place_at(meeting, seat) for seat in range(3)] == [1, 3, 1]


def test_what_cannot_be_played_is_refused_with_advice() -> None:
    assert why_not(3, Settings(), 4)
    assert why_not(8, Settings(), 2)
    assert why_not(9, Settings(3), 3)
    assert why_not(3, Settings(2, ALLOW), 4) is None
    assert why_not(16, Settings(), 4) is None
    assert plan_of(2, Settings(2, ALLOW), 4) is None
    assert plan_of(4, Settings(), 4) == Plan((4,), 1)
