"""Cards and hands as numbers: bits counted and picked, points and order of R2 and R3 out of packed constants."""

from __future__ import annotations

from typing import Final

from engine.fast.ints import i64

M32: Final = 0xFFFFFFFF
EVERY_SUIT: Final = 0x01010101
"""One bit, the lowest, in each of four bytes: a rank's cards are this shifted by the rank."""

# Five bits a rank, from the seven up.
_PLAIN_POINTS: Final = 10 << 15 | 2 << 20 | 3 << 25 | 4 << 30 | 11 << 35
_TRUMP_POINTS: Final = 14 << 10 | 10 << 15 | 20 << 20 | 3 << 25 | 4 << 30 | 11 << 35
# Three bits a rank: 7 8 9 J Q K T A, and for trumps 7 8 Q K T A 9 J.
_PLAIN_STRENGTH: Final = 0 | 1 << 3 | 2 << 6 | 6 << 9 | 3 << 12 | 4 << 15 | 5 << 18 | 7 << 21
_TRUMP_STRENGTH: Final = 0 | 1 << 3 | 6 << 6 | 4 << 9 | 7 << 12 | 2 << 15 | 3 << 18 | 5 << 21
# A byte a rank: the ranks of its suit that beat it.
_PLAIN_BEATEN: Final = 0xFE | 0xFC << 8 | 0xF8 << 16 | 0x80 << 24 | 0xE8 << 32 | 0xC8 << 40 | 0x88 << 48
_TRUMP_BEATEN: Final = 0xFE | 0xFC << 8 | 0x10 << 16 | 0x94 << 24 | 0xDC << 40 | 0x9C << 48 | 0x14 << 56


def popcount(x: i64) -> i64:
    """How many of the 32 bits are set."""
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    return ((((x + (x >> 4)) & 0x0F0F0F0F) * EVERY_SUIT) & M32) >> 24


def lowest(x: i64) -> i64:
    """The place of the lowest set bit; `x` is not 0."""
    return popcount((x & -x) - 1)


def nth(x: i64, k: i64) -> i64:
    """The place of the set bit that has `k` set ones below it."""
    while k > 0:
        x &= x - 1
        k -= 1
    return popcount((x & -x) - 1)


def points_of(card: i64, trump: i64) -> i64:
    """Card points (R2, R3); trump -1: every suit is plain."""
    points: i64 = _TRUMP_POINTS if card >> 3 == trump else _PLAIN_POINTS
    return (points >> ((card & 7) * 5)) & 31


def strength_of(card: i64, trump: i64) -> i64:
    """The card's place within its own suit, 0 lowest (R2, R3)."""
    order: i64 = _TRUMP_STRENGTH if card >> 3 == trump else _PLAIN_STRENGTH
    return (order >> ((card & 7) * 3)) & 7


def beaten_by(best: i64, trump: i64) -> i64:
    """The mask of all cards that beat it when it is winning a trick (R41)."""
    shift: i64 = best & 24
    if best >> 3 == trump:
        return ((_TRUMP_BEATEN >> ((best & 7) << 3)) & 255) << shift
    above: i64 = ((_PLAIN_BEATEN >> ((best & 7) << 3)) & 255) << shift
    return above if trump < 0 else above | (255 << (trump << 3))


def points_in(hand: i64, trump: i64) -> i64:
    """Card points of all cards of a hand; trump -1: every suit is plain.

    The four suits are added side by side, a byte each: no suit is worth more than 30 as plain.
    """
    by_suit: i64 = ((hand >> 7) & EVERY_SUIT) * 11 + ((hand >> 3) & EVERY_SUIT) * 10 + ((hand >> 6) & EVERY_SUIT) * 4
    by_suit += ((hand >> 5) & EVERY_SUIT) * 3 + ((hand >> 4) & EVERY_SUIT) * 2
    points: i64 = ((by_suit * EVERY_SUIT) & M32) >> 24
    if trump >= 0:
        trumps: i64 = hand >> (trump << 3)
        points += ((trumps >> 2) & 1) * 14 + ((trumps >> 4) & 1) * 18
    return points
