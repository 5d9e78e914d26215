"""The greedy house bot: counts its hand, remembers what was played, takes what it can.

It looks at one action at a time and searches nothing. How it judges is `engine.fast.greedy`, which serves whole
batches as well; here a view becomes what that reads. On duplicate boards (4 deals, everybody in every seat) it beats
`random` by more than `MARGINS` points a deal, in Short stakes: the whole 95 % interval lies above it (`tests/engine`).
"""

from __future__ import annotations

import random
from typing import Final

from engine.actions import ACTIONS, Action
from engine.bots.memory import recall
from engine.fast.greedy import judge
from engine.view import View

MARGINS: Final = {"moscow/2": 40, "site/3": 25, "house/4": 20, "klabor/pairs": 60, "short_dava/2": 2}
"""How much more it gets a deal than those against whom it plays do on average, side by side."""

_CODES: Final = {action: code for code, action in enumerate(ACTIONS)}


class Greedy:
    """Bids on a count of its hand, uses every right that is worth something, leads masters, keeps dear cards."""

    def choose(self, view: View, rng: random.Random) -> Action:
        """A legal action; the same for the same view, whatever `rng`."""
        if len(view.legal) == 1:
            return view.legal[0]
        return ACTIONS[judge(recall(view), *_legal_masks(view.legal))]


def _legal_masks(legal: tuple[Action, ...]) -> tuple[int, int, int]:
    """Legal actions as the fast core has them: rights by code, cards, and cards with which bella may be said."""
    rights = cards = bella = 0
    for action in legal:
        if action.card is None:
            rights |= 1 << _CODES[action]
        elif action.bella:
            bella |= 1 << action.card
        else:
            cards |= 1 << action.card
    return rights, cards, bella
