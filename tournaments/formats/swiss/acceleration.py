"""Baku acceleration: the better half is paired for some rounds as if it had won before (FIDE C.04.7 art. 1)."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from tournaments.formats.meetings import NoDraw, Position
from tournaments.formats.swiss.settings import Acceleration, Settings

SCALE = (4, 2)
"""Quarter points of a win and a draw, for which alone the virtual points are defined."""


def virtual_points(position: Position, settings: Settings, round_number: int) -> Mapping[int, int]:
    """Virtual quarter points of each that has some in this round; they pair, and are never in the standings.

    The better half gets a win's worth in the first half of the accelerated rounds, a draw's worth in the second.
    Raises NoDraw where wins and draws bring other points than the rule knows.
    """
    if settings.acceleration is Acceleration.NONE:
        return {}
    if (position.win, position.draw) != SCALE:
        raise NoDraw(
            "acceleration_scale",
            "Baku acceleration is defined for a win worth twice a draw alone: choose such points, or no acceleration.",
        )
    points = virtual_in(position.rounds, round_number)
    last = last_accelerated(position)
    return {one.number: points for one in position.entrants if one.number <= last} if points else {}


def virtual_in(rounds: int, round_number: int) -> int:
    """What the better half gets in this of so many rounds: 9 rounds give 4 4 4 2 2 0 0 0 0."""
    accelerated = ceil(rounds / 2)
    if round_number > accelerated or round_number < 1:
        return 0
    win, draw = SCALE
    return win if round_number <= ceil(accelerated / 2) else draw


def last_accelerated(position: Position) -> int:
    """The last number of the better half: of those there to be paired in round 1, half, rounded up to an even number.

    Whoever comes later with a better number belongs to it, whoever comes with a worse one does not.
    """
    started = sorted(one.number for one in position.entrants if one.is_there(1))
    half = 2 * ceil(len(started) / 4)
    return started[:half][-1] if started else 0
