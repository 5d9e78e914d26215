"""How long the solver takes over a whole deal between two, and over the values of all the first cards.

    python -m tests.bench.solver [deals] [cards in a hand]

Prints milliseconds and positions looked at: median, 95th percentile and the most, of random deals with every trump.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from engine.cards import PACK, mask_of
from engine.fast import COMPILED
from engine.fast.solver import Solver

Position = tuple[int, int, int, int]
"""Both hands, trump, who leads."""


def position(number: int, cards: int) -> Position:
    """A random position before the first lead, the same for the same number."""
    rng = random.Random(number)
    dealt = rng.sample(PACK, 2 * cards)
    return mask_of(dealt[:cards]), mask_of(dealt[cards:]), rng.randrange(4), rng.randrange(2)


def taken(solver: Solver, ask: Callable[[int, int, int, int], int], asked: Position) -> tuple[float, int]:
    """Milliseconds and positions looked at for one question: the quickest of three times, other work left out."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        ask(*asked)
        times.append((time.perf_counter() - began) * 1_000)
    return min(times), solver.nodes


def said(name: str, rows: list[tuple[float, int]]) -> str:
    times, nodes = sorted(ms for ms, _ in rows), sorted(count for _, count in rows)
    middle, late = len(rows) // 2, len(rows) * 95 // 100
    return (
        f"{name}: median {times[middle]:.3f} ms, p95 {times[late]:.3f} ms, most {times[-1]:.2f} ms; "
        f"positions: median {nodes[middle]}, p95 {nodes[late]}, most {nodes[-1]}"
    )


def main(deals: int = 1_000, cards: int = 9) -> None:
    solver = Solver()
    asked = [position(number, cards) for number in range(deals)]
    print(f"{deals} deals, {cards} cards in a hand, {'compiled' if COMPILED else 'plain Python'}")
    print(said("solve", [taken(solver, solver.solve, each) for each in asked]))
    print(said("values of all first cards", [taken(solver, solver.values, each) for each in asked]))


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
