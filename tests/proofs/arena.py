"""House programs that compute for long beside matches that wait for the network: what the one costs the other.

Aims that are missed are said and fail nothing; a program that is charged because of them does.
"""

from __future__ import annotations

from typing import Any

from tests.proofs.benches import told
from tests.proofs.showing import Line, NotShown, figures_of, run_module

LEAST_RATE = 0.8
MOST_P99 = 1.5
COMMAND = "`python -m tests.bench.house`"


def arena() -> list[Line]:
    """Raises NotShown if a program was faulted or charged."""
    figures = figures_of(run_module("tests.bench.house"))
    if figures["faults"] or figures["most_charged_ms"]:
        raise NotShown(f"faults {figures['faults']}, charged up to {figures['most_charged_ms']} ms")
    claim = (
        "`pimc` against `solver` in the lane of programs that are called over HTTP, with ÷ without: their decisions "
        f"per second, aim ≥ {LEAST_RATE}, and the 99th percentile of what each takes, aim ≤ {MOST_P99}; none is charged"
    )
    return [Line(claim, _missed(figures) + told(figures), COMMAND)]


def _missed(figures: dict[str, Any]) -> str:
    missed = figures["rate_ratio"] < LEAST_RATE or figures["p99_ratio"] > MOST_P99
    return "short of the aim: " if missed else ""
