"""Cards drawn for a deal without a pack: only those that somebody may see are drawn."""

from __future__ import annotations

from typing import Final

from engine.fast.bits import M32, nth, popcount
from engine.fast.chance import Chance
from engine.fast.deal import FastDeal, after, begin_bidding, give, hand, reset
from engine.fast.ints import i64

_FEW: Final = 8
"""With so few cards left it is quicker to count to one of them than to guess until one is hit."""


def draw(chance: Chance, left: i64, count: i64) -> i64:
    """The mask of so many cards drawn from those left.

    One that is gone is drawn again, so that no card is favoured.
    """
    drawn: i64 = 0
    while count > 0:
        bit: i64 = 1 << chance.card()
        if left & bit:
            left &= ~bit
            drawn |= bit
            count -= 1
    return drawn


def draw_one(chance: Chance, left: i64, count: i64) -> i64:
    """One of the `count` cards left, as its number."""
    if count <= _FEW:
        return nth(left, chance.below(count))
    card: i64 = chance.card()
    while not (left >> card) & 1:
        card = chance.card()
    return card


def begin_drawn(d: FastDeal, dealer: i64, chance: Chance) -> None:
    """Draws the cards of a deal and begins the bidding; `d.deck` is not looked at (R8).

    Drawn are each seat's first six from eldest on, the upcard, the buy-in, and of the stock the top and the bottom
    card. `pack_of` gives a pack that deals the same.
    """
    reset(d)
    t = d.terms
    left: i64 = M32
    seat: i64 = dealer
    places: i64 = t.players
    while places > 0:
        seat = after(d, seat)
        six: i64 = draw(chance, left, 6)
        left &= ~six
        give(d, seat, six)
        places -= 1
    count: i64 = 32 - 6 * t.players
    card: i64 = draw_one(chance, left, count)
    d.upcard = card
    d.buys = 0
    place: i64 = 0
    while place < t.cards_dealt - 6 * t.players - 1:
        left &= ~(1 << card)
        count -= 1
        card = draw_one(chance, left, count)
        d.buys |= card << (place * 5)
        place += 1
    _draw_stock(d, chance, left & ~(1 << card), count - 1)
    begin_bidding(d, dealer)


def _draw_stock(d: FastDeal, chance: Chance, left: i64, count: i64) -> None:
    """The top and the bottom card of the stock, which may be one and the same (R11)."""
    d.stock = -1
    d.under = (d.buys >> ((d.terms.cards_dealt - 6 * d.terms.players - 2) * 5)) & 31
    if count > 0:
        d.stock = draw_one(chance, left, count)
        d.under = d.stock
    if count > 1:
        d.under = draw_one(chance, left & ~(1 << d.stock), count - 1)


def pack_of(d: FastDeal) -> list[int]:
    """A pack that deals what was dealt: of a deal that has just begun, so that `begin` gives the same again."""
    t = d.terms
    deck: list[int] = [-1] * 32
    place: i64 = 0
    seat: i64 = d.dealer
    hands: list[int] = [int(hand(d, other)) for other in range(t.players)]
    while place < 6 * t.players:
        if place % t.packet == 0:
            seat = after(d, seat)
        deck[place] = int(popcount((hands[seat] & -hands[seat]) - 1))
        hands[seat] &= hands[seat] - 1
        place += 1
    deck[place] = int(d.upcard)
    buys: i64 = d.buys
    while place < t.cards_dealt - 1:
        place += 1
        deck[place] = int(buys & 31)
        buys >>= 5
    if d.stock >= 0:
        deck[place + 1] = int(d.stock)
    deck[31] = int(d.under)
    rest: list[int] = [card for card in range(32) if card not in deck]
    return [rest.pop() if card < 0 else card for card in deck]
