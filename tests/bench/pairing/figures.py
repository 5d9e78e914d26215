"""What each subject gives: figures, taken by CPU time so that what else runs on the machine does not count."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Figure:
    """`seconds`: the median over `runs` events. `by`: whose, `manela` or another library. `goal`: seconds, if any."""

    what: str
    entrants: int
    seconds: float
    by: str = "manela"
    runs: int = 1
    goal: float | None = None

    @property
    def is_met(self) -> bool:
        return self.goal is None or self.seconds < self.goal


def taken(what: str, entrants: int, runs: Iterable[Callable[[], object]], **more: object) -> Figure:
    """The median CPU time of these runs, each of which does the thing once."""
    times = [_seconds(run) for run in runs]
    return Figure(what, entrants, median(times), runs=len(times), **more)


def _seconds(run: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    run()
    return time.process_time() - began


def growth(figures: Sequence[Figure], by: str = "manela") -> float | None:
    """The power of the field's size that the time grows with, between the two largest fields."""
    own = sorted((one.entrants, one.seconds) for one in figures if one.by == by)
    if len(own) < 2 or not own[-2][1]:
        return None
    (less, short), (more, long) = own[-2:]
    return math.log(long / short) / math.log(more / less)
