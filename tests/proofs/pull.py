"""Programs that call us: many of them, waiting at one process."""

from __future__ import annotations

from tests.proofs.benches import told
from tests.proofs.showing import Line, NotShown, figures_of, run_module

REACHED_MS = 100
"""The goal for the median."""


def waiting() -> list[Line]:
    figures = figures_of(run_module("tests.bench.waiting"))
    if figures["answered"] != figures["decisions"]:
        raise NotShown(f"of {figures['decisions']} decisions {figures['answered']} were answered")
    claim = (
        "1 000 programs wait at one web process, half on streams, half on long polls: a decision reaches its program "
        f"within {REACHED_MS} ms (median), and what they cost"
    )
    holds = figures["programs"] >= 1_000 and figures["reached_ms"]["p50"] <= REACHED_MS
    return [Line(claim, told(figures), "`python -m tests.bench.waiting`", holds)]
