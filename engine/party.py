"""A party as values: deals written one under the other, and how it ended (protocol §3).

What a deal writes is worked out by `writing.py` and the modules that it reads from.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.cards import Card, Suit
from engine.deal import End
from engine.rules import Rules
from engine.scoring import Pools, Verdict


class EndReason(StrEnum):
    """Why a party is over (protocol §3)."""

    TARGET = "target"
    LEAD = "lead"
    DEALS = "deals"
    CLOSED = "closed"
    FALSE_CLOSE = "false_close"
    JACKPOT = "jackpot"
    SHORT = "short"
    SURRENDER = "surrender"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class PartyResult:
    """How a party ended: totals and stakes by side, the winning side (None: drawn), who forfeited (a seat).

    `stakes` only in Short: won positive, sum 0 (R58).
    """

    totals: tuple[int, ...]
    winner: int | None
    reason: EndReason
    stakes: tuple[int, ...] | None = None
    forfeiter: int | None = None


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A finished deal as protocol §3 lists it; points, written, fines and totals are by side."""

    number: int
    dealer: int
    deck: tuple[Card, ...]
    actions: tuple[str, ...]
    end: End
    maker: int | None
    trump: Suit | None
    points: tuple[int, ...]
    written: tuple[int, ...]
    waiting: Pools
    fines: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Party:
    """Everything that lasts from deal to deal; totals and baits by side.

    `played`: how many of `deals` count for a party of so many deals (R71). `forced_maker`: the seat that must play
    the next deal, because points are held (R18, R48).
    """

    totals: tuple[int, ...]
    baits: tuple[int, ...]
    waiting: Pools = ()
    deals: tuple[DealRecord, ...] = ()
    next_dealer: int = 0
    result: PartyResult | None = None
    played: int = 0
    forced_maker: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one deal writes, and who wins the party by it whatever the totals (`winner`, for `reason`).

    `same_dealer`: the deal is as good as not dealt, and its dealer deals again (R66).
    """

    points: tuple[int, ...]
    written: tuple[int, ...]
    waiting: Pools
    fines: tuple[int, ...]
    baits: tuple[int, ...]
    verdict: Verdict | None = None
    winner: int | None = None
    reason: EndReason | None = None
    stakes: tuple[int, ...] | None = None
    forfeiter: int | None = None
    same_dealer: bool = False


def new_party(rules: Rules, first_dealer: int) -> Party:
    """A party before its first card."""
    return Party((0,) * rules.sides, (0,) * rules.sides, next_dealer=first_dealer)


def nothing(rules: Rules, party: Party) -> Outcome:
    """Nobody writes, everything waits on."""
    zero = (0,) * rules.sides
    return Outcome(zero, zero, party.waiting, zero, party.baits)
