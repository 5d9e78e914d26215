"""A Swiss at tables of three and four: who sits with whom, who sits out, who sits where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.tables.bounds import least_repeated
from tests.tournaments.tables.playing import PLACE_POINTS, event, farthest_seats, plain_swaps
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, NoDraw, Position, Reason, Table
from tournaments.formats.tables_swiss import Settings, ShortTables, draw_next, rounds_of, why_not
from tournaments.formats.tables_swiss.chance import Chance
from tournaments.formats.tables_swiss.weights import FARTHEST, to_scale

ALLOW = Settings(short_tables=ShortTables.ALLOW)
LOTS = Lots(bytes(range(32)))


def field(size: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number) for number in range(1, size + 1))


def sat(round_number: int, *tables: str) -> list[Meeting]:
    """Tables that were played, `1 2 3 4` from first to last; one alone had a bye."""
    meetings = []
    for table in tables:
        numbers = tuple(map(int, table.split()))
        if len(numbers) == 1:
            meetings.append(Meeting(round_number, numbers, (12,), Kind.BYE))
        else:
            meetings.append(Meeting(round_number, numbers, PLACE_POINTS[len(numbers)]))
    return meetings


def drawn(entrants: Sequence[Entrant], *meetings: Meeting, options: Settings | None = None, seats: int = 4) -> Draw:
    number = max((one.round for one in meetings), default=0) + 1
    return draw_next(Position(tuple(entrants), meetings, number, 6, LOTS, seats), options or Settings())


def printed(draw: Draw) -> str:
    """Tables with their numbers ascending, in the order of the draw."""
    return " | ".join(" ".join(map(str, sorted(table.entrants))) for table in draw.tables)


def codes(table: Table) -> set[str]:
    return {reason.code for reason in table.reasons}


@pytest.mark.parametrize("size", [40, 41, 55, 121, 200])
def test_from_forty_on_nobody_meets_anybody_twice_in_six_rounds(size: int) -> None:
    played = event(size, seed=size)
    assert played.repeats == (0,) * 6
    assert farthest_seats(played.draws) <= 2


@pytest.mark.parametrize(("size", "seed"), [(16, 1), (20, 1), (27, 1), (34, 1)])
def test_small_fields_repeat_no_more_than_swaps_one_by_one(size: int, seed: int) -> None:
    """One event of each; `python -m tests.proof tables` plays several of every size."""
    played = event(size, seed)
    assert least_repeated(size, 6) <= played.repeated <= sum(plain_swaps(size, seed))
    assert farthest_seats(played.draws) <= 2


@pytest.mark.parametrize(("size", "repeated"), [(8, 44)])
def test_where_all_have_met_too_soon_no_draw_repeats_less(size: int, repeated: int) -> None:
    assert least_repeated(size, 6) == repeated == event(size, seed=3).repeated


@pytest.mark.parametrize(("size", "seed", "most"), [(16, 9, 24), (20, 1, 14), (27, 5, 1)])
def test_small_fields_stay_within_what_swaps_reached(size: int, seed: int, most: int) -> None:
    """Of ten events of each size the seed is one of the worst."""
    assert event(size, seed, settings=ALLOW).repeated <= most


def test_four_rounds_of_nine_at_tables_of_three_repeat_nothing() -> None:
    assert event(9, seed=1, rounds=4, seats=3).repeats == (0, 0, 0, 0)


def test_the_first_round_deals_the_numbers_out() -> None:
    assert printed(drawn(field(12))) == "1 4 7 10 | 2 5 8 11 | 3 6 9 12"
    assert printed(drawn(field(9), seats=3)) == "1 4 7 | 2 5 8 | 3 6 9"


def test_equal_scores_meet_and_the_best_sit_at_the_first_table() -> None:
    first = sat(1, *(" ".join(str(table + 16 * place) for place in range(4)) for table in range(1, 17)))
    draw = drawn(field(64), *first)
    assert [table.reasons for table in draw.tables] == [
        (Reason("score_group", (points,)),) for points in (12, 8, 4, 0) for _ in range(4)
    ]
    assert printed(draw).startswith("1 5 9 13 | 2 6 10 14 | 3 7 11 15")


def test_who_is_moved_so_that_nobody_meets_again_is_told() -> None:
    played = event(40, seed=5)
    moved = {
        one.values[0] for draw in played.draws for table in draw.tables for one in table.reasons if one.code == "moved"
    }
    assert moved
    assert moved <= set(range(1, 41))
    assert not any("met_before" in codes(table) for draw in played.draws for table in draw.tables)


def test_a_meeting_that_must_be_repeated_is_told() -> None:
    draw = drawn(field(4), *sat(1, "1 2 3 4"), *sat(2, "1 2 3 4"))
    reasons = draw.tables[0].reasons
    assert {one.values for one in reasons if one.code == "met_before"} == {
        (*pair, 2) for pair in combinations(range(1, 5), 2)
    }


@pytest.mark.parametrize(
    ("size", "seats", "options", "sizes"),
    [
        (4, 4, Settings(), [4]),
        (5, 4, Settings(), [4, 1]),
        (5, 4, ALLOW, [4, 1]),
        (6, 4, ALLOW, [3, 3]),
        (6, 4, Settings(), [4, 1, 1]),
        (7, 4, ALLOW, [4, 3]),
        (9, 4, ALLOW, [3, 3, 3]),
        (27, 4, ALLOW, [4, 4, 4, 4, 4, 4, 3]),
        (3, 4, ALLOW, [3]),
        (8, 3, Settings(), [3, 3, 1, 1]),
        (8, 3, ALLOW, [3, 3, 1, 1]),
    ],
)
def test_how_a_field_is_divided(size: int, seats: int, options: Settings, sizes: list[int]) -> None:
    draw = drawn(field(size), options=options, seats=seats)
    assert sorted((len(table.entrants) for table in draw.tables), reverse=True) == sizes
    assert draw.reasons[0] == Reason(
        "divided", (sizes.count(seats), sizes.count(seats - 1) if seats == 4 else 0, sizes.count(1))
    )


def test_who_sits_out_has_the_lowest_score_and_had_no_bye() -> None:
    first = sat(1, "1 2 3 4", "5 6 7 8", "9")
    draw = drawn(field(9), *first)
    (bye,) = (table for table in draw.tables if len(table.entrants) == 1)
    assert bye.kind is Kind.BYE
    assert bye.entrants[0] in {4, 8}
    assert bye.reasons == (Reason("sits_out", (0, 0)),)
    assert draw.departures == ()


def test_a_forfeit_won_counts_as_a_bye_had_and_nobody_met() -> None:
    won = Meeting(1, (1, 2, 3, 4), (12, 12, 12, 0), Kind.FORFEIT, absent=frozenset({4}))
    draw = drawn(field(5), won, *sat(1, "5"))
    (bye,) = (table for table in draw.tables if len(table.entrants) == 1)
    assert bye.entrants == (4,)
    assert not any("met_before" in codes(table) for table in draw.tables)


def test_a_second_bye_comes_only_when_all_had_one_and_is_told() -> None:
    had = [meeting for number in range(1, 6) for meeting in _all_but(number)]
    draw = drawn(field(5), *had)
    (bye,) = (table for table in draw.tables if len(table.entrants) == 1)
    assert draw.departures == (Reason("second_bye", (bye.entrants[0], 1)),)


def _all_but(number: int) -> list[Meeting]:
    return sat(number, " ".join(str(one) for one in range(1, 6) if one != number), str(number))


def test_leaders_do_not_sit_at_a_short_table_and_nobody_soon_again() -> None:
    played = event(27, seed=2, rounds=4, settings=Settings(rounds=4, short_tables=ShortTables.ALLOW))
    short = [
        one for draw in played.draws for table in draw.tables if "short_table" in codes(table) for one in table.entrants
    ]
    assert len(short) == len(set(short)) == 12
    first = sat(1, *(f"{one} {one + 3} {one + 6} {one + 9}" for one in range(1, 4)), "13 14 15")
    at_short = [table for table in drawn(field(15), *first, options=ALLOW).tables if len(table.entrants) == 3]
    assert [sorted(table.entrants) for table in at_short] == [[10, 11, 12]]


def test_who_is_not_there_is_not_seated() -> None:
    entrants = (*field(8), Entrant(9, joined=3), Entrant(10, left=2), Entrant(11, away=frozenset({2})), Entrant(12))
    draw = drawn(entrants, *sat(1, "1 2 3 4", "5 6 7 8"))
    assert sorted(one for table in draw.tables for one in table.entrants) == [1, 2, 3, 4, 5, 6, 7, 8, 12]


def test_owners_do_not_share_a_table_where_that_can_be_spared() -> None:
    owners = tuple(Entrant(number, shields=frozenset({f"owner {number % 10}"})) for number in range(1, 41))
    protected, open_ = event(40, 1, entrants=owners), event(40, 1, entrants=owners, settings=Settings(protect=False))
    assert not any("same_shield" in codes(table) for draw in protected.draws for table in draw.tables)
    assert protected.repeats == (0,) * 6
    together = [
        pair
        for draw in open_.draws
        for table in draw.tables
        for pair in combinations(table.entrants, 2)
        if pair[0] % 10 == pair[1] % 10
    ]
    assert together


def test_owners_who_must_share_a_table_are_told() -> None:
    shared = tuple(Entrant(number, shields=frozenset({"one"} if number < 4 else ())) for number in range(1, 9))
    reasons = [one for table in drawn(shared).tables for one in table.reasons if one.code == "same_shield"]
    assert len(reasons) == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 60), st.sampled_from([3, 4]), st.sampled_from(ShortTables), st.integers(0, 99), st.integers(1, 2))
def test_every_round_names_everybody_once_and_fills_its_tables(
    size: int, seats: int, short: ShortTables, seed: int, rounds: int
) -> None:
    options = Settings(rounds=rounds, short_tables=short)
    if why_not(size, options, seats) is not None:
        return
    for draw in event(size, seed, rounds, seats, options).draws:
        assert sorted(one for table in draw.tables for one in table.entrants) == list(range(1, size + 1))
        assert {len(table.entrants) for table in draw.tables} <= {1, seats, max(3, seats - 1)}
        assert all((len(table.entrants) == 1) == (table.kind is Kind.BYE) for table in draw.tables)


@pytest.mark.parametrize("size", [12, 33, 50])
def test_the_same_position_in_any_order_gives_the_same_draw(size: int) -> None:
    played = event(size, seed=1, rounds=2, settings=Settings(rounds=4))
    one = Position(field(size), played.meetings, 3, 4, LOTS, 4)
    other = Position(field(size)[::-1], played.meetings[::-1], 3, 4, LOTS, 4)
    assert draw_next(one, Settings(rounds=4)) == draw_next(other, Settings(rounds=4))


@pytest.mark.parametrize(
    ("size", "seats", "options", "told"),
    [
        (3, 4, Settings(), "no table of 4"),
        (2, 4, ALLOW, "no table of 4"),
        (2, 3, ALLOW, "no table of 3"),
        (8, 2, ALLOW, "seat 2"),
    ],
)
def test_what_cannot_be_seated_is_told_before_and_refused(size: int, seats: int, options: Settings, told: str) -> None:
    assert told in str(why_not(size, options, seats))
    with pytest.raises(NoDraw, match=told) as refusal:
        drawn(field(size), options=options, seats=seats)
    assert refusal.value.code == "too_few"


def test_as_many_rounds_as_were_set() -> None:
    assert rounds_of(20, Settings(rounds=7), 4) == 7


def test_scores_far_apart_keep_their_order_and_stay_below_what_is_repeated() -> None:
    assert to_scale((5, 0, 9)) == (5, 0, 9)
    scaled = to_scale((-(10**9), 0, 10**9, 10**9 - 10**8))
    assert list(scaled) == [0, FARTHEST // 2, FARTHEST, FARTHEST * 19 // 20]


def test_small_chances_are_even_and_always_the_same() -> None:
    chance = Chance(LOTS, "a purpose")
    counts = Counter(chance.below(6) for _ in range(6_000))
    assert sorted(counts) == list(range(6))
    assert all(900 < times < 1_100 for times in counts.values())
    assert Chance(LOTS, "a purpose").shuffled(range(30)) == Chance(LOTS, "a purpose").shuffled(range(30))
