"""What is given up where not everything can be kept, and no more than that."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from itertools import combinations

import pytest

from tests.tournaments.swiss.criteria import Judge
from tests.tournaments.swiss.events import late_position
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Kind, Meeting, NoDraw, Position, Reason
from tournaments.formats.swiss import Infeasible, Settings, draw_next, feasible, matching
from tournaments.formats.swiss.bye import bye_of, bye_order
from tournaments.formats.swiss.field import field_of
from tournaments.formats.swiss.matching import can_all_meet

AGAIN = Settings(infeasible=Infeasible.REMATCH)


def after(text: str, sides: int, **more: object) -> Position:
    """The position after rounds written as `1-4 2-5 3-6 / 1-5 …`, the first of each having won; `1` alone has a bye."""
    meetings = []
    rounds = text.split("/")
    for played, tables in enumerate(rounds, start=1):
        for table in tables.split():
            numbers = tuple(int(number) for number in table.split("-"))
            kind = Kind.BYE if len(numbers) == 1 else Kind.PLAYED
            meetings.append(Meeting(played, numbers, (4, 0)[: len(numbers)], kind))
    entrants = tuple(Entrant(number) for number in range(1, sides + 1))
    position = Position(entrants, tuple(meetings), len(rounds) + 1, len(rounds) + 1, Lots(bytes(32)))
    return replace(position, **more)


TWO_TRIANGLES = "1-4 2-5 3-6 / 1-5 2-6 3-4 / 1-6 2-4 3-5"
"""Odd numbers of sides are left who have not met: 1 2 3 and 4 5 6."""


def test_c046_3_3_3_a_round_that_cannot_be_paired_stops():
    with pytest.raises(NoDraw, match="cannot be paired") as refused:
        draw_next(after(TWO_TRIANGLES, 6), Settings())
    assert refused.value.code == "no_pairing"
    assert feasible(after(TWO_TRIANGLES, 6)) is False


def test_one_pair_meets_again_and_it_is_one_of_the_oldest():
    drawn = draw_next(after(TWO_TRIANGLES, 6), AGAIN)
    assert [reason.code for reason in drawn.departures] == ["rematch"]
    one, other, played = drawn.departures[0].values
    assert (played, abs(one - other)) == (1, 3)


def test_a_second_bye_rather_than_more_meetings_again():
    """All three have met all and had the bye: one pair meets again, and the third has the bye again."""
    drawn = draw_next(after("1-2 3 / 3-1 2 / 2-3 1", 3), AGAIN)
    assert sorted(reason.code for reason in drawn.departures) == ["rematch", "second_bye"]
    assert Reason("rematch", (1, 2, 1)) in drawn.departures or Reason("rematch", (2, 1, 1)) in drawn.departures
    assert drawn.tables[-1].entrants == (3,)


def test_no_fewer_could_meet_again():
    """Beside all pairings of every late position that cannot be paired: the fewest again, of these the oldest."""
    tried = 0
    for seed in range(90):
        position = late_position(seed, sides=(4, 9), drawn=(5, 8))
        if Judge(position).can_be_paired():
            continue
        tried += 1
        drawn = draw_next(position, AGAIN)
        cost = _cost(position, [table.entrants for table in drawn.tables])
        assert cost == min(_cost(position, pairing) for pairing in _pairings(position)), f"seed {seed}"
        assert len(drawn.departures) == cost[0] + cost[-1]
    assert tried > 20


def _pairings(position: Position) -> list[list[tuple[int, ...]]]:
    numbers = [one.number for one in position.entrants]

    def ways(left: list[int]) -> list[list[tuple[int, ...]]]:
        if not left:
            return [[]]
        first, *others = left
        met = [[(first, other), *rest] for other in others for rest in ways([one for one in others if one != other])]
        return met + ([[(first,), *rest] for rest in ways(others)] if len(left) % 2 else [])

    return ways(numbers)


def _cost(position: Position, pairing: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Meetings again; of them those of each round, the newest first; second byes."""
    last = {
        frozenset(pair): meeting.round
        for meeting in position.meetings
        for pair in combinations(meeting.entrants, 2)
        if meeting.kind is Kind.PLAYED
    }
    again = [last[frozenset(table)] for table in pairing if frozenset(table) in last]
    judge = Judge(position)
    second = sum(len(table) == 1 and judge.had_bye(table[0]) for table in pairing)
    return (len(again), *(again.count(played) for played in range(position.round - 1, 0, -1)), second)


def test_the_library_for_want_of_the_fast_one_lets_the_same_meet_again(monkeypatch):
    fast = draw_next(after(TWO_TRIANGLES, 6), AGAIN)
    monkeypatch.setattr(matching, "rustworkx", None)
    assert draw_next(after(TWO_TRIANGLES, 6), AGAIN) == fast


