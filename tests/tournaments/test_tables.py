"""The draw of tables of three and four, each for himself."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant
from tournaments.formats.tables import Seating, Settings, draw, draw_all, games_each, table_count

LARGEST = 244
"""About as many as may be at tables of four: 4941 pairings of one board are 19 764 parties."""
fields = st.tuples(st.integers(3, 40), st.sampled_from([3, 4])).filter(lambda field: field[0] >= field[1])


def met(rounds: tuple[Seating, ...]) -> Counter[tuple[int, int]]:
    return Counter(pair for drawn in rounds for table in drawn for pair in combinations(table, 2))


def sat_out(rounds: tuple[Seating, ...], entries: int) -> list[list[int]]:
    """The rounds that each entry sits out."""
    playing = [{entry for table in drawn for entry in table} for drawn in rounds]
    return [[number for number, seated in enumerate(playing) if entry not in seated] for entry in range(1, entries + 1)]


@settings(deadline=None)  # a large field takes its time on a busy machine
@given(fields)
def test_everybody_plays_equally_often_and_once_a_round(field: tuple[int, int]) -> None:
    entries, seats = field
    rounds = draw(entries, seats)
    for drawn in rounds:
        seated = [entry for table in drawn for entry in table]
        assert len(seated) == len(set(seated))
        assert {len(table) for table in drawn} == {seats}
        assert set(seated) <= set(range(1, entries + 1))
    games = Counter(entry for drawn in rounds for table in drawn for entry in table)
    assert games == dict.fromkeys(range(1, entries + 1), games_each(entries, seats))


@settings(deadline=None)
@given(fields)
def test_what_is_drawn_is_what_was_reckoned(field: tuple[int, int]) -> None:
    entries, seats = field
    rounds = draw(entries, seats)
    assert sum(map(len, rounds)) == table_count(entries, seats)
    sizes = [len(drawn) for drawn in rounds]
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= entries // seats


@settings(deadline=None)
@given(fields)
def test_nobody_meets_anybody_much_more_often_than_the_mean(field: tuple[int, int]) -> None:
    entries, seats = field
    meetings = met(draw(entries, seats))
    mean = games_each(entries, seats) * (seats - 1) / (entries - 1)
    assert max(meetings.values()) <= mean + 2
    assert sum(times > mean + 1 for times in meetings.values()) <= entries // 4 + 2


@settings(deadline=None)
@given(fields)
def test_rounds_that_are_sat_out_are_spread(field: tuple[int, int]) -> None:
    entries, seats = field
    rounds = draw(entries, seats)
    sitting = sat_out(rounds, entries)
    for upto in range(len(rounds) + 1):
        so_far = [sum(number < upto for number in own) for own in sitting]
        assert max(so_far) - min(so_far) <= 1


@settings(deadline=None)
@given(fields)
def test_the_same_numbers_give_the_same_tables(field: tuple[int, int]) -> None:
    assert draw(*field) == draw(*field)


def test_the_largest_field_is_drawn_while_an_organiser_waits() -> None:
    began = time.process_time()
    meetings = met(draw(LARGEST, 4))
    assert time.process_time() - began < 5  # about one on a machine of its own
    assert set(meetings.values()) == {1, 2}
    assert sum(times > 1 for times in meetings.values()) < LARGEST * 9


@pytest.mark.parametrize(("entries", "seats", "rounds"), [(3, 3, 1), (4, 4, 1), (9, 3, 4), (16, 4, 5)])
def test_where_all_can_meet_exactly_once_they_do(entries: int, seats: int, rounds: int) -> None:
    drawn = draw(entries, seats)
    assert len(drawn) == rounds
    assert met(drawn) == dict.fromkeys(combinations(range(1, entries + 1), 2), 1)


@pytest.mark.parametrize(
    ("entries", "seats", "rounds", "games"),
    [(4, 3, 4, 3), (5, 3, 5, 3), (5, 4, 5, 4), (7, 4, 7, 4), (12, 3, 6, 6), (13, 4, 5, 4)],
)
def test_how_long_a_draw_is(entries: int, seats: int, rounds: int, games: int) -> None:
    assert len(draw(entries, seats)) == rounds
    assert games_each(entries, seats) == games


@pytest.mark.parametrize(
    ("entries", "seats", "told"), [(2, 3, "needs 3 entries"), (3, 4, "needs 4 entries"), (8, 2, "3 or 4 seats")]
)
def test_what_fills_no_table_is_refused(entries: int, seats: int, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        draw(entries, seats)


@settings(deadline=None)
@given(fields)
def test_each_round_names_everybody_once(field: tuple[int, int]) -> None:
    """Whoever sits out among them."""
    entries, seats = field
    draws = draw_all([Entrant(number) for number in range(1, entries + 1)], Settings(), Lots(b""), seats)
    for drawn in draws:
        assert sorted(one for table in drawn.tables for one in table.entrants) == list(range(1, entries + 1))
    assert sum(len(table.entrants) > 1 for drawn in draws for table in drawn.tables) == table_count(entries, seats)
