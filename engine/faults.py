"""Faults at a live table and what they cost there, as data (R65); of these only a revoke can cost a program (R66)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from engine.rules import FaultTable


class Fault(StrEnum):
    """What a player can do wrong with cards in his hands."""

    REVOKE = "revoke"
    EXTRA_CARD = "extra_card"
    MISSING_CARD = "missing_card"
    FALSE_DECLARATION = "false_declaration"
    WRONG_EXCHANGE = "wrong_exchange"
    WRONG_HEIGHT_QUESTION = "wrong_height_question"
    NO_CUT = "no_cut"


class Cost(StrEnum):
    """What a fault costs the offender's side.

    `bait_on_cards`: it writes nothing, the other side writes its own and the offender's points, a bait is counted.
    `redeal_100`: the deal is void, 100 off. `sweet_trick`: the other side takes any one of its tricks, not the one
    with the trump jack. `bait`: a bait is counted, for a fault before there are points. `hundred`: 100 off.
    `nothing`: nothing is laid down.
    """

    BAIT_ON_CARDS = "bait_on_cards"
    REDEAL_100 = "redeal_100"
    SWEET_TRICK = "sweet_trick"
    BAIT = "bait"
    HUNDRED = "hundred"
    NOTHING = "nothing"


_COSTS: Final[Mapping[FaultTable, Mapping[Fault, Cost]]] = {
    FaultTable.BAIT_ON_CARDS: dict.fromkeys(Fault, Cost.BAIT_ON_CARDS),
    FaultTable.KLABOR: {Fault.REVOKE: Cost.REDEAL_100, Fault.NO_CUT: Cost.HUNDRED},
    FaultTable.KHARKOV_FULL: {Fault.REVOKE: Cost.SWEET_TRICK, Fault.NO_CUT: Cost.BAIT},
    FaultTable.NONE: {},
}


def cost_of(table: FaultTable, fault: Fault) -> Cost:
    """What a fault costs by a table's rules; `nothing` where they do not speak of it (R65, §15)."""
    return _COSTS[table].get(fault, Cost.NOTHING)