@pytest.mark.parametrize(
    ("kind", "places", "meets"),
    [
        (Kind.PLAYED, (1, 2), False),
        (Kind.FORFEIT, (), True),
        (Kind.ANNULLED, (), True),
        (Kind.ANNULLED, (1, 2), False),
    ],
)
def test_c042_3_5_only_what_was_played_is_not_played_again(kind, places, meets):
    absent = frozenset({2}) if kind is Kind.FORFEIT else frozenset()
    before = Meeting(1, (1, 2), (4, 0), kind, places=places, absent=absent)
    position = Position((Entrant(1), Entrant(2)), (before,), 2, 2)
    if meets:
        assert len(draw_next(position, Settings()).tables) == 1
    else:
        with pytest.raises(NoDraw):
            draw_next(position, Settings())


# Shields


def owned(text: str, protect: int, played: int = 1) -> tuple[Position, Settings]:
    """Sides by their owners' letters; `.` has none."""
    entrants = tuple(
        Entrant(number, shields=frozenset() if owner == "." else frozenset({owner}))
        for number, owner in enumerate(text, start=1)
    )
    return Position(entrants, (), played, 5, Lots(bytes(32))), Settings(protect=protect)


def shared(text: str, protect: int, played: int = 1) -> int:
    position, settings = owned(text, protect, played)
    drawn = draw_next(position, settings)
    given_up = sum(reason.code == "protection_given_up" for table in drawn.tables for reason in table.reasons)
    same = [
        table
        for table in drawn.tables
        if len({text[number - 1] for number in table.entrants} | {"."}) == 2
        and len(table.entrants) == 2
        and "." not in {text[number - 1] for number in table.entrants}
    ]
    assert given_up == (len(same) if played <= protect else 0)
    return len(same)


@pytest.mark.parametrize(
    ("owners", "meet"),
    [
        ("A.B.A.B.", 0),  # 1 v 5 and 3 v 7 by the rules
        ("AAAABBBB", 0),
        ("AAAABBCC", 0),
        ("AAAAAA..", 2),  # two of the six meet others, four one another
        ("AAAAA", 2),
        ("AAAAA..", 1),
        ("AAA.", 1),
    ],
)
def test_an_owners_sides_meet_only_where_they_must(owners, meet):
    assert shared(owners, protect=1) == meet


def test_protection_ends_after_its_rounds():
    assert shared("A.B.A.B.", protect=0) == 2
    assert shared("A.B.A.B.", protect=1, played=2) == 2


def test_why_somebody_is_kept_from_the_one_whom_he_would_have_met():
    position, settings = owned("A.B.A.B.", protect=1)
    reasons = [reason for table in draw_next(position, settings).tables for reason in table.reasons]
    assert Reason("protected", (1, 5)) in reasons


def test_in_a_large_field_the_largest_shield_is_given_up_and_the_others_are_kept():
    """Who has more than half of the field meets himself; the clubs of three still do not."""
    owners = ["O" if number % 3 else f"club {number // 3 % 60}" for number in range(500)]
    entrants = tuple(Entrant(number, shields=frozenset({owner})) for number, owner in enumerate(owners, start=1))
    drawn = draw_next(Position(entrants, (), 1, 5, Lots(bytes(32))), Settings(protect=1))
    same = [{owners[number - 1] for number in table.entrants} for table in drawn.tables]
    assert [one for one in same if len(one) == 1 and one != {"O"}] == []
    assert {"O"} in same


def test_the_largest_owner_of_an_odd_field_costs_no_matching_for_each_who_might_have_the_bye():
    """More than half are of one owner: nobody's bye would keep them apart, and that is known at once."""
    position, settings = owned("A" * 121 + "." * 80, protect=1)
    began = time.process_time()
    drawn = draw_next(position, settings)
    assert time.process_time() - began < 2.5  # a fifth of it on a machine of its own; twice as long one by one
    assert len(drawn.tables[-1].entrants) == 1


@pytest.mark.parametrize("seed", range(40))
def test_c046_3_4_the_bye_goes_to_the_first_in_order_who_leaves_the_others_their_meetings(seed):
    """As if one after another were tried, in fields so torn apart that the first often may not have it."""
    chance = random.Random(seed)
    sides = field_of(late_position(seed, sides=(7, 15), drawn=(3, 5)), Settings())
    numbers = sides.numbers if len(sides.numbers) % 2 else sides.numbers[1:]
    sides = replace(sides, sides=tuple(sides.by_number[number] for number in numbers))
    apart = {number: {*sides.by_number[number].met} for number in numbers}
    for one, other in combinations(numbers, 2):
        if chance.random() < 0.7:
            apart[one].add(other)
            apart[other].add(one)
    tried = (
        side
        for side in bye_order(sides)
        if not side.had_bye and can_all_meet([one for one in numbers if one != side.number], apart)
    )
    assert bye_of(sides, apart) == next(tried, None)
