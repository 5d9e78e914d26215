"""House bots: they see a `View` and nothing else, and answer one of its legal actions."""

from __future__ import annotations

import time
from typing import Final

from engine.bots.greedy import Greedy
from engine.bots.pimc import Pimc
from engine.bots.policy import Policy
from engine.bots.random import Random
from engine.bots.sampling import MOST, Clock, Sampling
from engine.bots.solver import Solver
from engine.rules import Rules

_THINKING: Final[dict[str, type[Sampling]]] = {"pimc": Pimc, "solver": Solver}

HOUSE: Final[dict[str, Policy]] = {"random": Random(), "greedy": Greedy(), "pimc": Pimc(), "solver": Solver()}
HOUSE_VERSIONS: Final[dict[str, int]] = {"random": 1, "greedy": 1, "pimc": 1, "solver": 1}
"""The version of each that plays here: another number as soon as it would answer some view otherwise."""
THINKERS: Final[frozenset[str]] = frozenset(_THINKING)
"""Those that compute for so long that whoever asks them should do it in a process apart."""

SETTINGS: Final = ("budget_ms", "worlds")
"""What may be said of a thinker behind its name, as in `pimc:worlds=40`."""


class UnknownBot(KeyError):
    """A name that no house bot has."""

    code = "unknown_bot"

    def __str__(self) -> str:
        return str(self.args[0])


def house(name: str, clock: Clock = time.monotonic) -> Policy:
    """The house bot of that name, of a thinker with its setting: `pimc:worlds=40`, `solver:budget_ms=20`.

    `clock`: seconds, by which a budget that is set is measured. Raises UnknownBot, which names those that exist, or
    what may be set.
    """
    bot, colon, setting = name.partition(":")
    if bot not in HOUSE:
        raise UnknownBot(f"there is no house bot {bot!r}: expected one of {', '.join(HOUSE)}")
    return _with_setting(bot, setting, clock) if colon else HOUSE[bot]


def _with_setting(bot: str, text: str, clock: Clock) -> Policy:
    setting, _, number = text.partition("=")
    if bot not in _THINKING:
        raise UnknownBot(f"{bot} has no settings: expected {bot}, not {bot}:{text}")
    if setting not in SETTINGS or not _is_setting(number):
        expected = f"budget_ms or worlds, = and a number from 1 to {MOST}"
        raise UnknownBot(f"{bot} has no setting {text[:40]!r}: expected {expected}")
    thinker = _THINKING[bot]
    return thinker(worlds=int(number)) if setting == "worlds" else thinker(budget_ms=int(number), clock=clock)


def _is_setting(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(MOST)) and 1 <= int(text) <= MOST


def plays(name: str, rules: Rules) -> bool:
    """Whether the house bot of that name plays these rules: `solver` is for two; raises UnknownBot."""
    return not isinstance(house(name), Solver) or rules.players == 2


__all__ = ["HOUSE", "HOUSE_VERSIONS", "SETTINGS", "THINKERS", "Policy", "UnknownBot", "house", "plays"]
