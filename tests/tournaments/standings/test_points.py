from __future__ import annotations

import pytest

from tournaments.formats.meetings import Kind
from tournaments.standings.points import PLACE_POINTS, Count, Scheme, bye_points, place_points, points_of

FIDE = Scheme()
THREE_FOR_A_WIN = Scheme(win=12, draw=4)
TABLES = Scheme(sides=4)
SCORES = Scheme(Count.SCORE, win=648, draw=324)
PARTIES = Scheme(Count.PARTIES, win=12, draw=6)


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


@pytest.mark.parametrize(
    ("places", "quarters"),
    [
        ("1 2", "4 0"),
        ("1 1", "2 2"),
        ("1 2 3", "12 6 0"),
        ("1 1 3", "9 9 0"),
        ("1 2 2", "12 3 3"),
        ("1 1 1", "6 6 6"),
        ("1 2 3 4", "12 8 4 0"),
        ("1 1 3 4", "10 10 4 0"),
        ("1 2 2 4", "12 6 6 0"),
        ("1 2 3 3", "12 8 2 2"),
        ("1 1 3 3", "10 10 2 2"),
        ("1 1 1 4", "8 8 8 0"),
        ("1 2 2 2", "12 4 4 4"),
        ("1 1 1 1", "6 6 6 6"),
    ],
)
def test_equal_places_share_what_they_fill(places: str, quarters: str) -> None:
    """Every way in which two, three or four can tie."""
    found = numbers(places)
    assert place_points(found) == numbers(quarters)
    assert place_points(found[::-1]) == place_points(found)[::-1]
    assert sum(place_points(found)) == sum(PLACE_POINTS[len(found)])


@pytest.mark.parametrize(
    ("scheme", "places", "scores", "points"),
    [
        (FIDE, "1 2", "300 200", "4 0"),
        (FIDE, "1 1", "200 200", "2 2"),
        (THREE_FOR_A_WIN, "2 1", "1 2", "0 12"),
        (THREE_FOR_A_WIN, "1 1", "1 1", "4 4"),
        (TABLES, "2 1 3 4", "8 9 7 6", "8 12 4 0"),
        (SCORES, "1 2", "300 -20", "1200 -80"),
        (PARTIES, "1 2", "300 200", "12 4"),
    ],
)
def test_a_meeting_brings_what_the_scheme_counts(scheme: Scheme, places: str, scores: str, points: str) -> None:
    parties = (3, 1, 0, 0)[: len(numbers(places))]
    assert points_of(Kind.PLAYED, numbers(places), numbers(scores), parties, (), scheme) == numbers(points)


def test_partners_bring_home_the_same() -> None:
    brought = points_of(Kind.PLAYED, (2, 1, 2, 1), (80, 90, 80, 90), (), (), FIDE, (0, 1, 0, 1))
    assert brought == (0, 4, 0, 4)


@pytest.mark.parametrize(
    ("scheme", "places", "absent", "points"),
    [
        (FIDE, "1 2", (1,), "4 0"),
        (FIDE, "2 2", (0, 1), "0 0"),
        (Scheme(win=12, draw=8, loss=4), "2 1", (0,), "4 12"),
        (SCORES, "1 2", (1,), "648 0"),
        (TABLES, "1 1 1 4", (3,), "8 8 8 0"),
        (TABLES, "1 3 1 3", (1, 3), "10 0 10 0"),
        (TABLES, "1 2 2", (1, 2), "12 0 0"),
    ],
)
def test_in_a_forfeit_whoever_came_shares_what_the_absent_left(
    scheme: Scheme, places: str, absent: tuple[int, ...], points: str
) -> None:
    assert points_of(Kind.FORFEIT, numbers(places), (), (), absent, scheme) == numbers(points)


def test_whose_partner_did_not_come_has_what_a_draw_brings() -> None:
    assert points_of(Kind.FORFEIT, (2, 1, 2, 1), (), (), (2,), FIDE, (0, 1, 0, 1)) == (2, 4, 0, 4)
    assert points_of(Kind.FORFEIT, (2, 2, 2, 2), (), (), (0, 3), FIDE, (0, 1, 0, 1)) == (0, 2, 2, 0)


def test_who_stayed_away_from_a_table_that_was_played_is_last() -> None:
    assert points_of(Kind.PLAYED, (1, 3, 2, 4), (9, 7, 8, 0), (), (3,), TABLES) == (12, 4, 8, 0)
    assert points_of(Kind.PLAYED, (1, 3, 2, 3), (9, 0, 8, 0), (), (1, 3), TABLES) == (12, 0, 8, 0)
    assert points_of(Kind.PLAYED, (1, 2, 3), (9, 8, 0), (), (2,), Scheme(sides=3)) == (12, 6, 0)


@pytest.mark.parametrize(
    ("scheme", "points"),
    [(FIDE, "4 2 0"), (THREE_FOR_A_WIN, "12 4 0"), (TABLES, "12 6 0"), (SCORES, "648 324 0"), (PARTIES, "12 6 0")],
)
def test_byes_bring_what_a_win_a_draw_or_nothing_would(scheme: Scheme, points: str) -> None:
    kinds = (Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE)
    assert tuple(bye_points(kind, scheme) for kind in kinds) == numbers(points)
    assert points_of(Kind.BYE, (), (), (), (), scheme) == numbers(points)[:1]


def test_what_was_annulled_brings_nothing() -> None:
    assert points_of(Kind.ANNULLED, (1, 2), (300, 200), (2, 1), (), SCORES) == (0, 0)
