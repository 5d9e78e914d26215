"""Tables at which somebody would have one seat too often, whatever the order: he changes places with one near by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.formats.seating import FARTHEST, best_order
from tournaments.formats.tables_swiss.grouping import Tables
from tournaments.formats.tables_swiss.history import History
from tournaments.formats.tables_swiss.weights import TROUBLE, Weights

NEAR = 6
"""With whom: at tables no further away."""


def seatable(tables: Tables, history: History, weights: Weights) -> Tables:
    """The tables after swaps that let everybody have his seats about equally often, and repeat no meeting for it.

    Where no such swap is found a table stays as it is.
    """
    seatable = [list(table) for table in tables]
    for number, table in enumerate(tables):
        if seatable[number] == table and _is_uneven(table, history):
            found = min(_swaps(seatable, number, history, weights), default=None)
            if found is not None:
                _, there, seatable[number], seatable[there] = found
    return seatable


def _swaps(
    tables: Tables, number: int, history: History, weights: Weights
) -> Iterator[tuple[int, int, list[int], list[int]]]:
    """What the two tables cost then, the other's number, and both of them."""
    for there in range(max(0, number - NEAR), min(len(tables), number + NEAR + 1)):
        here, other = tables[number], tables[there]
        if there == number or len(here) != len(other):
            continue
        trouble = (_cost(here, weights) + _cost(other, weights)) // TROUBLE
        for mine in here:
            for theirs in other:
                one = [theirs if place == mine else place for place in here]
                two = [mine if place == theirs else place for place in other]
                cost = _cost(one, weights) + _cost(two, weights)
                if cost // TROUBLE <= trouble and not (_is_uneven(one, history) or _is_uneven(two, history)):
                    yield cost, there, one, two


def _cost(table: Sequence[int], weights: Weights) -> int:
    return sum(weights.pair(one, other) for one, other in combinations(table, 2))


def _is_uneven(table: Sequence[int], history: History) -> bool:
    """Whether even in the best order somebody would have one seat too much more often than another."""
    seated = best_order([history.numbers[place] for place in table], history.seats)
    for seat, number in enumerate(seated):
        times = list(history.seats.of(number)[: len(table)])
        times[seat] += 1
        if times[seat] - min(times) > FARTHEST:
            return True
    return False
