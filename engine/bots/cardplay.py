"""Which card the greedy bot plays: it looks at one at a time and searches nothing."""

from __future__ import annotations

from typing import Final

from engine.actions import Action
from engine.bella import BELLA
from engine.bots.memory import Memory, recall
from engine.bots.worth import is_master, later_worth
from engine.cards import BEATEN_BY, POINTS, STRENGTH, SUIT_BITS, Card, suit_of
from engine.rules import BellaTo
from engine.tricks import winner_of
from engine.view import View

_MAY_BE_BEATEN: Final = 0.5
_PARTNER_MAY_BEAT: Final = -0.3


def best_play(view: View) -> Action:
    """The best card, with bella if it may be said with it and does not help others."""
    memory = recall(view)
    plays = [action for action in view.legal if action.card is not None]
    return max(reversed(plays), key=lambda action: _rate(view, memory, action))


def _rate(view: View, memory: Memory, action: Action) -> float:
    assert action.card is not None
    hope = _hope(view, memory, action.card)
    bella = BELLA * (hope if view.rules.bella_to is BellaTo.TRICK_WINNER else 1) if action.bella else 0
    if view.trick:
        return _rate_answer(view, memory, action.card, hope) + bella
    return _rate_lead(view, memory, action.card) + bella


def _hope(view: View, memory: Memory, card: Card) -> float:
    """Whether the trick will be the own side's after this card, from 1 for certain to -1."""
    assert view.trump is not None
    trick = (*view.trick, (view.seat, card))
    winner, best = winner_of(trick, view.trump)
    to_come = view.rules.seats_after(view.seat)[: view.rules.players - len(trick)]
    beating = memory.unseen & BEATEN_BY[view.trump][best]
    can = {seat for seat in to_come if memory.may_hold(seat) & beating}
    partners = {seat for seat in can if _is_ours(view, seat)}
    if _is_ours(view, winner):
        return 1 if can == partners else _MAY_BE_BEATEN
    return _PARTNER_MAY_BEAT if partners else -1


def _is_ours(view: View, seat: int) -> bool:
    return view.rules.side_of(seat) == view.rules.side_of(view.seat)


def _rate_answer(view: View, memory: Memory, card: Card, hope: float) -> float:
    """Points of the trick, won or lost, less what the card was good for later.

    So a partner who wins is given points, and no trump is spent on a trick that he wins anyway.
    """
    assert view.trump is not None
    worth = POINTS[view.trump]
    points = worth[card] + sum(worth[played] for _, played in view.trick)
    return points * hope - later_worth(view, memory, card)


def _rate_lead(view: View, memory: Memory, card: Card) -> float:
    """Masters that cannot be ruffed first, then trumps that draw trumps, else the cheapest card."""
    assert view.trump is not None
    worth, trumps = POINTS[view.trump][card], SUIT_BITS[view.trump]
    others = [seat for seat in range(view.rules.players) if not _is_ours(view, seat)]
    trumps_out = any(memory.may_hold(seat) & trumps for seat in others)
    if suit_of(card) == view.trump:
        if is_master(view, memory, card):
            return 20 + worth if trumps_out else 5
        return -worth - 5
    if is_master(view, memory, card):
        follows = all(memory.may_hold(seat) & SUIT_BITS[suit_of(card)] for seat in others)
        return 10 + worth if follows or not trumps_out else -worth
    return -2 * worth - STRENGTH[view.trump][card] * 0.2
