"""What a match consists of, before anything is written: boards, exposures, who sits where and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine import Rules
from matches.core.clocks import Control

BOARD_DEALS = 4
MOST_BOARDS = 20
MOST_DEALS = 100
"""The most boards that an organiser may give a match, and deals a board."""
LARGEST_NUMBER = 10_000
"""No target, fine or limit of a match is larger: a party has to end, and its points are kept in ordinary columns."""
AFTER_ALL = 1_000_000
"""From this priority on a match is played when nothing else is due: what no competition waits for."""
FORFEIT_POINTS_A_DEAL = 100
OF_THE_PLAN = ("deals", "next_dealer", "hang_dealer")
"""Options that a plan with deals sets itself."""


class Length(StrEnum):
    """What the number of boards of a match means."""

    BOARDS = "boards"
    """each board is played once from every seat"""
    PARTIES = "parties"
    """so many whole parties, the seats as drawn, each with a seed of its own; who deals first is passed on (R15)"""
    BEST_OF = "best_of"
    """as `parties`, of an odd number, until one of two sides cannot be caught any more"""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Everything that whoever draws a match decides.

    `agents`: primary keys per seat, partners opposite. `boards`: how many boards or parties, as `length` says. `deals`:
    how many a board has; None: it is played to its end as the rules have it, which is the only way for Short, and the
    only way at any other length: there `deals` is left aside. `seed`: 32 secret bytes from which the boards' seeds
    follow; None draws them fresh. `group`: matches of different groups take turns at the workers. `overrides` are the
    rules' own; `match_overrides` adds what comparable boards need.
    """

    agents: tuple[int, ...]
    rules: str = "moscow/2"
    overrides: Mapping[str, object] = field(default_factory=dict)
    length: Length = Length.BOARDS
    boards: int = 2
    deals: int | None = BOARD_DEALS
    control: Control = Control.LADDER
    strict: bool = False
    seed: bytes | None = None
    title: str = ""
    group: str = ""
    round_number: int = 1
    rated: bool = True
    priority: int = 0

    @property
    def deals_of_party(self) -> int | None:
        """How many deals a party has; None for whole parties."""
        return self.deals if self.length == Length.BOARDS else None


@dataclass(frozen=True, slots=True)
class Exposure:
    """One party of a match: which board, how far the seats are turned."""

    party: int
    board: int
    rotation: int


def match_overrides(overrides: Mapping[str, object], deals: int | None) -> dict[str, object]:
    """The options under which a match is played.

    With `deals` every exposure of a board has the same deals with the same dealers (R71); without, the rules are
    what they are.
    """
    if deals is None:
        return dict(overrides)
    return dict(overrides) | {"deals": deals, "next_dealer": "rotate", "hang_dealer": "next"}


def why_not_overrides(overrides: Mapping[str, object]) -> dict[str, str]:
    """By option, why a number is larger than any match has; empty where all can be. The engine knows no largest."""
    mosts = {name: MOST_DEALS if name == "deals" else LARGEST_NUMBER for name in overrides}
    return {name: f"{mosts[name]} is the most." for name, value in overrides.items() if _exceeds(value, mosts[name])}


def _exceeds(value: object, most: int) -> bool:
    if isinstance(value, Mapping):
        return any(_exceeds(one, most) for one in value.values())
    return isinstance(value, int) and value > most


def why_not_plan(plan: MatchPlan, rules: Rules) -> str | None:
    """Why a match under these rules cannot be so long; None if it can."""
    if plan.boards < 1:
        return "A match has one party at least."
    if plan.length != Length.BEST_OF:
        return None
    if plan.boards % 2 == 0:
        return f"Best of {plan.boards} may end level: choose an odd number, {plan.boards - 1} or {plan.boards + 1}."
    if rules.sides != 2:
        return f"Best of {plan.boards} is for two sides, and {rules.name} has {rules.sides}: play a number of parties."
    if rules.short is not None:
        return "In Short nobody may win a deal, so that best of a number may end level: play a number of parties."
    return None


def parties_of(length: Length, boards: int, rotations: int) -> int:
    """How many parties a match has at the most."""
    return boards * rotations if length == Length.BOARDS else boards


def exposures(boards: int, rotations: int) -> tuple[Exposure, ...]:
    """Every board once per rotation, in an order that keeps the exposures of one board apart."""
    order = [(rotation, board) for rotation in range(rotations) for board in range(1, boards + 1)]
    return tuple(Exposure(party, board, rotation) for party, (rotation, board) in enumerate(order, start=1))


def forfeit_points(rules: Rules) -> int:
    """What every other side scores at least, in cards, for a forfeited party: about what a well-played one brings."""
    if rules.short is not None:
        return FORFEIT_POINTS_A_DEAL
    return FORFEIT_POINTS_A_DEAL * rules.deals if rules.deals else rules.target
