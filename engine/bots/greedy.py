"""The greedy house bot: counts its hand, remembers what was played, takes what it can.

It looks at one card at a time and searches nothing. On duplicate boards of moscow/2 (4 deals, both seats) it beats
`random` by more than `MARGIN` points a deal: the whole 95 % interval lies above it (`tests/engine`).
"""

from __future__ import annotations

import random
from typing import Final

from engine.actions import (
    ACCEPT,
    ASK,
    CLOSE,
    DECLARE,
    DECLINE,
    EXCHANGE,
    NO_OFFER,
    OFFER,
    PASS,
    REDEAL,
    TAKE,
    Action,
    ActionKind,
)
from engine.bella import is_holder
from engine.bots.memory import Memory, recall
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
from engine.deal import Phase
from engine.rules import BellaTo
from engine.sequences import sequences_in
from engine.tricks import winner_of
from engine.view import View

MARGIN: Final = 40
BID_FROM: Final = 50
"""A suit is named when the hand is worth at least so much with it as trumps."""

OFFER_BELOW: Final = 15
ACCEPT_BELOW: Final = 60

_LENGTH: Final = 6
_SIDE_ACE: Final = 12
_SIDE_TEN_WITH_ACE: Final = 8


def trump_worth(view: View, hand: int, trump: Suit) -> float:
    """How strong a hand is with these trumps, in points it may hope to take."""
    trumps = hand & SUIT_BITS[trump]
    worth = points_in(trumps, trump) + _LENGTH * trumps.bit_count()
    worth += sum(run.worth for run in sequences_in(view.rules, hand)) // 2
    worth += 20 * is_holder(trump, hand)
    for suit in ALL_SUITS:
        if suit != trump and hand >> card_of(suit, ACE) & 1:
            worth += _SIDE_ACE + _SIDE_TEN_WITH_ACE * (hand >> card_of(suit, TEN) & 1)
    return worth


class Greedy:
    """Bids on a count of its hand, uses every right that is worth something, leads masters, keeps dear cards."""

    def choose(self, view: View, rng: random.Random) -> Action:
        """A legal action; the same for the same view, whatever `rng`."""
        if len(view.legal) == 1:
            return view.legal[0]
        if REDEAL in view.legal:
            return REDEAL
        if view.phase is Phase.BID:
            return _bid(view)
        if view.phase is Phase.PLAY:
            return _use_right(view) or _play(view)
        if view.phase in (Phase.OFFER, Phase.ANSWER):
            return _offer(view)
        return EXCHANGE if EXCHANGE in view.legal and _gains_by_exchange(view) else PASS


def _bid(view: View) -> Action:
    """The best suit on offer, if it is good enough or nothing else may be said."""
    offered = [action for action in view.legal if action is TAKE or action.kind is ActionKind.TRUMP]
    worths = [(_worth_of_bid(view, action), action) for action in offered]
    worth, best = max(worths, key=lambda pair: pair[0])
    return best if worth >= BID_FROM or PASS not in view.legal else PASS


def _worth_of_bid(view: View, action: Action) -> float:
    if action.suit is not None:
        return trump_worth(view, view.hand, action.suit)
    trump = suit_of(view.upcard)
    seven = 1 << card_of(trump, 0)
    swapped = view.hand & ~seven | 1 << view.upcard if view.hand & seven else view.hand
    return trump_worth(view, swapped, trump)


def _offer(view: View) -> Action:
    """Fifty is offered by a weak defender, and taken by a maker who may not get much more (R19)."""
    assert view.trump is not None
    worth = trump_worth(view, view.hand, view.trump)
    if view.phase is Phase.OFFER:
        return OFFER if worth < OFFER_BELOW else NO_OFFER
    return ACCEPT if worth < ACCEPT_BELOW else DECLINE


def _use_right(view: View) -> Action | None:
    """Close when it is certain, ask before deciding, exchange when it gains, declare always."""
    if CLOSE in view.legal and _counts_out(view):
        return CLOSE
    if ASK in view.legal:
        return ASK
    if EXCHANGE in view.legal and _gains_by_exchange(view):
        return EXCHANGE
    return DECLARE if DECLARE in view.legal else None


