"""How likely players would have said what they said with other cards: by the judgement of `greedy`.

A world is kept by chance, with the product of what each saying counts. Nothing here is certain: whoever plays
otherwise is only found less quickly.
"""

from __future__ import annotations

from typing import Final

from engine.fast.bits import points_in
from engine.fast.chance import Chance
from engine.fast.deal import FastDeal, came, hand, plane
from engine.fast.hidden import Hidden
from engine.fast.ints import i64
from engine.fast.judging import swapped, trump_worth
from engine.fast.sequences import holds_sequence
from engine.fast.terms import BELLA_WHEN_FIRST_CARD, DECLARE_MANUAL, UPCARD_TABLE
from engine.fast.weights import weights_of

_WHOLE: Final = 256
_SELDOM: Final = 16
"""Of 256: who does what a sensible player does not."""

_FOUR_SEVENS: Final = 0x01010101


def likely(h: Hidden, d: FastDeal, chance: Chance) -> bool:
    """Whether a world is kept; the others' sayings alone are weighed."""
    return bids_likely(h, d, chance) and (h.bought == 0 or rights_likely(h, d, chance))


def bids_likely(h: Hidden, d: FastDeal, chance: Chance) -> bool:
    """Weighs every bid and offer against the six cards it was said with."""
    players = d.terms.players
    seat: i64 = d.dealer
    suit: i64 = d.deck[6 * players] >> 3
    if h.forced >= 0:
        return True
    for turns, packed in enumerate(h.codes):
        code: i64 = packed
        if code > 5:
            break
        seat = 0 if seat + 1 == players else seat + 1
        if seat != h.seat and chance.below(_WHOLE) >= bid_weight(d, seat, code, turns >= players, suit):
            return False
        if code != 1:
            break
    return True


def bid_weight(d: FastDeal, seat: i64, code: i64, second: bool, suit: i64) -> i64:
    """How often, of 256 times, a seat says this with the cards that it has."""
    held: i64 = d.first & plane(d, seat)
    take_from: i64 = weights_of(d.terms).take_from
    name_from: i64 = weights_of(d.terms).name_from
    if not second:
        worth = bid_worth(d, swapped_first(d, held, suit), suit)
        return _above(take_from - worth) if code == 1 else _above(worth - take_from)
    if code > 1:
        worth = bid_worth(d, held, code - 2)
        if d.terms.obligation and seat == d.dealer:
            return _above(worth + 8 - _best_worth(d, held, suit))
        return _above(worth - name_from)
    return _above(name_from - _best_worth(d, held, suit))


def bid_worth(d: FastDeal, held: i64, trump: i64) -> i64:
    """What a hand promises with these trumps."""
    return trump_worth(held, trump, d.terms)


def swapped_first(d: FastDeal, held: i64, suit: i64) -> i64:
    """The first cards as whoever takes counts them, the upcard for the seven if that is to be had (R20)."""
    if d.terms.upcard != UPCARD_TABLE or d.terms.seven_swap < 0:
        return held
    return swapped(held, suit, d.deck[6 * d.terms.players])


def _best_worth(d: FastDeal, held: i64, but: i64) -> i64:
    best: i64 = 0
    suit: i64 = 0
    while suit < 4:
        if suit != but:
            worth = bid_worth(d, held, suit)
            best = worth if worth > best else best
        suit += 1
    return best


def _above(margin: i64) -> i64:
    """How often, of 256 times, somebody does what his cards ask for by so many points."""
    if margin >= 0:
        return _WHOLE
    if margin >= -6:
        return 160
    if margin >= -14:
        return 80
    return 32 if margin >= -28 else 10


def rights_likely(h: Hidden, d: FastDeal, chance: Chance) -> bool:
    """Weighs what the others did not say before their first card."""
    players = d.terms.players
    seat: i64 = 0
    while seat < players:
        if seat != h.seat and not right_likely(d, seat) and chance.below(_WHOLE) >= _SELDOM:
            return False
        seat += 1
    return True


def right_likely(d: FastDeal, seat: i64) -> bool:
    """Whether a sensible player could have left unsaid what this one did."""
    if not d.comes >> seat & 1:
        return True
    t = d.terms
    held = came(d, seat)
    window_open: bool = t.second_card != 0 and d.done < 2
    silent: bool = t.declare == DECLARE_MANUAL and not d.forced and not d.declared >> seat & 1
    if silent and not window_open and holds_sequence(held):
        return False
    if left_seven(d, seat, held) or (t.redeal_four_sevens and held & _FOUR_SEVENS == _FOUR_SEVENS):
        return False
    if t.redeal_poor >= 0 and points_in(held, -1) <= t.redeal_poor:
        return False
    return not left_bella(d, seat, held)


def left_seven(d: FastDeal, seat: i64, held: i64) -> bool:
    """Whether a seat kept the trump seven, and a card of points lay there for it (R20)."""
    t = d.terms
    if t.upcard != UPCARD_TABLE or t.seven_swap < 0 or d.upcard >> 3 != d.trump or d.upcard & 7 < 2:
        return False
    return held >> (d.trump << 3) & 1 == 1 and d.swapped != seat


def left_bella(d: FastDeal, seat: i64, held: i64) -> bool:
    """Whether a seat came with the pair and let it go by: a card of it played, or its one moment over (R34)."""
    pair: i64 = 3 << ((d.trump << 3) + 5)
    if d.bella_seat >= 0 or held & pair != pair:
        return False
    return d.terms.bella_when == BELLA_WHEN_FIRST_CARD or hand(d, seat) & pair != pair
