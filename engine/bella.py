"""Bella: king and queen of trumps in one hand (R33-R36)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import KING, QUEEN, Suit
from engine.rules import BellaTo, BellaWhen, Rules
from engine.tricks import Trick, winner_of

BELLA: Final = 20


@dataclass(frozen=True, slots=True)
class Bella:
    """What has become of bella in this deal.

    `seat` said it; `trick_side` took the trick it was said in; `own_tricks` counts how often king or queen of
    trumps took the trick that it was itself played in.
    """

    seat: int | None = None
    trick_side: int | None = None
    own_tricks: int = 0


UNSAID: Final = Bella()


def pair_of(trump: Suit) -> int:
    """The mask of king and queen of trumps."""
    return (1 << QUEEN | 1 << KING) << 8 * trump


def is_holder(trump: Suit, came: int) -> bool:
    """Whether the hand with which a seat came to its first card holds the pair (R33)."""
    pair = pair_of(trump)
    return came & pair == pair


def sayable_with(rules: Rules, trump: Suit, hand: int, came: int) -> int:
    """The mask of cards with which bella may be said, as long as nobody has said it (R33, R34).

    `came`: the hand at the seat's first card; on that card itself, the hand.
    """
    if not is_holder(trump, came):
        return 0
    if rules.bella_when is BellaWhen.FIRST_CARD:
        return hand if hand == came else 0
    left = hand & pair_of(trump)
    if rules.bella_when is BellaWhen.PAIR_CARD:
        return left
    return hand if left else 0


def after_trick(rules: Rules, trump: Suit, bella: Bella, trick: Trick) -> Bella:
    """Bella after a complete trick (R35)."""
    seat, card = winner_of(trick, trump)
    own = pair_of(trump) >> card & 1
    said_here = bella.seat is not None and bella.trick_side is None
    if not own and not said_here:
        return bella
    side = rules.side_of(seat) if said_here else bella.trick_side
    return Bella(bella.seat, side, bella.own_tricks + own)


def bella_points(rules: Rules, bella: Bella) -> tuple[int, ...]:
    """Points of bella by side, by what has happened so far (R35, R36)."""
    points = [0] * rules.sides
    side = rules.side_of(bella.seat) if bella.seat is not None else None
    if rules.bella_to is BellaTo.TRICK_WINNER:
        side = bella.trick_side
    if side is not None:
        points[side] = _worth(rules.bella_to, bella.own_tricks)
    return tuple(points)


def _worth(bella_to: BellaTo, own_tricks: int) -> int:
    if bella_to is BellaTo.HALVES:
        return BELLA // 2 * own_tricks
    if bella_to is BellaTo.ONE_WINS:
        return BELLA if own_tricks else 0
    return BELLA
