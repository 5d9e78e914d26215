"""Sequences and jackpots on masks: what a hand holds, and whose are best (R23-R31)."""

from __future__ import annotations

from typing import Final

from engine.fast.deal import FastDeal, after, came
from engine.fast.ints import i64
from engine.fast.terms import (
    SEQUENCE_TIE_LAST_TRICK,
    SEQUENCE_TIE_ORDER,
    SEQUENCE_TIE_SUIT,
    SEQUENCE_TIE_TRUMP_ORDER,
    Terms,
)

_ANCHORS: Final = 0x3F3F3F3F
_TERZ: Final = 1
_FIFTY: Final = 2
_HUNDRED: Final = 3
# Their worth in points, eight bits each.
_WORTHS: Final = 20 << 8 | 50 << 16 | 100 << 24


def holds_sequence(cards: i64) -> bool:
    """Whether any suit has three in a row (R23)."""
    return cards & (cards >> 1) & (cards >> 2) & _ANCHORS != 0


def runs_of(cards: i64, trump: i64, t: Terms) -> i64:
    """All sequences of a hand (R23-R26), 0 for none: points, 16 bits; then what R28 compares of the best, 8 bits
    (kind * 8 + top rank, kinds from 1); then a bit that says whether a best one is of trumps."""
    points: i64 = 0
    best: i64 = 0
    of_trumps: i64 = 0
    suit: i64 = 0
    while suit < 4:
        bits: i64 = (cards >> (suit << 3)) & 255
        top: i64 = 7 if bits & (bits >> 1) & (bits >> 2) else 0
        while top >= 2:
            length: i64 = run_down(bits, top)
            after_it: i64 = top - length - 1
            while length >= 3:
                kind: i64 = _TERZ
                taken: i64 = 3
                if 0 < t.hundred <= length:
                    kind = _HUNDRED
                    taken = t.hundred
                elif length >= 4:
                    kind = _FIFTY
                    taken = 4
                points += (_WORTHS >> (kind << 3)) & 255
                rank: i64 = kind << 3 | top
                if rank > best:
                    best = rank
                    of_trumps = 0
                if rank == best and suit == trump:
                    of_trumps = 1
                top -= taken
                length = length - taken if t.split_runs else 0
            top = after_it
        suit += 1
    return points | best << 16 | of_trumps << 24


def run_down(bits: i64, top: i64) -> i64:
    """How many cards of a suit's eight bits stand in a row from this rank down."""
    length: i64 = 0
    while top >= length and (bits >> (top - length)) & 1:
        length += 1
    return length


def scoring(d: FastDeal, who: i64, last_side: i64) -> i64:
    """The mask of sides that score sequences, if the seats of the mask `who` declare all that they came with.

    `last_side` has taken the last trick, -1: nobody has yet (R28-R30).
    """
    t = d.terms
    best: i64 = 0
    tied: i64 = 0
    earliest: i64 = -1
    in_trumps: i64 = -1
    seat: i64 = d.first_leader
    places: i64 = t.players
    while places > 0:
        runs: i64 = runs_of(came(d, seat), d.trump, t) if (who >> seat) & 1 else 0
        rank: i64 = (runs >> 16) & 255
        side: i64 = seat & t.side_mask
        if rank > best:
            best = rank
            tied = 0
            earliest = side
            in_trumps = -1
        if rank and rank == best:
            tied |= 1 << side
            if runs >> 24:
                in_trumps = side
        seat = after(d, seat)
        places -= 1
    pool: i64 = 0
    if t.defenders_pool:
        pool = ((1 << t.sides) - 1) & ~(1 << (d.maker & t.side_mask))
    winner: i64 = earliest
    if tied & (tied - 1) and tied & ~pool:
        winner = _untied(t.sequence_tie, tied, earliest, in_trumps, last_side)
    if winner < 0:
        return 0
    return pool if (pool >> winner) & 1 else 1 << winner


def _untied(tie: i64, tied: i64, earliest: i64, in_trumps: i64, last_side: i64) -> i64:
    """The best of equal sequences by `sequence_tie`, -1: nobody's (R28)."""
    if in_trumps >= 0 and tie != SEQUENCE_TIE_ORDER and tie != SEQUENCE_TIE_LAST_TRICK:
        return in_trumps
    if tie == SEQUENCE_TIE_SUIT:
        return -1
    if tie == SEQUENCE_TIE_ORDER:
        return earliest
    if tie == SEQUENCE_TIE_TRUMP_ORDER:
        return earliest
    return last_side if last_side >= 0 and (tied >> last_side) & 1 else -1


def holds_jackpot(d: FastDeal, seat: i64) -> bool:
    """Whether a seat holds a jackpot, or held one when it came to its first card (R25)."""
    t = d.terms
    if not t.jackpot_length:
        return False
    cards: i64 = came(d, seat)
    if t.jackpot_first_cards:
        cards &= d.first
    suit: i64 = 0
    while suit < 4:
        if (not t.jackpot_trumps_only or suit == d.trump) and _is_jackpot(t, (cards >> (suit << 3)) & 255):
            return True
        suit += 1
    return False


def _is_jackpot(t: Terms, bits: i64) -> bool:
    top: i64 = 7
    while top >= t.jackpot_length - 1:
        if run_down(bits, top) >= t.jackpot_length:
            return True
        top = top - 1 if not t.jackpot_from_ace else 0
    return False


def terz_is_good(d: FastDeal) -> bool:
    """The answer to R22's question of the seat to act: whether it would score, if all declared all that they hold."""
    seat: i64 = 0
    while seat < d.terms.players:
        if holds_jackpot(d, seat):
            return holds_jackpot(d, d.to_act)
        seat += 1
    return (scoring(d, 15, -1) >> (d.to_act & d.terms.side_mask)) & 1 == 1
