"""Criteria in their order, as the weights of a matching: the first that differs decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tournaments.formats.swiss.matching import heaviest

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Criterion:
    """`of`: what a pair brings; more is better. `most`: what all pairs of a round together bring, or cost, at most."""

    of: Callable[[int, int], int]
    most: int

    @property
    def span(self) -> int:
        return 2 * self.most + 1


def bits_of(criteria: Sequence[Criterion]) -> int:
    """How many bits the packed weights take."""
    span = 1
    for criterion in criteria:
        span *= criterion.span
    return span.bit_length()


def best_by(criteria: Sequence[Criterion], pairs: Sequence[Pair], *, everybody: bool = False) -> dict[int, int]:
    """Partners in a matching of these pairs that no other is better than, the first criterion first.

    `everybody`: only matchings with the most pairs are compared. Which of equals is found is the library's affair.
    """
    units, unit = [], 1
    for criterion in reversed(criteria):
        units.append((criterion.of, unit))
        unit *= criterion.span
    return heaviest(
        [(a, b, sum(of(a, b) * unit for of, unit in units)) for a, b in pairs], as_many_as_possible=everybody
    )
