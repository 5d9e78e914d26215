"""Records of random play verify; whatever is changed in one is refused, with the place named."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from deploy.embedded.paths import PROJECT
from engine import Difference, verify
from engine.cards import CARD_TEXTS
from tests.proofs.showing import Line, NotShown, run_module

RANDOM = ("random", "moscow/2", "200", "--seed", "1")
COMMAND = "python -m engine random moscow/2 200 --seed 1 | python -m engine verify -"
CORRUPTED = 5
"""Records of which everything is changed, one thing at a time."""
HEXADECIMAL = ("seed", "commitment")
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing in a record that is not as it was."""

    kind: str
    path: Path
    value: object


def records() -> list[Line]:
    made = run_module("engine", *RANDOM).check().output
    judged = subprocess.run(
        [sys.executable, "-m", "engine", "verify", "-"], cwd=PROJECT, input=made, capture_output=True, text=True
    )
    verdict = judged.stdout.strip().rpartition("\n")[2]
    if (judged.returncode, verdict) != (0, "200 verified"):
        raise NotShown(f"verify ended with status {judged.returncode} and said: {verdict}")
    return [Line("200 records of random play, rights included, verify", verdict, f"`{COMMAND}`"), _corruption(made)]


def _corruption(made: str) -> Line:
    tried: Counter[str] = Counter()
    for text in made.splitlines()[:CORRUPTED]:
        record = json.loads(text)
        for change in changes(record):
            found = verify(changed(record, change))
            if found is None or not _names_the_place(found, change):
                raise NotShown(f"{change.path} changed to {change.value!r} was answered by: {found}")
            tried[change.kind] += 1
    seen = f"{tried.total()} changes in {CORRUPTED} records, all refused at the place: " + ", ".join(
        f"{count} {kind}" for kind, count in sorted(tried.items())
    )
    claim = "a record with anything changed under `deals` or `result`, in the seed, commitment, first dealer is refused"
    return Line(claim, seen, "`python -m tests.proof records`")


def _names_the_place(found: Difference, change: Change) -> bool:
    """A change inside a deal is named by that deal; elsewhere by its field or by what follows from it first."""
    in_deal = change.path[0] == "deals" and len(change.path) > 1
    return bool(found.field) and (not in_deal or found.deal == change.path[1])


def changes(record: dict[str, Any]) -> Iterator[Change]:
    """Everything that can be changed alone: each number, card, action and word, and each digit of the two hashes."""
    for key in ("deals", "result"):
        yield from _inside(record[key], (key,))
    for key in HEXADECIMAL:
        for place, digit in enumerate(record[key]):
            other = record[key][:place] + ("0" if digit != "0" else "1") + record[key][place + 1 :]
            yield Change(f"digits of the {key}", (key,), other)
    yield Change("first dealers", ("first_dealer",), 1 - record["first_dealer"])


def _inside(value: object, path: Path) -> Iterator[Change]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _inside(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _inside(inner, (*path, place))
    else:
        yield Change(_kind(value, path), path, _another(value))


def _kind(value: object, path: Path) -> str:
    if "actions" in path:
        return "actions"
    if "deck" in path:
        return "cards"
    return "numbers" if isinstance(value, int) else "words and nulls"


def _another(value: object) -> object:
    if value is None:
        return 0
    if isinstance(value, int):
        return value + 1
    text = str(value)
    if text in CARD_TEXTS:
        return CARD_TEXTS[(CARD_TEXTS.index(text) + 1) % len(CARD_TEXTS)]
    said, _, action = text.partition(" ")
    if action:
        return f"{said} take" if action == "pass" else f"{said} pass"
    return text + "x"


def changed(record: dict[str, Any], change: Change) -> dict[str, Any]:
    other = copy.deepcopy(record)
    holder: Any = other
    for step in change.path[:-1]:
        holder = holder[step]
    holder[change.path[-1]] = change.value
    return other
