"""What the greedy judgement gives to each consideration, by kind of table.

Found by play: each was moved up and down as long as whole batches of duplicate boards against the judgement before it,
and against random play, came out better by more than chance (at moscow/2, klabor/pairs, site/3 and house/4).
"""

from __future__ import annotations

from typing import Final, final

from engine.fast.ints import i64
from engine.fast.terms import Terms


@final
class Weights:
    """Of hands in points, of cards in 64ths of a point.

    - `length`, `side_ace`, `side_ten`: of a trump beside its points, an ace beside trumps, a ten under it.
    - `take_from`, `name_from`: what a hand must be worth to take the upcard's suit, or to name another.
    - `dava_from`, `surrender_below`: by how much it must promise more than the other hand, or less (R59).
    - `tempo`: of taking the trick, which is to lead to the next; `loss`: of a point that others take.
    - `lead_spoils`: what others are expected to add to a trick that one leads and takes.
    - `lead_strength`: of leading a card that is no trump, by its place in the suit.
    - `draw`, `draw_as_maker`, `draw_length`: of leading a trump while others may have some, as a defender, as the
      maker, and there for every trump in hand; `draw_lost`: the cost if others take it.
    - `keep_…`: what a card is good for later. A trump: as it is, by its place in the suit, by its points, and when it
      is one of the last two. Another: if nobody can beat it, its points and the spoils, more or less when it is one of
      the last two; if somebody can, the risk of its points; and by its place in the suit.
    - `ruff_soon`: of getting rid of the last card of a suit while one has trumps.
    """

    def __init__(
        self,
        *,
        length: i64,
        side_ace: i64,
        side_ten: i64,
        take_from: i64,
        name_from: i64,
        dava_from: i64,
        surrender_below: i64,
        tempo: i64,
        loss: i64,
        lead_spoils: i64,
        lead_strength: i64,
        draw: i64,
        draw_as_maker: i64,
        draw_length: i64,
        draw_lost: i64,
        keep_trump: i64,
        keep_trump_strength: i64,
        keep_trump_points: i64,
        keep_last_trump: i64,
        keep_points: i64,
        keep_spoils: i64,
        keep_last: i64,
        keep_risk: i64,
        keep_strength: i64,
        ruff_soon: i64,
    ) -> None:
        self.length: i64 = length
        self.side_ace: i64 = side_ace
        self.side_ten: i64 = side_ten
        self.take_from: i64 = take_from
        self.name_from: i64 = name_from
        self.dava_from: i64 = dava_from
        self.surrender_below: i64 = surrender_below
        self.tempo: i64 = tempo
        self.loss: i64 = loss
        self.lead_spoils: i64 = lead_spoils
        self.lead_strength: i64 = lead_strength
        self.draw: i64 = draw
        self.draw_as_maker: i64 = draw_as_maker
        self.draw_length: i64 = draw_length
        self.draw_lost: i64 = draw_lost
        self.keep_trump: i64 = keep_trump
        self.keep_trump_strength: i64 = keep_trump_strength
        self.keep_trump_points: i64 = keep_trump_points
        self.keep_last_trump: i64 = keep_last_trump
        self.keep_points: i64 = keep_points
        self.keep_spoils: i64 = keep_spoils
        self.keep_last: i64 = keep_last
        self.keep_risk: i64 = keep_risk
        self.keep_strength: i64 = keep_strength
        self.ruff_soon: i64 = ruff_soon


_TWO: Final = Weights(
    length=8,
    side_ace=8,
    side_ten=6,
    take_from=50,
    name_from=44,
    dava_from=20,
    surrender_below=-16,
    tempo=-10,
    loss=64,
    lead_spoils=108,
    lead_strength=171,
    draw=240,
    draw_as_maker=640,
    draw_length=-138,
    draw_lost=636,
    keep_trump=404,
    keep_trump_strength=49,
    keep_trump_points=55,
    keep_last_trump=295,
    keep_points=30,
    keep_spoils=23,
    keep_last=-128,
    keep_risk=16,
    keep_strength=0,
    ruff_soon=-87,
)
_PAIRS: Final = Weights(
    length=8,
    side_ace=3,
    side_ten=6,
    take_from=56,
    name_from=56,
    dava_from=25,
    surrender_below=-55,
    tempo=-10,
    loss=64,
    lead_spoils=108,
    lead_strength=60,
    draw=240,
    draw_as_maker=640,
    draw_length=-128,
    draw_lost=1513,
    keep_trump=308,
    keep_trump_strength=68,
    keep_trump_points=89,
    keep_last_trump=295,
    keep_points=26,
    keep_spoils=23,
    keep_last=-128,
    keep_risk=6,
    keep_strength=0,
    ruff_soon=-87,
)
_MANY: Final = Weights(
    length=8,
    side_ace=8,
    side_ten=6,
    take_from=56,
    name_from=56,
    dava_from=25,
    surrender_below=-55,
    tempo=-10,
    loss=56,
    lead_spoils=151,
    lead_strength=60,
    draw=240,
    draw_as_maker=538,
    draw_length=-137,
    draw_lost=890,
    keep_trump=46,
    keep_trump_strength=68,
    keep_trump_points=89,
    keep_last_trump=295,
    keep_points=33,
    keep_spoils=23,
    keep_last=-128,
    keep_risk=10,
    keep_strength=0,
    ruff_soon=-121,
)


def weights_of(t: Terms) -> Weights:
    """The weights for a table."""
    if t.players == 2:
        return _TWO
    return _PAIRS if t.pairs else _MANY
