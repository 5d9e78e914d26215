"""The example programs of `docs/`, taken for their `choose`, and the decisions of random parties to put to them."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from engine import PartySetup, apply, observe, rules_of, start

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
Choose = Callable[[dict[str, Any]], str]


@cache
def choosers() -> dict[str, Choose]:
    """Each program's `choose`, without the lines that start it."""
    return {path.name: _choose_of(path) for path in sorted(EXAMPLES.glob("*.py"))}


def _choose_of(path: Path) -> Choose:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    found = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == "choose"]
    names: dict[str, Any] = {}
    exec(compile(ast.Module(found, []), str(path), "exec"), names)
    return names["choose"]


def decisions_of(preset: str, parties: int) -> Iterator[dict[str, Any]]:
    """Every decision of some random parties, as programs see it."""
    for number in range(parties):
        rng, table = random.Random(number), start(PartySetup(rules_of(preset), bytes([number]) * 32))
        while (seat := table.seat_to_act) is not None:
            yield observe(table, seat).as_json()
            table = apply(table, rng.choice(table.legal))
