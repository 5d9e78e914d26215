"""Baku acceleration, FIDE C.04.7 art. 1."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.swiss.events import Event, positions
from tests.tournaments.swiss.oracle import drawn_by_gacrux
from tournaments.formats.meetings import Entrant, NoDraw, Position, Reason
from tournaments.formats.swiss import Acceleration, Settings, draw_next
from tournaments.formats.swiss.acceleration import last_accelerated, virtual_in

BAKU = Settings(acceleration=Acceleration.BAKU)


@pytest.mark.parametrize(
    ("rounds", "virtual"),
    [
        (9, "444220000"),  # the regulation's own example: +1 in rounds 1 to 3, +½ in 4 and 5
        (11, "44422200000"),  # and its second: three rounds each
        (7, "4422000"),
        (5, "44200"),
        (1, "4"),
    ],
)
def test_c047_1_4_virtual_points(rounds, virtual):
    assert "".join(str(virtual_in(rounds, played)) for played in range(1, rounds + 1)) == virtual


@pytest.mark.parametrize(("entrants", "half"), [(161, 82), (160, 80), (8, 4), (6, 4), (5, 4), (4, 2), (2, 2), (1, 1)])
def test_c047_1_2_the_better_half_is_even(entrants, half):
    position = Position(tuple(Entrant(number) for number in range(1, entrants + 1)))
    assert last_accelerated(position) == half


def test_who_enters_late_belongs_to_the_half_that_his_number_is_in():
    entrants = [Entrant(number) for number in range(1, 9)]
    entrants[1] = Entrant(2, joined=2)
    entrants.append(Entrant(9, joined=2))
    assert last_accelerated(Position(tuple(entrants), round=2)) == 5


@pytest.mark.parametrize("seed", range(6))
def test_accelerated_rounds_are_drawn_as_another_implementation_draws_them(seed):
    event = Event(seed=seed, sides=20 + seed, rounds=9, forfeits=0.02, away=0.03)
    for position in positions(event, BAKU):
        last = last_accelerated(position)
        expected = drawn_by_gacrux(position, [(1, 3, last, 4), (4, 5, last, 2)])
        drawn = draw_next(position, BAKU)
        assert frozenset(frozenset(table.entrants) for table in drawn.tables) == expected
        assert drawn.reasons == ((Reason("accelerated", (last, virtual_in(9, position.round))),) * (position.round < 6))


def test_other_points_are_refused():
    position = replace(Position((Entrant(1), Entrant(2))), win=12, draw=4)
    with pytest.raises(NoDraw, match="Baku acceleration is defined for"):
        draw_next(position, BAKU)
