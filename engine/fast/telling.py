"""Whether hands would have told of their sequences what the table heard, and shown what it saw (R23-R32)."""

from __future__ import annotations

from engine.fast.deal import FastDeal, came
from engine.fast.hidden import SAID_HEIGHT, SAID_KIND, SAID_LEADING, Hidden
from engine.fast.ints import i64
from engine.fast.sequences import runs_of, scoring
from engine.fast.terms import DECLARE_AUTO, Terms


def tells_alike(h: Hidden) -> bool:
    """Whether the hands drawn announce what the table heard, in the order in which they did."""
    leading: i64 = 0
    known: i64 = 0
    for packed in h.sayings:
        saying: i64 = packed
        seat: i64 = saying & 3
        rank: i64 = best_of(h.hands[seat] | h.played[seat], h)
        said: i64 = 0
        if rank == 0:
            if h.terms.declare != DECLARE_AUTO:
                return False
        elif rank >> 3 > leading >> 3:
            said = (rank >> 3) << SAID_KIND
            leading = rank
            known = 0
        elif rank >> 3 == leading >> 3:
            said = (rank >> 3) << SAID_KIND
            if not known:
                said |= ((leading & 7) + 1) << SAID_LEADING
            if rank >= leading:
                said |= ((rank & 7) + 1) << SAID_HEIGHT
                leading = rank
            known = 1
        if saying != seat | said or (h.told[seat] > 0 and h.told[seat] != rank):
            return False
    return True


def best_of(held: i64, h: Hidden) -> i64:
    """The best sequence of a hand: kind (1 to 3) * 8 + the rank of its top, 0 if it holds none."""
    return (runs_of(held, h.trump, h.terms) >> 16) & 255


def shows_alike(h: Hidden, d: FastDeal) -> bool:
    """Whether the seats of this deal lay open what the table saw, the moment for it having come (R32)."""
    if not h.opened:
        return True
    sides = scoring(d, d.declared, -1)
    side: i64 = 0
    while side < d.terms.sides:
        sides |= scoring(d, d.declared, side)
        side += 1
    seat: i64 = 0
    while seat < d.terms.players:
        shows: bool = d.declared >> seat & 1 == 1 and sides >> (seat & d.terms.side_mask) & 1 == 1
        if h.shown[seat] != (cards_of_runs(came(d, seat), d.terms) if shows else 0):
            return False
        seat += 1
    return True


def cards_of_runs(held: i64, t: Terms) -> i64:
    """All cards of a hand that stand in one of its sequences (R26)."""
    cards: i64 = 0
    length: i64 = 0
    card: i64 = 0
    while card < 32:
        if card & 7 == 0:
            length = 0
        length = length + 1 if held >> card & 1 else 0
        if length >= 3 and (card & 7 == 7 or not held >> (card + 1) & 1):
            cards |= _top_cards(card, length, t)
        card += 1
    return cards


def _top_cards(top: i64, length: i64, t: Terms) -> i64:
    """The cards of the sequences of one run, each from the top of what is left of it (R26)."""
    cards: i64 = 0
    while length >= 3:
        taken: i64 = 3 if length == 3 else 4
        if 0 < t.hundred <= length:
            taken = t.hundred
        cards |= ((1 << taken) - 1) << (top - taken + 1)
        top -= taken
        length = length - taken if t.split_runs else 0
    return cards
