"""`solver`: between two, worlds that fit the view are solved with open cards (`engine.fast.solver`)."""

from __future__ import annotations

import random
import threading
from typing import Final

from engine.actions import Action
from engine.bots.sampling import Sampling
from engine.bots.worlds import TRIES
from engine.deal import Phase
from engine.fast import COMPILED
from engine.fast.chance import Chance
from engine.fast.hidden import Hidden
from engine.fast.solver import Solver as OpenCards
from engine.fast.weighing import Weighing, solve, weigh_deep
from engine.view import View

SOLVED_FROM: Final = 4
"""With so many cards in hand, or fewer, every world is solved at once."""

DEPTH: Final = 5
"""So many last cards of each hand are solved where the cards before them are played out."""

LIMIT: Final = 60_000
PLAIN_LIMIT: Final = 3_000
"""Positions that one world may cost: more are a few milliseconds. As plain Python the core needs as long for the
second number, which a budget asks for; so many worlds are the same either way."""


class Solver(Sampling):
    """As `pimc`, with exact values: of every card in every other world, and of the last cards of what is played out."""

    def choose(self, view: View, rng: random.Random) -> Action:
        """A legal action; raises ValueError unless two play."""
        if view.rules.players != 2:
            raise ValueError(f"solver is for two players, not for {view.rules.table}")
        return super().choose(view, rng)

    def weigh_more(self, view: View, weighing: Weighing, hidden: Hidden, chance: Chance) -> bool:
        """Solves every card in one more world, or plays it out as far as it takes to solve the rest."""
        open_cards = _OWN.open_cards
        open_cards.aborted = 0
        open_cards.limit = LIMIT if COMPILED or self.budget_ms is None else PLAIN_LIMIT
        if _is_solved(view, weighing.worlds):
            if solve(weighing, hidden, open_cards, chance, TRIES):
                return True
            if not open_cards.aborted:
                return False
        return weigh_deep(weighing, hidden, open_cards, chance, TRIES, DEPTH)


def _is_solved(view: View, worlds: int) -> bool:
    """Whether the next world is solved at once: of cards every other one, towards the end every one.

    Solving takes nobody to be ever uncertain, playing out takes everybody to be `greedy`: they err in different ways.
    """
    return view.phase is Phase.PLAY and (view.hand.bit_count() <= SOLVED_FROM or worlds % 2 == 0)


class _Own(threading.local):
    """A solver for each thread: its tables take a millisecond to make, and hold one search at a time."""

    def __init__(self) -> None:
        self.open_cards = OpenCards()


_OWN: Final = _Own()
