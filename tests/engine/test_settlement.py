"""Points into stakes (R60-R62)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.settlement import multiplier, per_party, per_point, short_match


@pytest.mark.parametrize(
    ("target", "totals", "won"),
    [
        (301, (310, 210), (90, -90)),  # E21: one a point
        (301, (310, 95), (410, -410)),  # E21: (300 - 95) x 2
        (501, (210, 520), (-290, 290)),
        (1001, (1001, 100), (900, -900)),  # strictly under 100: this is not
        (1001, (1001, 99), (1802, -1802)),
        (301, (305, -20), (640, -640)),  # fines count
        (301, (310, 300), (0, 0)),
        (501, (520, 510), (0, 0)),  # both reached it: never below 0
        (150, (150, 120), (0, 0)),
        (501, (505, 99, 300), (1403, -1203, -200)),  # three: each on its own, 401 x 3 and 200
        (501, (249, 505, 250), (-502, 752, -250)),  # three: under 250 x 2, 250 is not
        (501, (505, 0, 100, 249), (1500 + 800 + 502, -1500, -800, -502)),
    ],
)
def test_r61_per_point(target: int, totals: tuple[int, ...], won: tuple[int, ...]) -> None:
    assert per_point(target, totals, totals.index(max(totals))) == won


@pytest.mark.parametrize(
    ("totals", "half_target", "won"),
    [
        ((510, 400), False, (5, -5)),
        ((510, 99), False, (10, -10)),
        ((510, 100), False, (5, -5)),
        ((510, 259), True, (10, -10)),  # 251 ahead, half of 501 is 250.5
        ((510, 260), True, (5, -5)),
        ((510, 50), True, (10, -10)),  # two reasons: only the largest
        ((510, 99, 249), False, (25, -15, -10)),
        ((510, 99, 249), True, (25, -15, -10)),
        ((510, 255, 260), True, (15, -10, -5)),
        ((510, 99, 249, 250), False, (30, -15, -10, -5)),
    ],
)
def test_r61_r62_per_party(totals: tuple[int, ...], half_target: bool, won: tuple[int, ...]) -> None:
    assert per_party(501, totals, 0, 5, half_target) == won


def test_r61_the_rate_is_what_a_point_is_worth() -> None:
    assert per_point(301, (310, 95), 0, rate=3) == (1230, -1230)


def test_nobody_pays_where_nobody_won() -> None:
    assert per_party(501, (510, 510), None, 5) == (0, 0)
    assert per_point(501, (510, 510, 0), None) == (0, 0, 0)


def test_a_party_may_be_won_by_fewer_points() -> None:
    """Closed early, or by a jackpot: the winner is who won, not who has most (R25, R55)."""
    assert per_party(501, (300, 450), 0, 5) == (5, -5)
    assert per_point(501, (300, 450), 0) == (50, -50)


@given(
    st.integers(1, 2000), st.lists(st.integers(-500, 1500), min_size=2, max_size=4), st.integers(0, 50), st.booleans()
)
def test_what_is_won_is_paid(target: int, totals: list[int], stake: int, half_target: bool) -> None:
    winner = totals.index(max(totals))
    for won in (
        per_party(target, totals, winner, stake, half_target),
        per_point(target, totals, winner, stake, half_target),
    ):
        assert sum(won) == 0
        assert won[winner] >= 0
        assert all(share <= 0 for side, share in enumerate(won) if side != winner)
    assert all(multiplier(target, totals, winner, side, half_target) in (1, 2, 3) for side in range(len(totals)))


@pytest.mark.parametrize(
    ("parties", "length", "stakes", "played", "winner"),
    [
        ([(1, -1)] * 9, 9, (9, -9), 9, 0),
        ([(1, -1)] * 8, 9, (8, -8), 8, None),
        ([(-2, 2)] * 6, 9, (-10, 10), 5, 1),  # the sixth is not played
        ([(3, -3), (-1, 1), (0, 0), (4, -4)], 5, (6, -6), 4, 0),
        ([(2, 2, -4), (1, 0, -1)], 2, (3, 2, -5), 2, 0),  # two have enough: not before one is ahead
        ([], 9, (0, 0), 0, None),
    ],
)
def test_r60_a_match_in_short(
    parties: list[tuple[int, ...]], length: int, stakes: tuple[int, ...], played: int, winner: int | None
) -> None:
    match = short_match(parties, len(stakes), length)
    assert (match.stakes, match.parties, match.winner) == (stakes, played, winner)
