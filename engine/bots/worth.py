"""What cards are good for, as the greedy bot counts it."""

from __future__ import annotations

from typing import Final

from engine.bella import is_holder
from engine.bots.memory import Memory
from engine.cards import (
    ACE,
    ALL_SUITS,
    BEATEN_BY,
    POINTS,
    STRENGTH,
    SUIT_BITS,
    TEN,
    Card,
    Suit,
    card_of,
    points_in,
    suit_of,
)
from engine.sequences import sequences_in
from engine.view import View

_LENGTH: Final = 6
_SIDE_ACE: Final = 12
_SIDE_TEN_WITH_ACE: Final = 8


def trump_worth(view: View, hand: int, trump: Suit) -> float:
    """How strong a hand is with these trumps, in points it may hope to take; sequences and bella included."""
    sequences = sum(run.worth for run in sequences_in(view.rules, hand)) // 2
    return card_worth(hand, trump) + sequences + 20 * is_holder(trump, hand)


def card_worth(hand: int, trump: Suit) -> float:
    """The same for its cards alone: trumps and side aces."""
    trumps = hand & SUIT_BITS[trump]
    worth: float = points_in(trumps, trump) + _LENGTH * trumps.bit_count()
    for suit in ALL_SUITS:
        if suit != trump and hand >> card_of(suit, ACE) & 1:
            worth += _SIDE_ACE + _SIDE_TEN_WITH_ACE * (hand >> card_of(suit, TEN) & 1)
    return worth


def later_worth(view: View, memory: Memory, card: Card) -> float:
    """What a card may still win if it is kept."""
    assert view.trump is not None
    worth = POINTS[view.trump][card]
    if suit_of(card) == view.trump:
        return worth + STRENGTH[view.trump][card] + 4
    if is_master(view, memory, card):
        return worth + 4
    return worth * 0.3 + STRENGTH[view.trump][card] * 0.1


def is_master(view: View, memory: Memory, card: Card) -> bool:
    """Whether no unseen card of its suit beats it."""
    assert view.trump is not None
    return not memory.unseen & BEATEN_BY[view.trump][card] & SUIT_BITS[suit_of(card)]
