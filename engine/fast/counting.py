"""What the cards and rights of a running deal are worth so far, 16 bits a side (R31, R35, R43, R55)."""

from __future__ import annotations

from typing import Final

from engine.fast.deal import FastDeal, came, hand
from engine.fast.ints import i64
from engine.fast.sequences import runs_of, scoring
from engine.fast.terms import BELLA_TO_HALVES, BELLA_TO_ONE_WINS, BELLA_TO_TRICK_WINNER

BELLA: Final = 20
LAST_TRICK: Final = 10
"""As in `engine.bella`, `engine.tricks`; constants of compiled modules are compiled in, those of others looked up."""


def points_by_side(d: FastDeal, last_side: i64) -> i64:
    """Deal points, 16 bits a side: tricks, last trick, sequences, bella (R43).

    `last_side` took the last trick; -1: nobody has yet, and what waits for it does not count (R55).
    """
    t = d.terms
    points: i64 = d.points
    if last_side >= 0:
        points += LAST_TRICK << (last_side << 4)
    if d.declared:
        points += _sequence_points(d, last_side)
    if d.bella_seat >= 0:
        side: i64 = d.bella_side if t.bella_to == BELLA_TO_TRICK_WINNER else d.bella_seat & t.side_mask
        if side >= 0 and (not t.bella_needs_trick or tricks_of(d, side)):
            points += _bella_worth(t.bella_to, d.bella_own) << (side << 4)
    return points


def _bella_worth(bella_to: i64, own_tricks: i64) -> i64:
    if bella_to == BELLA_TO_HALVES:
        return (BELLA >> 1) * own_tricks
    if bella_to == BELLA_TO_ONE_WINS:
        return BELLA if own_tricks else 0
    return BELLA


def _sequence_points(d: FastDeal, last_side: i64) -> i64:
    """Points of the declared sequences, 16 bits a side (R29-R31)."""
    t = d.terms
    sides: i64 = scoring(d, d.declared, last_side)
    points: i64 = 0
    seat: i64 = 0
    while seat < t.players:
        side: i64 = seat & t.side_mask
        if (d.declared >> seat) & (sides >> side) & 1 and (not t.sequence_needs_trick or tricks_of(d, side)):
            points += (runs_of(came(d, seat), d.trump, t) & 0xFFFF) << (side << 4)
        seat += 1
    return points


def tricks_of(d: FastDeal, side: i64) -> i64:
    """How many tricks a side has taken."""
    tricks: i64 = (d.won >> (side << 3)) & 255
    if d.terms.pairs:
        tricks += (d.won >> ((side + 2) << 3)) & 255
    return tricks


def closing_count(d: FastDeal, seat: i64) -> i64:
    """What a closing seat's side counts in this deal, its total left out (R55)."""
    t = d.terms
    side: i64 = seat & t.side_mask
    points: i64 = (points_by_side(d, -1) >> (side << 4)) & 0xFFFF
    if d.bella_seat >= 0:
        return points
    pair: i64 = 0x60 << (d.trump << 3)
    other: i64 = 0
    while other < t.players:
        if other & t.side_mask == side and came(d, other) & pair == pair and hand(d, other) & pair:
            points += BELLA
        other += 1
    return points
