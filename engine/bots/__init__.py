"""House bots: they see a `View` and nothing else, and answer one of its legal actions."""

from __future__ import annotations

from typing import Final

from engine.bots.greedy import Greedy
from engine.bots.policy import Policy
from engine.bots.random import Random

HOUSE: Final[dict[str, Policy]] = {"random": Random(), "greedy": Greedy()}


class UnknownBot(KeyError):
    """A name that no house bot has."""

    code = "unknown_bot"

    def __str__(self) -> str:
        return str(self.args[0])


def house(name: str) -> Policy:
    """The house bot of that name; raises UnknownBot, which names those that exist."""
    if name not in HOUSE:
        raise UnknownBot(f"there is no house bot {name!r}: expected one of {', '.join(HOUSE)}")
    return HOUSE[name]


__all__ = ["HOUSE", "Policy", "UnknownBot", "house"]
