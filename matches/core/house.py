"""House programs as entrants: which version a label means, what it may compute, and whether this code has it.

A version never changes what it plays. One that the code has left behind is refused, and played by no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine import Rules
from engine.bots import HOUSE, HOUSE_VERSIONS, THINKERS, house, plays

KIND: Final = "house"
"""The kind of agent that plays as a house program; see SEAT_AGENTS."""

BUDGETS_MS: Final[dict[str, int]] = {"pimc@1": 50, "solver@1": 50}
"""Of those that compute for long, by label: so much for one decision, and less where there is nothing to weigh."""

_LABEL = re.compile(r"(?P<name>[a-z]+)@(?P<version>[1-9][0-9]{0,5})")


class HouseRefused(ValueError):
    """A label that this code cannot play; `code` is stable."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class HouseProgram:
    """A house program in the one version of it that plays here."""

    name: str
    version: int

    @property
    def label(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def budget_ms(self) -> int | None:
        """What a decision may take; None for those that answer at once."""
        return BUDGETS_MS.get(self.label)

    @property
    def thinks(self) -> bool:
        """Whether it computes for so long that no lane may wait in its loop."""
        return self.name in THINKERS

    @property
    def policy(self) -> str:
        """What `engine.bots.house` takes."""
        return self.name if self.budget_ms is None else f"{self.name}:budget_ms={self.budget_ms}"

    def plays(self, rules: Rules) -> bool:
        return plays(self.name, rules)


def house_programs() -> tuple[HouseProgram, ...]:
    """All that play here, weakest first."""
    return tuple(HouseProgram(name, HOUSE_VERSIONS[name]) for name in HOUSE)


def house_program(label: str) -> HouseProgram:
    """What a label means, such as `greedy@1`.

    Raises HouseRefused for a text that is no label and for a version that is not played here, and what
    `engine.bots.house` raises for a name that does not exist.
    """
    written = _LABEL.fullmatch(label)
    if written is None:
        raise HouseRefused("bad_house_label", f"“{label}” is no version of a house program: expected such as greedy@1.")
    name, version = written["name"], int(written["version"])
    house(name)
    if version != HOUSE_VERSIONS[name]:
        raise HouseRefused(
            "house_version_gone",
            f"{label} is not played here: this installation has {name}@{HOUSE_VERSIONS[name]}, which plays otherwise.",
        )
    return HouseProgram(name, version)


def why_not_house(label: str, rules: Rules | None = None) -> str | None:
    """Why a house agent with this label cannot play, these rules if any are given; None if it can."""
    try:
        program = house_program(label)
    except (HouseRefused, KeyError) as refusal:
        return str(refusal)
    if rules is not None and not program.plays(rules):
        return f"{label} does not play {rules.name}."
    return None


def thinks(label: str) -> bool:
    """Whether it is a house program's that computes for long, in whichever version."""
    return label.partition("@")[0] in THINKERS
