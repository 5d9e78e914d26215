"""The greedy house bot: counts its hand, remembers what was played, takes what it can.

It looks at one card at a time and searches nothing. On duplicate boards (4 deals, everybody in every seat) it beats
`random` by more than `MARGINS` points a deal, in Short stakes: the whole 95 % interval lies above it (`tests/engine`).
"""

from __future__ import annotations

import random
from typing import Final

from engine.actions import (
    ACCEPT,
    ASK,
    CLOSE,
    DAVA,
    DECLARE,
    DECLINE,
    EXCHANGE,
    NO_OFFER,
    OFFER,
    PASS,
    REDEAL,
    SURRENDER,
    TAKE,
    Action,
    ActionKind,
)
from engine.bella import is_holder
from engine.bots.cardplay import best_play
from engine.bots.memory import recall
from engine.bots.worth import card_worth, trump_worth
from engine.cards import SUIT_BITS, card_of, mask_of, points_in, suit_of
from engine.deal import Phase
from engine.jackpots import long_run
from engine.rules import BellaTo
from engine.sequences import sequences_in
from engine.view import View

MARGINS: Final = {"moscow/2": 40, "site/3": 25, "house/4": 20, "klabor/pairs": 60, "short_dava/2": 2}
"""How much more it gets a deal than those against whom it plays do on average, side by side."""

BID_FROM: Final = 50
"""A suit is named when the hand is worth at least so much with it as trumps."""

OFFER_BELOW: Final = 15
ACCEPT_BELOW: Final = 60
DAVA_FROM: Final = 25
"""The stake is raised when the hand promises so many points more than the other's."""

SURRENDER_BELOW: Final = -55


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
            return _use_right(view) or best_play(view)
        if view.phase in (Phase.OFFER, Phase.ANSWER):
            return _offer(view)
        if view.phase is Phase.DAVA:
            return SURRENDER if _promise(view) < SURRENDER_BELOW else ACCEPT
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
    """Close when it is certain, ask before deciding, exchange when it gains, declare always, raise when strong."""
    if CLOSE in view.legal and _counts_out(view):
        return CLOSE
    if DECLARE in view.legal and _holds_long_run(view):
        return DECLARE
    if ASK in view.legal:
        return ASK
    if EXCHANGE in view.legal and _gains_by_exchange(view):
        return EXCHANGE
    if DECLARE in view.legal:
        return DECLARE
    return DAVA if DAVA in view.legal and _promise(view) >= DAVA_FROM else None


def _holds_long_run(view: View) -> bool:
    """Whether the hand may hold a jackpot, which an exchange could break (R25)."""
    assert view.trump is not None
    return view.rules.jackpot is not None and long_run(view.rules.jackpot, view.hand, view.trump) is not None


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
        count += _shown_worth(view, side)
    if any(view.rules.side_of(seat) == side for seat in view.bella) and view.rules.bella_to is BellaTo.HOLDER:
        count += 20
    return count >= view.rules.target


def _shown_worth(view: View, side: int) -> int:
    """The sequences that a side has laid open."""
    shown = [known.cards for known in view.announced if view.rules.side_of(known.seat) == side]
    return sum(run.worth for cards in shown for run in sequences_in(view.rules, mask_of(cards)))


def _promise(view: View) -> float:
    """How many points more than the other the own hand may end with, by what it sees (R59)."""
    assert view.trump is not None
    memory, side = recall(view), view.rules.side_of(view.seat)
    other = 1 - side
    dealt = view.hand_sizes[1 - view.seat] / max(1, memory.unseen.bit_count())
    own = memory.points[side] + _shown_worth(view, side) + card_worth(view.hand, view.trump)
    theirs = memory.points[other] + _shown_worth(view, other) + card_worth(memory.unseen, view.trump) * dealt
    bella = 20 * sum(1 if view.rules.side_of(seat) == side else -1 for seat in view.bella)
    return own - theirs + bella
