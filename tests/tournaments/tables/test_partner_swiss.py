"""Individual pairs as a Swiss: who is whose partner."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, NoDraw, Position, Reason
from tournaments.formats.partner_swiss import Settings, best_split, draw_next, partnerships, rounds_of, why_not

LOTS = Lots(bytes(32))
SIDES = (0, 1, 0, 1)


def table(round_number: int, seated: str, points: tuple[int, ...] = (4, 0, 4, 0)) -> Meeting:
    """`N E S W`, of whom N and S are partners, and have won unless it is said otherwise."""
    return Meeting(round_number, tuple(map(int, seated.split())), points, sides=SIDES)


def event(size: int, rounds: int, seed: int = 1) -> list[Draw]:
    chance, meetings, draws = random.Random(seed), [], []
    for number in range(1, rounds + 1):
        entrants = tuple(Entrant(one) for one in range(1, size + 1))
        draws.append(draw_next(Position(entrants, tuple(meetings), number, rounds, LOTS, 4), Settings(rounds=rounds)))
        for one in draws[-1].tables:
            won = chance.choice(((4, 0, 4, 0), (0, 4, 0, 4), (2, 2, 2, 2)))
            points = won if one.kind is Kind.PLAYED else (4,)
            meetings.append(Meeting(number, one.entrants, points, one.kind, sides=one.sides))
    return draws


def partners_of(draws: Sequence[Draw]) -> Counter[frozenset[int]]:
    pairs = [pair for draw in draws for one in draw.tables for pair in (one.entrants[::2], one.entrants[1::2])]
    return Counter(frozenset(pair) for pair in pairs if len(pair) == 2)


@pytest.mark.parametrize(
    ("scores", "before", "pairs"),
    [
        ((8, 4, 4, 0), [], "1+4 2+3"),
        ((8, 8, 0, 0), [], "1+4 2+3"),
        ((8, 8, 8, 0), [(1, 4)], "1+3 2+4"),
        ((8, 4, 4, 0), [(1, 4), (1, 3)], "1+2 3+4"),
        ((8, 4, 4, 0), [(1, 4), (1, 4), (1, 3), (1, 2), (3, 4)], "1+3 2+4"),
        ((8, 4, 4, 0), [(1, 4), (2, 3), (1, 3), (1, 2), (3, 4)], "1+3 2+4"),
    ],
)
def test_of_three_splits_the_one_with_fewest_partnerships_repeated_then_the_most_even(
    scores: tuple[int, ...], before: list[tuple[int, int]], pairs: str
) -> None:
    points = dict(enumerate(scores, start=1))
    first, second, third, fourth = best_split((1, 2, 3, 4), points, Counter(map(frozenset, before)))
    assert f"{first}+{second} {third}+{fourth}" == pairs


def test_partners_are_those_of_one_side_at_a_table_that_was_played() -> None:
    forfeited = Meeting(2, (1, 2, 3, 4), (4, 0, 4, 0), Kind.FORFEIT, sides=SIDES, absent=frozenset({2, 4}))
    assert partnerships([table(1, "1 2 3 4"), forfeited]) == {frozenset({1, 3}): 1, frozenset({2, 4}): 1}


def test_partners_sit_opposite_and_the_reason_names_them() -> None:
    (four,) = draw_next(
        Position((*map(Entrant, (1, 2, 3, 4)),), (table(1, "1 2 4 3"),), 2, 6, LOTS, 4), Settings()
    ).tables
    assert four.sides == SIDES
    assert {frozenset(four.entrants[::2]), frozenset(four.entrants[1::2])} == {frozenset({1, 3}), frozenset({2, 4})}
    assert Reason("partners", (1, 3, 4, 2)) in four.reasons or Reason("partners", (1, 2, 4, 3)) in four.reasons


@pytest.mark.parametrize("size", [16, 40, 63])
def test_nobody_has_a_partner_twice_in_five_rounds(size: int) -> None:
    assert set(partners_of(event(size, 5)).values()) == {1}


def test_four_have_each_partner_once_before_one_comes_again() -> None:
    draws = event(4, 4)
    assert sorted(partners_of(draws[:3]).values()) == [1] * 6
    told = [reason for reason in draws[3].tables[0].reasons if reason.code == "partners_before"]
    assert [reason.values[2] for reason in told] == [1, 1]


def test_everybody_is_named_once_a_round_and_who_sits_out_had_no_bye() -> None:
    draws = event(30, 4)
    for draw in draws:
        assert sorted(one for seated in draw.tables for one in seated.entrants) == list(range(1, 31))
    byes = Counter(seated.entrants[0] for draw in draws for seated in draw.tables if seated.kind is Kind.BYE)
    assert sorted(byes.values()) == [1] * 8


def test_seats_are_had_about_equally_often() -> None:
    times = Counter(
        (one, seat) for draw in event(20, 6) for four in draw.tables for seat, one in enumerate(four.entrants)
    )
    rows = [[times[one, seat] for seat in range(4)] for one in range(1, 21)]
    assert max(max(row) - min(row) for row in rows) <= 3


def test_owners_do_not_share_a_table() -> None:
    owners = tuple(Entrant(number, shields=frozenset({f"owner {number % 8}"})) for number in range(1, 17))
    draw = draw_next(Position(owners, (), 1, 3, LOTS, 4), Settings(rounds=3))
    assert not any(one % 8 == other % 8 for four in draw.tables for one, other in combinations(four.entrants, 2))


@pytest.mark.parametrize(("size", "seats", "told"), [(3, 4, "no table of 4"), (8, 2, "tables of four")])
def test_what_cannot_be_seated_is_told(size: int, seats: int, told: str) -> None:
    assert told in str(why_not(size, Settings(), seats))


def test_too_few_have_no_draw() -> None:
    with pytest.raises(NoDraw, match="no table of 4"):
        draw_next(Position((Entrant(1), Entrant(2)), seats=4), Settings())
    assert rounds_of(8, Settings(rounds=5), 4) == 5
