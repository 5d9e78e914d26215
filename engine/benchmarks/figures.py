"""Figures: what was measured, and how. Medians of several runs, one thread, one process at a time.

Seconds are seconds of the processor: whatever else a machine does takes them from nobody, and nothing measured waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

DEALS_A_SECOND: Final = "deals/s"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: the median of `runs` runs of about `seconds` each."""

    runs: int = 5
    seconds: float = 0.5


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its spread: the median of the runs, the lowest and the highest of them."""

    what: str
    on: str
    by: str
    value: float
    low: float
    high: float
    unit: str


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is done `n` times; `run(n)` does it and gives the seconds it took."""

    what: str
    on: str
    by: str
    run: Callable[[int], float]
    unit: str = DEALS_A_SECOND


def timed(work: Callable[[int], object]) -> Callable[[int], float]:
    """Seconds of the processor that the work takes."""

    def seconds(n: int) -> float:
        began = time.process_time()
        work(n)
        return time.process_time() - began

    return seconds


def measured(measures: Sequence[Measure], size: Size) -> list[Figure]:
    """A figure of each, by turns, so that whatever else the machine does falls on all alike."""
    counts = [_count(one, size.seconds) for one in measures]
    rates: list[list[float]] = [[] for _ in measures]
    for _ in range(size.runs):
        for one, count, seen in zip(measures, counts, rates, strict=True):
            seen.append(count / one.run(count))
    return [figure_of(one.what, one.on, one.by, seen, one.unit) for one, seen in zip(measures, rates, strict=True)]


def figure_of(what: str, on: str, by: str, seen: Iterable[float], unit: str) -> Figure:
    values = list(seen)
    return Figure(what, on, by, median(values), min(values), max(values), unit)


def _count(one: Measure, seconds: float) -> int:
    """How often in about that time; the first runs, which also warm up, are not counted."""
    count = 1
    while (took := one.run(count)) < seconds / 8:
        count *= 2 if took * 16 > seconds else 8
    return max(1, round(count * seconds / took))


def share(values: Sequence[float], part: float) -> float:
    """The value below which that part of them lies: 0.95 gives p95."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
