"""Means with their intervals, by Student's t; the standard library alone."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

LEVEL: Final = 0.95
"""How sure an interval is if nothing else is said."""

_NORMAL_FROM: Final = 1000
"""With so many degrees of freedom t and the normal differ in the third decimal."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    def swapped(self) -> Estimate:
        """The same figure seen from the other side."""
        return Estimate(-self.value, -self.high, -self.low)


def mean_of(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of independent values with its interval; needs two values.

    Source: Student's t with one degree of freedom less than there are values.
    """
    mean = statistics.fmean(values)
    half = t_quantile(level, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)


@lru_cache(maxsize=1024)
def t_quantile(level: float, freedom: int) -> float:
    """The t between whose minus and plus the share `level` of Student's distribution lies."""
    if freedom >= _NORMAL_FROM:
        return statistics.NormalDist().inv_cdf((1 + level) / 2)
    low, high = 0.0, 1.0
    while t_share(high, freedom) < level:
        high *= 2
    for _ in range(60):  # halves the doubt each time, down to what a float can tell
        middle = (low + high) / 2
        low, high = (middle, high) if t_share(middle, freedom) < level else (low, middle)
    return (low + high) / 2


def t_share(t: float, freedom: int) -> float:
    """The share of Student's distribution between -t and t, as a finite sum.

    Source: Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = total = cosine if odd else 1.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (k - 1) / k
        total += term
    if not odd:
        return math.sin(angle) * total
    return 2 / math.pi * (angle + (math.sin(angle) * total if freedom > 1 else 0))
