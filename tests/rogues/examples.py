"""The example programs of `docs/`, taken for their `choose`, and the decisions of random parties to put to them."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from engine import PartySetup, apply, observe, rules_of, start

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
Choose = Callable[[dict[str, Any]], str]


@cache
def choosers() -> dict[str, Choose]:
    """Each program's `choose`, from its text without the lines that start it."""
    found = {}
    for path in sorted(EXAMPLES.glob("*.py")):
        text = re.sub(r"^SECRET = .*$|^ThreadingHTTPServer\b.*$", "", path.read_text(), flags=re.MULTILINE)
        names: dict[str, Any] = {"os": os}
        exec(compile(text, str(path), "exec"), names)
        found[path.name] = names["choose"]
    return found


def decisions_of(preset: str, parties: int) -> Iterator[dict[str, Any]]:
    """Every decision of some random parties, as programs see it."""
    for number in range(parties):
        rng, table = random.Random(number), start(PartySetup(rules_of(preset), bytes([number]) * 32))
        while (seat := table.seat_to_act) is not None:
            yield observe(table, seat).as_json()
            table = apply(table, rng.choice(table.legal))
