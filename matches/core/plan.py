"""What a match consists of, before anything is written: boards, exposures, who sits where and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from matches.core.clocks import Control

BOARD_DEALS = 4
FORFEIT_POINTS_A_DEAL = 100


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Everything that whoever draws a match decides.

    `agents`: primary keys in seat order. `seed`: 32 secret bytes from which the boards' seeds follow; None draws them
    fresh. `group`: matches of different groups take turns at the workers. `overrides` are the rules' own;
    `board_overrides` adds what duplicate boards need.
    """

    agents: tuple[int, ...]
    rules: str = "moscow/2"
    overrides: Mapping[str, object] = field(default_factory=dict)
    boards: int = 2
    control: Control = Control.LADDER
    strict: bool = False
    seed: bytes | None = None
    title: str = ""
    group: str = ""
    round_number: int = 1
    rated: bool = True
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Exposure:
    """One party of a match: which board, how far the seats are turned."""

    party: int
    board: int
    rotation: int


def board_overrides(overrides: Mapping[str, object]) -> dict[str, object]:
    """The rules of a match with what makes its boards comparable: the same deals with the same dealers (R71)."""
    return {"deals": BOARD_DEALS} | dict(overrides) | {"next_dealer": "rotate", "hang_dealer": "next"}


def exposures(boards: int, rotations: int) -> tuple[Exposure, ...]:
    """Every board once per rotation, in an order that keeps the exposures of one board apart."""
    order = [(rotation, board) for rotation in range(rotations) for board in range(1, boards + 1)]
    return tuple(Exposure(party, board, rotation) for party, (rotation, board) in enumerate(order, start=1))


def forfeit_points(deals: int | None, target: int) -> int:
    """What the other side scores for a forfeited party: about what a well-played one brings."""
    return FORFEIT_POINTS_A_DEAL * deals if deals else target
