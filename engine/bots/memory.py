"""What a seat can conclude from its view alone: cards gone, cards unseen, voids, points taken."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import PACK, POINTS, SUIT_BITS, Card, mask_of, parse_card, suit_of
from engine.rules import UpcardGoes
from engine.tricks import Trick, winner_of
from engine.view import View

WHOLE_PACK = mask_of(PACK)


@dataclass(frozen=True, slots=True)
class Memory:
    """The play of a deal so far.

    `unseen`: cards that another hand may hold; `voids`: by seat, the suits (as a mask of cards) it was seen not to
    have; `points`: card points of complete tricks by side.
    """

    unseen: int
    voids: tuple[int, ...]
    points: tuple[int, ...]

    def may_hold(self, seat: int) -> int:
        """The unseen cards that this seat may have."""
        return self.unseen & ~self.voids[seat]


def recall(view: View) -> Memory:
    """The memory of a view in the play, from its history."""
    assert view.trump is not None
    plays = cards_played(view.history)
    players = view.rules.players
    gone = view.hand | mask_of(card for _, card in plays)
    if view.rules.upcard in (UpcardGoes.TABLE, UpcardGoes.UNDER):
        gone |= 1 << view.upcard
    if view.bottom is not None:
        gone |= 1 << view.bottom
    voids, points = [0] * players, [0] * view.rules.sides
    for at in range(0, len(plays), players):
        trick = plays[at : at + players]
        for seat, card in trick:
            voids[seat] |= _missing(trick[0][1], card, SUIT_BITS[view.trump])
        if len(trick) == players:
            winner, _ = winner_of(trick, view.trump)
            points[view.rules.side_of(winner)] += sum(POINTS[view.trump][card] for _, card in trick)
    return Memory(WHOLE_PACK & ~gone, tuple(voids), tuple(points))


def _missing(led: Card, card: Card, trumps: int) -> int:
    """The suits of which a seat had none, by the card with which it answered the one led (R38)."""
    if suit_of(card) == suit_of(led):
        return 0
    no_trump = 0 if trumps >> card & 1 else trumps
    return SUIT_BITS[suit_of(led)] | no_trump


def cards_played(history: tuple[str, ...]) -> Trick:
    """Seats and cards of the deal in order of play."""
    said = (line.split(" play:") for line in history if " play:" in line)
    return tuple((int(seat), parse_card(text[:2])) for seat, text in said)
