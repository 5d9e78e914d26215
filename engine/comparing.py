"""What differs between two tables, and one digest for all that are alike (rules.md §15)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from engine.options import OPTIONS
from engine.rules import Rules
from engine.sentences import Sentence, sentence_of


@dataclass(frozen=True, slots=True)
class OptionDifference:
    """An option with another value at each of two tables, in the words of each."""

    option: str
    clause: str
    left: Sentence
    right: Sentence


def differences(left: Rules, right: Rules) -> tuple[OptionDifference, ...]:
    """Every option in which two tables differ, in the order of §15; the number of players is no option."""
    ours, theirs = left.as_json(), right.as_json()
    return tuple(
        OptionDifference(
            spec.name,
            spec.clause,
            sentence_of(spec.name, ours[spec.name], left.table),
            sentence_of(spec.name, theirs[spec.name], right.table),
        )
        for spec in OPTIONS
        if ours[spec.name] != theirs[spec.name]
    )


def rules_digest(rules: Rules) -> str:
    """SHA-256, in hex, of what is played: equal for equal rules, by whatever name and overrides they were asked for.

    Hashed is JSON with sorted keys and no spaces: `players`, `pairs` and every option with its §15 value.
    """
    played = {"players": rules.players, "pairs": rules.pairs, **rules.as_json()}
    text = json.dumps(played, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
