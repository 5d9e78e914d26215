"""House bots: they see a `View` and nothing else, and answer one of its legal actions."""

from __future__ import annotations

from typing import Final

from engine.bots.greedy import Greedy
from engine.bots.policy import Policy
from engine.bots.random import Random
from engine.rules import Rules

HOUSE: Final[dict[str, Policy]] = {"random": Random(), "greedy": Greedy()}
HOUSE_VERSIONS: Final[dict[str, int]] = {"random": 1, "greedy": 1}
"""The version of each that plays here: another number as soon as it would answer some view otherwise."""
THINKERS: Final[frozenset[str]] = frozenset()
"""Those that compute for so long that whoever asks them should do it in a process apart."""


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


def plays(name: str, rules: Rules) -> bool:
    """Whether the house bot of that name plays these rules; raises UnknownBot."""
    house(name)
    return True


__all__ = ["HOUSE", "HOUSE_VERSIONS", "THINKERS", "Policy", "UnknownBot", "house", "plays"]
