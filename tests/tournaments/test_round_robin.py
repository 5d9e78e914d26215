from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats.round_robin import Meeting, round_robin

# FIDE C.05 Annex 1: the tables as they are printed, for 3-4, 5-6 and 7-8 players.
BERGER = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | "
        "3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1"
    ),
}


def printed(rounds: tuple[tuple[Meeting, ...], ...]) -> str:
    return " | ".join(" ".join(f"{meeting.first}-{meeting.second}" for meeting in drawn) for drawn in rounds)


@pytest.mark.parametrize("entries", BERGER)
def test_the_rounds_are_those_of_the_berger_tables(entries: int) -> None:
    assert printed(round_robin(entries)) == BERGER[entries]


@given(st.integers(2, 60))
def test_everybody_meets_everybody_once_and_sits_once_a_round(entries: int) -> None:
    rounds = round_robin(entries)
    met = [
        frozenset((meeting.first, meeting.second))
        for drawn in rounds
        for meeting in drawn
        if meeting.second is not None
    ]
    assert sorted(map(sorted, met)) == [list(pair) for pair in combinations(range(1, entries + 1), 2)]
    for drawn in rounds:
        seated = [number for meeting in drawn for number in (meeting.first, meeting.second) if number is not None]
        assert sorted(seated) == list(range(1, entries + 1))


@given(st.integers(1, 20).map(lambda half: 2 * half + 1))
def test_an_odd_field_gives_each_one_bye(entries: int) -> None:
    byes = [meeting.first for drawn in round_robin(entries) for meeting in drawn if meeting.second is None]
    assert sorted(byes) == list(range(1, entries + 1))


@given(st.integers(2, 40))
def test_first_seats_are_shared_out_evenly(entries: int) -> None:
    firsts = [meeting.first for drawn in round_robin(entries) for meeting in drawn if meeting.second is not None]
    counts = [firsts.count(number) for number in range(1, entries + 1)]
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("entries", [0, 1])
def test_fewer_than_two_are_refused(entries: int) -> None:
    with pytest.raises(ValueError, match="at least 2"):
        round_robin(entries)
