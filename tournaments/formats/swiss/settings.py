"""What an organiser can choose about a Swiss."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tournaments.formats.settings import number


class Acceleration(StrEnum):
    NONE = "none"
    BAKU = "baku"
    """virtual points for the better half in the first rounds (FIDE C.04.7 art. 1); only where a win is 4 and a draw 2
    quarter points"""


class Infeasible(StrEnum):
    """What happens where a round cannot be paired by the absolute criteria (FIDE C.04.6 art. 3.3.3)."""

    STOP = "stop"
    """the organiser is asked; nothing is drawn"""
    REMATCH = "rematch"
    """as few meet again as can be, those first whose meeting is oldest, then as few second byes as can be"""


@dataclass(frozen=True, slots=True)
class Settings:
    """`rounds`: 0 takes what separates the best (see `rounds_of`). `first_seat`: who sits first is balanced; else the
    one that stands better always does. `protect`: in so many rounds from the first, those who share a shield are kept
    apart."""

    rounds: int = number(0, 0, 100)
    first_seat: bool = True
    acceleration: Acceleration = Acceleration.NONE
    infeasible: Infeasible = Infeasible.STOP
    protect: int = number(0, 0, 100)
