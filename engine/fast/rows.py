"""`Rows`: what many deals came to, packed so that a buffer of any column is made of it at once."""

from __future__ import annotations

from typing import Final, final

from engine.fast.bits import M32
from engine.fast.deal import PLAYED, FastDeal
from engine.fast.ints import i64
from engine.fast.outcome import Outcome

FACTS: Final = ("dealer", "maker", "trump", "end", "verdict", "ender", "last", "winner")
"""The bytes of a row of `facts`, lowest first, each signed, -1 = none.

`end`, `verdict`: places in `engine.deal.End` and `engine.scoring.Verdict`; `last`: the side that took the last trick;
`winner`: the side that wins by this deal whatever the totals (Short, a jackpot).
"""

_HALF: Final = 1 << 32
_TOP_BYTE: Final = 1 << 56


@final
class Rows:
    """Columns of many deals as lists of 64-bit numbers, signed, in order.

    - `points`, `written`, and `stakes` in Short (else empty): 32-bit numbers, `sides` of them for each deal, two in a
      number, the lower half first; after `finish` an odd one is followed by a 0.
    - `facts`: for each deal eight bytes, named in `FACTS`.
    - `fined`: only of sides that are fined, two numbers each: deal * 4 + side, points.
    - `waiting`: only of deals that leave points waiting, two numbers each: deal, points.

    Deals are counted from 0 in the order in which they were added.
    """

    def __init__(self, sides: i64, short: i64) -> None:
        self.sides: i64 = sides
        self.short: i64 = short
        self.count: i64 = 0
        self.points: list[int] = []
        self.written: list[int] = []
        self.stakes: list[int] = []
        self.facts: list[int] = []
        self.fined: list[int] = []
        self.waiting: list[int] = []
        self.odd_points: i64 = 0
        self.odd_written: i64 = 0
        self.odd_stakes: i64 = 0

    def add(self, d: FastDeal, o: Outcome) -> None:
        """One more deal, ended and counted."""
        if self.sides == 2:
            self.points.append(int(o.point0 | (o.point1 << 32)))
            self.written.append(int((o.wrote0 & M32) + o.wrote1 * _HALF))
        else:
            self._add_several(o)
        last: i64 = d.leader & d.terms.side_mask if d.end == PLAYED else -1
        low: i64 = d.dealer | ((d.maker & 255) << 8) | ((d.trump & 255) << 16) | (d.end << 24)
        high: i64 = (o.verdict & 255) | ((d.ender & 255) << 8) | ((last & 255) << 16)
        self.facts.append(int(low | (high << 32)) + int(o.winner * _TOP_BYTE))
        if o.fine0 | o.fine1 | o.fine2 | o.fine3:
            self._add_fines(o)
        if o.pool:
            self.waiting.append(int(self.count))
            self.waiting.append(int(o.pool))
        if self.short >= 0:
            self._add_stakes(o)
        self.count += 1

    def _add_several(self, o: Outcome) -> None:
        """Points and written of three or four sides."""
        if self.sides == 4:
            self.points.append(int(o.point0 | (o.point1 << 32)))
            self.points.append(int(o.point2 | (o.point3 << 32)))
            self.written.append(int((o.wrote0 & M32) + o.wrote1 * _HALF))
            self.written.append(int((o.wrote2 & M32) + o.wrote3 * _HALF))
        elif self.count & 1:
            self.points.append(int(self.odd_points | (o.point0 << 32)))
            self.points.append(int(o.point1 | (o.point2 << 32)))
            self.written.append(int((self.odd_written & M32) + o.wrote0 * _HALF))
            self.written.append(int((o.wrote1 & M32) + o.wrote2 * _HALF))
        else:
            self.points.append(int(o.point0 | (o.point1 << 32)))
            self.written.append(int((o.wrote0 & M32) + o.wrote1 * _HALF))
            self.odd_points = o.point2
            self.odd_written = o.wrote2

    def _add_stakes(self, o: Outcome) -> None:
        """Stakes of two or three sides (or four: R58 knows no table that has none)."""
        if self.sides == 3 and self.count & 1:
            self.stakes.append(int((self.odd_stakes & M32) + o.stake0 * _HALF))
            self.stakes.append(int((o.stake1 & M32) + o.stake2 * _HALF))
            return
        self.stakes.append(int((o.stake0 & M32) + o.stake1 * _HALF))
        if self.sides == 4:
            self.stakes.append(int((o.stake2 & M32) + o.stake3 * _HALF))
        self.odd_stakes = o.stake2

    def _add_fines(self, o: Outcome) -> None:
        side: i64 = 0
        while side < self.sides:
            fine: i64 = o.fine0
            if side:
                fine = o.fine1 if side == 1 else o.fine2 if side == 2 else o.fine3
            if fine:
                self.fined.append(int(self.count * 4 + side))
                self.fined.append(int(fine))
            side += 1

    def finish(self) -> None:
        """After the last deal: what is left over of an odd number of deals of three sides."""
        if self.sides == 3 and self.count & 1:
            self.points.append(int(self.odd_points))
            self.written.append(int(self.odd_written & M32))
            if self.short >= 0:
                self.stakes.append(int(self.odd_stakes & M32))
