"""The greedy house bot."""

from __future__ import annotations

import random

from engine.actions import Action
from engine.view import View


class Greedy:
    """Plays by rules of thumb."""

    def choose(self, view: View, rng: random.Random) -> Action:
        """A legal action."""
        return view.default or rng.choice(view.legal)
