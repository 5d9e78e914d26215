"""What every house bot is."""

from __future__ import annotations

import random
from typing import Protocol

from engine.actions import Action
from engine.view import View


class Policy(Protocol):
    """Chooses from what a seat may know; the same view and the same `rng` give the same action."""

    def choose(self, view: View, rng: random.Random) -> Action:
        """One of `view.legal`, which is not empty."""
