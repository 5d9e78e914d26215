"""`pimc`: every action played out in worlds that fit the view, everybody playing as `greedy` from there."""

from __future__ import annotations

from engine.bots.sampling import Sampling
from engine.bots.worlds import TRIES
from engine.fast.chance import Chance
from engine.fast.hidden import Hidden
from engine.fast.weighing import Weighing, weigh
from engine.view import View


class Pimc(Sampling):
    """Perfect information Monte Carlo, the same worlds for every action (Ginsberg 1999, Levy 1989).

    It plays every table and every option.
    """

    def weigh_more(self, view: View, weighing: Weighing, hidden: Hidden, chance: Chance) -> bool:
        """Plays every action out in one more world, if it is found within so many tries."""
        return weigh(weighing, hidden, chance, TRIES)
