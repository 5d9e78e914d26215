"""Groups: snake, sizes, a complete round robin in each, side by side."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tournaments.formats.groups import Settings, draw_all, members_of, sizes_of, why_not
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Kind, Reason

LOTS = Lots(b"nothing is drawn by chance")


def field(count: int) -> list[Entrant]:
    return [Entrant(number) for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("entrants", "settings", "sizes"),
    [
        (16, Settings(groups=4), (4, 4, 4, 4)),
        (18, Settings(groups=4), (5, 5, 4, 4)),
        (13, Settings(size=4), (4, 3, 3, 3)),
        (3, Settings(), (3,)),
        (9, Settings(size=9), (9,)),
    ],
)
def test_groups_differ_by_one_at_most(entrants: int, settings: Settings, sizes: tuple[int, ...]) -> None:
    assert sizes_of(entrants, settings) == sizes


def test_seeds_go_to_and_fro() -> None:
    groups, reasons = members_of(field(12), Settings(groups=3))
    assert groups == ((1, 6, 7, 12), (2, 5, 8, 11), (3, 4, 9, 10))
    assert reasons == []


def test_without_the_snake_neighbours_are_together() -> None:
    assert members_of(field(7), Settings(groups=3, snake=False))[0] == ((1, 2, 3), (4, 5), (6, 7))


def test_two_of_one_club_are_kept_apart() -> None:
    here = [Entrant(one.number, shields=frozenset({"oak"} if one.number in (1, 6) else ())) for one in field(9)]
    groups, reasons = members_of(here, Settings(groups=3))
    assert groups == ((1, 5, 7), (2, 6, 8), (3, 4, 9))
    assert reasons == [Reason("shields_apart", (6, 5))]


def test_what_cannot_be_kept_apart_is_said() -> None:
    here = [Entrant(one.number, shields=frozenset({"oak"})) for one in field(4)]
    reasons = members_of(here, Settings(groups=2))[1]
    assert reasons == [Reason("shields_together", ("oak", 1)), Reason("shields_together", ("oak", 2))]


@pytest.mark.parametrize("cycles", [1, 2])
@pytest.mark.parametrize(("entrants", "groups"), [(6, 2), (7, 2), (16, 4), (19, 4), (33, 8), (5, 1)])
def test_everybody_meets_all_of_his_group_and_nobody_else(entrants: int, groups: int, cycles: int) -> None:
    settings = Settings(groups=groups, cycles=cycles)
    draws = draw_all(field(entrants), settings, LOTS)
    members = members_of(field(entrants), settings)[0]
    met = Counter(frozenset(table.entrants) for draw in draws for table in draw.tables if table.kind is Kind.PLAYED)
    assert met == {frozenset(pair): cycles for group in members for pair in combinations(group, 2)}
    for draw in draws:
        assert sorted(one for table in draw.tables for one in table.entrants) == list(range(1, entrants + 1))
        assert all(set(table.entrants) <= set(members[(table.group or 0) - 1]) for table in draw.tables)


def test_a_small_group_waits_when_it_is_over() -> None:
    last = draw_all(field(7), Settings(groups=2), LOTS)[-1]
    over = [table.entrants for table in last.tables if table.reasons == (Reason("group_over"),)]
    assert len(draw_all(field(7), Settings(groups=2), LOTS)) == 3
    assert over == []
    longer = draw_all(field(9), Settings(groups=2), LOTS)
    assert [table.entrants for table in longer[-1].tables if Reason("group_over") in table.reasons] == [
        (2,),
        (3,),
        (6,),
        (7,),
    ]


def test_the_first_round_says_who_is_in_which_group() -> None:
    assert draw_all(field(4), Settings(groups=2), LOTS)[0].reasons == (
        Reason("group", (1, 1, 4)),
        Reason("group", (2, 2, 3)),
    )


@pytest.mark.parametrize(
    ("entrants", "settings", "seats"),
    [(1, Settings(), 2), (7, Settings(groups=4), 2), (8, Settings(), 4), (200, Settings(size=2), 2)],
)
def test_what_cannot_be_played_is_refused_with_advice(entrants: int, settings: Settings, seats: int) -> None:
    assert why_not(entrants, settings, seats)
    with pytest.raises(ValueError):
        draw_all(field(entrants), settings, LOTS, seats)


def test_what_can_be_played_is_not_refused() -> None:
    assert why_not(8, Settings(groups=4)) is None
