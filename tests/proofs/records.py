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
from engine import Difference, presets, verify
from engine.cards import CARD_TEXTS
from tests.proofs.showing import Line, NotShown, run_module

PARTIES, SEED = 300, 7
COMMAND = f"`python -m engine random PRESET {PARTIES} --seed {SEED} | python -m engine verify -`"
CORRUPTED = {"moscow/2": 3, "kharkov_full/3": 1, "house/4": 1, "klabor/pairs": 2, "short_dava/2": 3}
"""Records of which everything is changed, one thing at a time, by preset."""
HEXADECIMAL = ("seed", "commitment")
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing in a record that is not as it was."""

    kind: str
    path: Path
    value: object


def records() -> list[Line]:
    for preset in presets():
        _verified(preset)
    seen = f"{PARTIES * len(presets())} verified, {PARTIES} of each of {len(presets())} presets and tables"
    return [Line("records of random play, rights included, verify at every preset", seen, COMMAND), _corruption()]


def _verified(preset: str) -> None:
    made = _made(preset, PARTIES)
    judged = subprocess.run(
        [sys.executable, "-m", "engine", "verify", "-"], cwd=PROJECT, input=made, capture_output=True, text=True
    )
    verdict = judged.stdout.strip().rpartition("\n")[2]
    if (judged.returncode, verdict) != (0, f"{PARTIES} verified"):
        raise NotShown(f"{preset}: verify ended with status {judged.returncode} and said: {verdict}")


def _made(preset: str, parties: int) -> str:
    return run_module("engine", "random", preset, str(parties), "--seed", str(SEED)).check().output


def _corruption() -> Line:
    tried: Counter[str] = Counter()
    for preset, parties in CORRUPTED.items():
        for text in _made(preset, parties).splitlines():
            tried += _corrupted(json.loads(text))
    seen = f"{tried.total()} changes in {sum(CORRUPTED.values())} records, all refused at the place: " + ", ".join(
        f"{count} {kind}" for kind, count in sorted(tried.items())
    )
    claim = (
        "a record with anything changed under `deals` or `result`, in the seed, entropy, suits, commitment, first "
        "dealer is refused"
    )
    return Line(claim, seen, "`python -m tests.proof records`")


def _corrupted(record: dict[str, Any]) -> Counter[str]:
    """What was tried with one record, by kind; raises NotShown for what was let pass."""
    tried: Counter[str] = Counter()
    for change in changes(record):
        found = verify(changed(record, change))
        if found is None or not _names_the_place(found, change):
            raise NotShown(f"{record['rules']}: {change.path} changed to {change.value!r} was answered by: {found}")
        tried[change.kind] += 1
    return tried


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
    for step in range(1, record["players"]):
        yield Change("first dealers", ("first_dealer",), (record["first_dealer"] + step) % record["players"])
    yield Change("entropies", ("entropy",), "ab" * 32)
    yield Change("suits", ("suits",), record["suits"][1] + record["suits"][0] + record["suits"][2:])


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
