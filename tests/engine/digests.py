"""What fixed seeds give, as digests: `python -m tests.engine.digests --write`.

They are the same compiled and plain and under every Python. Whoever changes what is legal, what is scored, how packs
are drawn, or what a house bot answers, changes them, and has to say why.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from engine import PartySetup, Stepper, play_deals, play_parties, rules_of
from engine.batch import Deals, Parties
from engine.bots import HOUSE, plays
from engine.fast import COMPILED
from engine.fast.chance import Chance
from engine.presets import PRESETS

PAGE: Final = Path(__file__).with_name("digests.json")
SEED: Final = "digests"
SAMPLED: Final = ("moscow/2", "klabor/pairs", "site/3")
"""Where the bots that sample play too, so many worlds at every turn and only one deal: they take their time."""


def digests() -> Iterator[tuple[str, str]]:
    """Every digest with its name, in order."""
    for preset in PRESETS:
        rules = rules_of(preset)
        yield f"{preset} random deals", digest_of(listed(play_deals(rules, 60, SEED)))
        yield f"{preset} random parties", digest_of(listed(play_parties(rules, 8, SEED, most_deals=40)))
        yield f"{preset} greedy parties", digest_of(listed(play_parties(rules, 3, SEED, "greedy", most_deals=40)))
        yield f"{preset} record", digest_of(record(preset))
    for preset in SAMPLED:
        rules = rules_of(preset)
        for name in ("pimc", "solver"):
            if name in HOUSE and plays(name, rules):
                yield f"{preset} {name} deal", digest_of(listed(play_deals(rules, 1, SEED, f"{name}:worlds=4")))


def listed(columns: Deals | Parties) -> dict[str, Any]:
    """Every column as lists."""
    return {name: getattr(columns, name).tolist() for name in columns.__slots__ if name != "n"}


def record(preset: str) -> dict[str, object]:
    """A party of R67's packs in which everybody plays at random, as a record; whatever engine wrote it."""
    party = Stepper(rules_of(preset), setup=PartySetup(rules_of(preset), hashlib.sha256(preset.encode()).digest()))
    chance = Chance(0, 0)
    while not party.over and party.number < 40:
        legal = party.legal
        party.step(legal[chance.below(len(legal))])
    return party.record() | {"engine": ""}


def digest_of(value: object) -> str:
    """SHA-256 over the value as canonical JSON, in hex."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def main() -> None:
    options = argparse.ArgumentParser(
        prog="python -m tests.engine.digests", description=(__doc__ or "").splitlines()[0]
    )
    options.add_argument("--write", action="store_true", help=f"write {PAGE.name} anew")
    asked = options.parse_args()
    text = json.dumps(dict(digests()), indent=0) + "\n"
    if asked.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(f"Python {sys.version.split()[0]}, {'compiled' if COMPILED else 'plain'}", file=sys.stderr)
        print(text, end="")


if __name__ == "__main__":
    main()
