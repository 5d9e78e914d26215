"""`solver`: between two, worlds that fit the view are solved with open cards (`engine.fast.solver`)."""

from __future__ import annotations

import random
from typing import Final

from engine.actions import Action
from engine.bots.sampling import Sampling
from engine.bots.worlds import TRIES
from engine.deal import Phase
from engine.fast.chance import Chance
from engine.fast.hidden import Hidden
from engine.fast.solver import Solver as OpenCards
from engine.fast.weighing import Weighing, solve, weigh
from engine.view import View

VERSION: Final = 1

LIMIT: Final = 60_000
"""Positions that one world may cost: more are a few milliseconds."""


class Solver(Sampling):
    """As `pimc`, with the exact value of every card in each world; bids, rights and raises are played out."""

    def choose(self, view: View, rng: random.Random) -> Action:
        """A legal action; raises ValueError unless two play."""
        if view.rules.players != 2:
            raise ValueError(f"solver is for two players, not for {view.rules.table}")
        return super().choose(view, rng)

    def weigh_more(self, view: View, weighing: Weighing, hidden: Hidden, chance: Chance) -> bool:
        """Solves one more world, or plays it out where that takes too long or no card is asked for."""
        if view.phase is Phase.PLAY:
            open_cards = _open_cards()
            if solve(weighing, hidden, open_cards, chance, TRIES):
                return True
            if not open_cards.aborted:
                return False
        return weigh(weighing, hidden, chance, 1, TRIES)


_made: Final[list[OpenCards]] = []


def _open_cards() -> OpenCards:
    """One solver for all: its tables take a while to make."""
    if not _made:
        _made.append(OpenCards())
        _made[0].limit = LIMIT
    return _made[0]
