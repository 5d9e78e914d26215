"""`Hidden`: what is certain of a deal as one seat sees it, as numbers, and the world that is drawn from it."""

from __future__ import annotations

from typing import Final, final

from engine.fast.ints import i64
from engine.fast.terms import Terms

SAID_KIND: Final = 2
SAID_HEIGHT: Final = 4
SAID_LEADING: Final = 8
"""In a saying: the seat, and from these bits on the kind announced (terz 1, fifty 2, hundred 3; 0: none was), and the
ranks + 1 that were said of its own top and of the sequence that led until then (0: not said)."""


@final
class Hidden:
    """Certain things first; lists are by seat, cards are masks, -1 stands for nobody and nothing.

    - `unseen`: cards of which it is open where they are; `sure`: those that a seat holds for certain; `need`: how many
      of the unseen it holds besides; `absent`: those it cannot hold; `bound`: whether anything is; `played`; `order`:
      the other seats, those first that have the fewest runs to choose from, then those with the least choice.
    - `codes`: the deal's actions; `forced`: the maker of a forced deal; `trump`; `upcard` as it lies now.
    - `bought`: whether the buy-in is dealt; `taker`: who has the upcard among it; `swapper`: who took it for the seven.
    - `bottom`, and `lies_last`: it is the last of the pack, else the first that nobody was dealt (R11).
    - `sayings`: what each seat told of its sequences, packed; `shown`: the cards it laid open; `opened`: whether the
      moment for that has passed; `asked`: the answer to R22's question.
    - `anchors`: by seat the runs one of which it must have announced, and from bit 32 on the rank of each;
      `shares`: the running sums of their weights.

    Then what is drawn: `hands` as they are now, `dealt` before any exchange, `first` cards (R8), `deck`; `want`,
    `told` (the rank of the run that was chosen), and how many were `laid` and `fitting` so far are the drawing's own.
    """

    def __init__(self, terms: Terms, seat: i64, dealer: i64) -> None:
        self.terms: Terms = terms
        self.seat: i64 = seat
        self.dealer: i64 = dealer
        self.unseen: i64 = 0
        self.trump: i64 = -1
        self.upcard: i64 = 0
        self.forced: i64 = -1
        self.swapper: i64 = -1
        self.taker: i64 = -1
        self.bought: i64 = 0
        self.bottom: i64 = -1
        self.lies_last: i64 = 0
        self.opened: i64 = 0
        self.asked: i64 = -1
        self.bound: i64 = 0
        self.order: list[int] = []
        self.sure: list[int] = []
        self.need: list[int] = []
        self.absent: list[int] = []
        self.played: list[int] = []
        self.codes: list[int] = []
        self.totals: list[int] = []
        self.sayings: list[int] = []
        self.shown: list[int] = []
        self.anchors: list[list[int]] = []
        self.shares: list[list[int]] = []
        self.hands: list[int] = []
        self.dealt: list[int] = []
        self.first: list[int] = []
        self.deck: list[int] = []
        self.want: list[int] = []
        self.told: list[int] = []
        self.laid: i64 = 0
        self.fitting: i64 = 0
