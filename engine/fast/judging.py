"""What cards are worth to the greedy judgement, on plain integers: hands before the play, chances in it.

Chances are of 4096, estimated, not counted: every unseen card is taken to lie in a hand as likely as any other.
"""

from __future__ import annotations

from typing import Final

from engine.fast.bits import M32, points_in, popcount
from engine.fast.counting import BELLA
from engine.fast.ints import i64
from engine.fast.sequences import holds_sequence, runs_of
from engine.fast.terms import Terms
from engine.fast.weights import Weights, weights_of

CERTAIN: Final = 4096
"""A chance that is none."""

_ACES: Final = 0x80808080
_TENS: Final = 0x08080808
# Where a run of six or seven may begin; the mask keeps it from going over into the next suit.
_SIX: Final = 0x07070707
_SEVEN: Final = 0x03030303


def card_worth(held: i64, trump: i64, w: Weights) -> i64:
    """What the cards of a hand alone may hope to take, in points: trumps and side aces."""
    suit = suits_of(1 << trump)
    trumps = held & suit
    aces = held & ~suit & _ACES
    guarded = held & ~suit & _TENS & (aces >> 4)
    side = w.side_ace * popcount(aces) + w.side_ten * popcount(guarded)
    return points_in(trumps, trump) + w.length * popcount(trumps) + side


def pair_worth(held: i64, trump: i64) -> i64:
    """What bella gives a hand that comes with it to its first card (R33): 20 or nothing."""
    return BELLA if held >> ((trump << 3) + 5) & 3 == 3 else 0


def trump_worth(held: i64, trump: i64, t: Terms) -> i64:
    """How strong a hand is with these trumps, in points it may hope to take; half its sequences and bella included."""
    return card_worth(held, trump, weights_of(t)) + (runs_worth(held, t) >> 1) + pair_worth(held, trump)


def runs_worth(held: i64, t: Terms) -> i64:
    """What the sequences of a hand score (R23, R24, R26)."""
    return runs_of(held, -1, t) & 0xFFFF if holds_sequence(held) else 0


def long_run(held: i64, length: i64, only: i64, from_ace: bool) -> bool:
    """Whether a run of so many cards (6 or 7) stands in a hand (R25); `only`: the mask of the suits that count."""
    runs = held & held >> 1
    runs &= runs >> 2
    runs &= held >> 4 & held >> 5
    if length == 7:
        runs &= held >> 6
    if from_ace:
        anchors: i64 = 0x02020202 if length == 7 else 0x04040404
    else:
        anchors = _SEVEN if length == 7 else _SIX
    return runs & anchors & only != 0


def swapped(held: i64, trump: i64, upcard: i64) -> i64:
    """The hand with the upcard for its trump seven; as it is if it holds none (R20)."""
    seven: i64 = 1 << (trump << 3)
    one: i64 = 1
    return held & ~seven & M32 | one << upcard if held & seven else held


def suits_of(four: i64) -> i64:
    """The mask of all cards of the suits whose bits are set among four."""
    return ((four & 1) | (four & 2) << 7 | (four & 4) << 14 | (four & 8) << 21) * 255


def power(share: i64, times: i64) -> i64:
    """The chance that something with the chance `share` comes so many times running."""
    chance: i64 = CERTAIN
    while times > 0:
        chance = chance * share >> 12
        times -= 1
    return chance
