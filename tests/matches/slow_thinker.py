"""A thinker with house programs of the tests' own: each plays as `greedy` does but for one thing."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable

from engine import Action, View
from engine.bots import HOUSE, house
from matches.thinking.thinker import main

SLOW_MS = 20


class Slow:
    """Computes for a while first."""

    def choose(self, view: View, rng: random.Random) -> Action:
        until = time.process_time() + SLOW_MS / 1_000
        while time.process_time() < until:
            pass
        return house("greedy").choose(view, rng)


class Odd:
    """Does something else instead, at every so many of its decisions."""

    def __init__(self, instead: Callable[[], object], every: int = 1) -> None:
        self.instead, self.every, self.asked = instead, every, 0

    def choose(self, view: View, rng: random.Random) -> Action:
        self.asked += 1
        if self.asked % self.every == 0:
            self.instead()
        return house("greedy").choose(view, rng)


def for_ever() -> None:
    while True:
        pass


def fail() -> None:
    raise ValueError("a mistake in a house program")


PROGRAMS = {
    "slow": Slow(),
    "endless": Odd(for_ever),
    "fragile": Odd(lambda: os._exit(7), every=12),
    "raising": Odd(fail),
    "sleeping": Odd(lambda: time.sleep(0.3)),
    "talking": Odd(lambda: print("I have a good hand", flush=True)),
}

if __name__ == "__main__":
    HOUSE.update(PROGRAMS)
    main()
