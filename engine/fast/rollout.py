"""Deals played out inside the core, and what an ended one is worth to a side."""

from __future__ import annotations

from typing import Final

from engine.fast.chance import Chance
from engine.fast.deal import FastDeal
from engine.fast.greedy import greedy_code
from engine.fast.ints import i64
from engine.fast.outcome import Outcome
from engine.fast.random_play import random_code
from engine.fast.step import step

RANDOM: Final = 0
GREEDY: Final = 1
"""Policies of `play_out`, four bits a seat, seat 0 lowest."""

_STAKE: Final = 100


def rollout(d: FastDeal, chance: Chance) -> None:
    """Plays a deal to its end, every seat as the house bot `greedy`.

    `chance` is there for policies that need it: greedy play takes nothing from it.
    """
    while d.end < 0:
        step(d, greedy_code(d))


def play_out(d: FastDeal, chance: Chance, policies: i64) -> None:
    """Plays a deal to its end, every seat by its own policy."""
    while d.end < 0:
        if policies >> (d.to_act << 2) & 15 == GREEDY:
            step(d, greedy_code(d))
        else:
            step(d, random_code(d, chance))


def worth(d: FastDeal, o: Outcome, side: i64) -> i64:
    """What an ended deal is worth to a side, in quarters of a point: its own less the mean of the others'.

    `o`: what the deal writes. Its own is what a side writes, less its fines, and half of what waits for it; in Short a
    stake is 100. A part of a quarter is rounded up, so that more points are never worth less.
    """
    sides = d.terms.sides
    own = _gain(d, o, side)
    others = _gain(d, o, 0) + _gain(d, o, 1) - own
    if sides > 2:
        others += _gain(d, o, 2)
    if sides > 3:
        others += _gain(d, o, 3)
    return 4 * own - 4 * others // (sides - 1)


def _gain(d: FastDeal, o: Outcome, side: i64) -> i64:
    """Points that a side has of a deal, or its stakes."""
    if d.terms.short >= 0:
        return _STAKE * _by_side(side, o.stake0, o.stake1, o.stake2, o.stake3)
    waiting = o.pool >> 1 if o.pool_sides >> side & 1 else 0
    written = _by_side(side, o.wrote0, o.wrote1, o.wrote2, o.wrote3)
    return written - _by_side(side, o.fine0, o.fine1, o.fine2, o.fine3) + waiting


def _by_side(side: i64, zero: i64, one: i64, two: i64, three: i64) -> i64:
    if side < 2:
        return one if side else zero
    return three if side == 3 else two