def _gains_by_exchange(view: View) -> bool:
    """Whether the upcard is worth more than the sequence that the seven may stand in (R20, R22)."""
    assert view.trump is not None
    swapped = view.hand & ~(1 << card_of(view.trump, 0)) | 1 << view.upcard
    refused = f"! ask {view.seat} no" in view.history
    return _worth_held(view, swapped, refused) > _worth_held(view, view.hand, refused)


def _worth_held(view: View, hand: int, refused: bool) -> int:
    assert view.trump is not None
    sequences = sum(run.worth for run in sequences_in(view.rules, hand))
    trumps = points_in(hand & SUIT_BITS[view.trump], view.trump) + 20 * is_holder(view.trump, hand)
    return trumps + (0 if refused else sequences)


def _counts_out(view: View) -> bool:
    """Whether the target is reached by what the table itself has seen (R55)."""
    side = view.rules.side_of(view.seat)
    count = view.totals[side] + recall(view).points[side]
    shown = [known for known in view.announced if known.cards]
    if all(view.rules.side_of(known.seat) == side for known in shown):
        count += sum(run.worth for known in shown for run in sequences_in(view.rules, _mask(known.cards)))
    if view.seat in view.bella and view.rules.bella_to is BellaTo.HOLDER:
        count += 20
    return count >= view.rules.target


def _mask(cards: tuple[Card, ...]) -> int:
    return sum(1 << card for card in cards)


def _play(view: View) -> Action:
    """The best card, with bella if it may be said with it."""
    memory = recall(view)
    rate = _rate_answer if view.trick else _rate_lead
    plays = [action for action in view.legal if action.card is not None]
    # Of a card's two forms the later one says bella.
    return max(reversed(plays), key=lambda action: rate(view, memory, _card(action)))


def _card(action: Action) -> Card:
    assert action.card is not None
    return action.card


def _rate_answer(view: View, memory: Memory, card: Card) -> float:
    """Points of the trick, won or lost, less what the card was good for later."""
    assert view.trump is not None
    worth = POINTS[view.trump]
    winner, _ = winner_of((*view.trick, (view.seat, card)), view.trump)
    points = worth[card] + sum(worth[played] for _, played in view.trick)
    own = view.rules.side_of(winner) == view.rules.side_of(view.seat)
    return (points if own else -points) - _later_worth(view, memory, card)


def _later_worth(view: View, memory: Memory, card: Card) -> float:
    """What a card may still win if it is kept."""
    assert view.trump is not None
    worth = POINTS[view.trump][card]
    if suit_of(card) == view.trump:
        return worth + STRENGTH[view.trump][card] + 4
    if _is_master(view, memory, card):
        return worth + 4
    return worth * 0.3 + STRENGTH[view.trump][card] * 0.1


def _is_master(view: View, memory: Memory, card: Card) -> bool:
    """Whether no unseen card of its suit beats it."""
    assert view.trump is not None
    return not memory.unseen & BEATEN_BY[view.trump][card] & SUIT_BITS[suit_of(card)]


def _rate_lead(view: View, memory: Memory, card: Card) -> float:
    """Masters that cannot be ruffed first, then trumps that draw trumps, else the cheapest card."""
    assert view.trump is not None
    worth, trumps = POINTS[view.trump][card], SUIT_BITS[view.trump]
    others = [seat for seat in range(view.rules.players) if view.rules.side_of(seat) != view.rules.side_of(view.seat)]
    trumps_out = any(memory.may_hold(seat) & trumps for seat in others)
    if suit_of(card) == view.trump:
        if _is_master(view, memory, card):
            return 20 + worth if trumps_out else 5
        return -worth - 5
    if _is_master(view, memory, card):
        follows = all(memory.may_hold(seat) & SUIT_BITS[suit_of(card)] for seat in others)
        return 10 + worth if follows or not trumps_out else -worth
    return -2 * worth - STRENGTH[view.trump][card] * 0.2
