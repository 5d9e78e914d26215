"""Who can be matched with whom: heaviest matchings over a library, and whether everybody can be matched at all.

The graphs of a Swiss round are nearly complete: each side may meet all but the few that it has met. `Apart` says who
may not meet; a side that is not in it may meet anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import Any

try:
    import rustworkx
except ImportError:  # there is no wheel for every machine; small fields are paired without it
    rustworkx = None  # type: ignore[assignment]

import networkx

Apart = Mapping[int, Set[int]]
"""By number: those whom it may not meet. Symmetric."""
Edge = tuple[int, int, int]
"""Two numbers and what their pair weighs."""

BITS_LIMIT = 120
"""Weights of this many bits leave rustworkx, which reckons in 128, room for what it makes of them."""
NOBODY: frozenset[int] = frozenset()


def heaviest(edges: Sequence[Edge], *, as_many_as_possible: bool = False) -> dict[int, int]:
    """Each matched number's partner in a matching of the greatest total weight.

    `as_many_as_possible`: among those with the most pairs. Weights may be negative; of any size, but slow above 2¹²⁰.
    """
    if rustworkx is None or _bits(edges) > BITS_LIMIT:
        pairs = _by_networkx(edges, as_many_as_possible)
    else:
        pairs = _by_rustworkx(edges, as_many_as_possible)
    return {one: other for a, b in pairs for one, other in ((a, b), (b, a))}


def _bits(edges: Sequence[Edge]) -> int:
    return max((abs(weight).bit_length() for _, _, weight in edges), default=0)


def _by_networkx(edges: Sequence[Edge], as_many_as_possible: bool) -> Iterable[tuple[int, int]]:
    graph: Any = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    return sorted(networkx.max_weight_matching(graph, maxcardinality=as_many_as_possible))


def _by_rustworkx(edges: Sequence[Edge], as_many_as_possible: bool) -> Iterable[tuple[int, int]]:
    numbers = sorted({number for a, b, _ in edges for number in (a, b)})
    place = {number: index for index, number in enumerate(numbers)}
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(numbers)))
    graph.add_edges_from([(place[a], place[b], weight) for a, b, weight in edges])
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=as_many_as_possible, weight_fn=int)
    return sorted((numbers[a], numbers[b]) for a, b in pairs)


def may_meet(numbers: Sequence[int], apart: Apart) -> list[tuple[int, int]]:
    """Every pair of them that may meet."""
    return [(a, b) for a, b in combinations(numbers, 2) if b not in apart.get(a, NOBODY)]


def can_all_meet(numbers: Sequence[int], apart: Apart) -> bool:
    """Whether all of them can be paired with one another.

    By Dirac's theorem they can where each may meet at least half of the group (he and that half are on one circle
    through all); only where somebody may not is a matching looked for.
    """
    size = len(numbers)
    if size % 2 or not size:
        return not size
    if _each_may_meet_half(numbers, apart):
        return True
    return 2 * len(_most_pairs(numbers, apart)) == size


def _each_may_meet_half(numbers: Sequence[int], apart: Apart) -> bool:
    size = len(numbers)
    among = None
    for number in numbers:
        away = apart.get(number, NOBODY)
        if size - 1 - len(away) >= size // 2:
            continue
        among = among or frozenset(numbers)
        if size - 1 - len((away & among) - {number}) < size // 2:
            return False
    return True


NEAR = 24
"""How many of the nearest a large group's sides are tried with first."""


def _most_pairs(numbers: Sequence[int], apart: Apart) -> list[tuple[int, int]]:
    """As many pairs as can be; in a large group with the near ones first, with all if those do not reach."""
    size = len(numbers)
    if size > 20 * NEAR:
        near = [
            (numbers[i], numbers[(i + step) % size], 1)
            for i in range(size)
            for step in (*range(1, NEAR // 2), *range(size // 2, size // 2 + NEAR // 2))
            if numbers[(i + step) % size] not in apart.get(numbers[i], NOBODY)
        ]
        found = heaviest(near, as_many_as_possible=True)
        if len(found) == size:
            return _pairs(found)
    return _pairs(heaviest([(a, b, 1) for a, b in may_meet(numbers, apart)], as_many_as_possible=True))


def _pairs(partners: Mapping[int, int]) -> list[tuple[int, int]]:
    return sorted((a, b) for a, b in partners.items() if a < b)


def is_sure(size: int, most_apart: int) -> bool:
    """Whether any even group of this size can be paired, when nobody is kept apart from more than so many.

    Each may then meet at least size - 1 - most_apart of the group, which is half of it from 2·most_apart + 2 on.
    """
    return size >= 2 * most_apart + 2
