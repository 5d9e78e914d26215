"""The random house bot."""

from __future__ import annotations

import random
from typing import Final

from engine.actions import CLOSE, REDEAL, SURRENDER, Action
from engine.view import View

SELDOM: Final = 40
"""One turn in so many considers the actions that end a deal at once."""


class Random:
    """Any legal action, rights, offers and dava included; those that end the deal at once only seldom.

    Were `close` as likely as any card, hardly a party would see its second deal.
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """A legal action, all that are considered equally likely."""
        if rng.randrange(SELDOM) == 0:
            return rng.choice(view.legal)
        return rng.choice([action for action in view.legal if action not in (CLOSE, REDEAL, SURRENDER)])
