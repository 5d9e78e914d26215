"""How many legal sequences there are from a fixed table, as chess counts them: `python -m tests.engine.perft --write`.

Counted by a loop over `legal_actions` and `apply` and nothing else. The counts stand in `perft.json`; whoever changes
what is legal changes them, and has to say why.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from engine import PartySetup, Table, apply, legal_actions, rules_of, start
from engine.presets import PRESETS

PAGE: Final = Path(__file__).with_name("perft.json")
MOST: Final = 12_000
"""A line of counts ends before the first that is larger."""

STARTS: Final = (0, 0, 6, 10)
"""After how many actions of random play the counting begins, one fixed deal each."""


class Start(NamedTuple):
    """A table to count from: a preset, and which of its fixed deals."""

    preset: str
    deal: int

    @property
    def name(self) -> str:
        return f"{self.preset} {self.deal}"

    def table(self) -> Table:
        """The table, after so many actions of random play from a seed that its name gives."""
        seed = hashlib.sha256(self.name.encode()).digest()
        table, rng = start(PartySetup(rules_of(self.preset), seed)), random.Random(self.name)
        for _ in range(STARTS[self.deal]):
            going = [action for action in legal_actions(table) if action.text not in ("close", "redeal", "surrender")]
            table = apply(table, rng.choice(going))
        return table


def starts() -> Iterator[Start]:
    """Every table that is counted from."""
    return (Start(preset, deal) for preset in PRESETS for deal in range(len(STARTS)))


def sequences(table: Table, depth: int) -> int:
    """How many sequences of so many legal actions there are; a party that is over has no longer ones."""
    if depth == 0:
        return 1
    actions = legal_actions(table)
    if depth == 1:
        return len(actions)
    return sum(sequences(apply(table, action), depth - 1) for action in actions)


def counts(table: Table, most: int) -> list[int]:
    """The counts of depth 1, 2, … as long as they are at most so large, and not 0."""
    found: list[int] = []
    while (number := sequences(table, len(found) + 1)) <= most and number:
        found.append(number)
    return found


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.engine.perft", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--write", action="store_true", help=f"write {PAGE.name} anew")
    asked = options.parse_args()
    lines = [f"{json.dumps(one.name)}: {counts(one.table(), MOST)}" for one in starts()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if asked.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
