"""Two hands with open cards, played out in every way the reference engine allows: what a solver must agree with."""

from __future__ import annotations

from typing import Final

from engine import rules_of
from engine.cards import POINTS, Card, Suit, cards_in
from engine.tricks import LAST_TRICK, Trick, legal_plays, winner_of

RULES: Final = rules_of("moscow/2", {})


class BruteForce:
    """Minimax without pruning over the reference's `legal_plays` and `winner_of`; remembers what it has counted."""

    def __init__(self, trump: Suit) -> None:
        self.trump = trump
        self.counted: dict[tuple[int, int, int, Trick], int] = {}

    def best(self, hands: tuple[int, int], seat: int, trick: Trick = ()) -> int:
        """Card points with the last trick's 10 (R42) that seat 0 takes of what is left, both playing perfectly."""
        position = (*hands, seat, trick)
        found = self.counted.get(position)
        if found is None:
            found = self.counted[position] = self._counted(hands, seat, trick)
        return found

    def values(self, hands: tuple[int, int], seat: int, trick: Trick = ()) -> dict[Card, int]:
        """What seat 0 takes after each card that the seat to act may play."""
        legal = cards_in(legal_plays(RULES, self.trump, hands[seat], trick, seat))
        return {card: self._after(hands, seat, trick, card) for card in legal}

    def _counted(self, hands: tuple[int, int], seat: int, trick: Trick) -> int:
        values = self.values(hands, seat, trick).values()
        if not values:
            return 0
        return min(values) if seat else max(values)

    def _after(self, hands: tuple[int, int], seat: int, trick: Trick, card: Card) -> int:
        laid = (*trick, (seat, card))
        hands = (hands[0] & ~(1 << card), hands[1]) if seat == 0 else (hands[0], hands[1] & ~(1 << card))
        if len(laid) == 1:
            return self.best(hands, 1 - seat, laid)
        winner, _ = winner_of(laid, self.trump)
        points = sum(POINTS[self.trump][played] for _, played in laid)
        last = LAST_TRICK if hands == (0, 0) else 0
        return self.best(hands, winner) + (points + last if winner == 0 else 0)
