"""What the benches measure. Each prints one JSON object as its last line.

An aim that is missed is said and fails nothing: these are figures, not promises.
"""

from __future__ import annotations

from typing import Any

from tests.proofs.showing import Line, figures_of, run_module

ROGUES_GOAL = 1.1
THROUGHPUT_AIM = 0.7
CALLS_GOAL = 45
NOT_FIGURES = ("bench", "cores", "python")


def rogues() -> list[Line]:
    figures = figures_of(run_module("tests.bench.rogues"))
    claim = (
        "a bot that hangs, trickles, answers garbage, 1 MB, a redirect, an illegal card: median decision time of the "
        f"other matches with it ÷ without, goal ≤ {ROGUES_GOAL}"
    )
    verdict = "" if figures["worst_ratio"] <= ROGUES_GOAL else "goal missed: "
    return [Line(claim, verdict + told(figures), "`python -m tests.bench.rogues`")]


def throughput() -> list[Line]:
    figures = figures_of(run_module("tests.bench.throughput"))
    claim = f"HTTP decisions per second of one worker ÷ a bare loop of the same client, aim ≥ {THROUGHPUT_AIM}"
    verdict = "" if figures["ratio"] >= THROUGHPUT_AIM else "short of the aim: "
    return [Line(claim, verdict + told(figures), "`python -m tests.bench.throughput`")]


def decisions() -> list[Line]:
    figures = figures_of(run_module("tests.bench.decisions"))
    verdict = "" if figures["calls_a_deal"]["4"]["with_deal_over"] <= CALLS_GOAL else "goal missed: "
    claim = (
        "decisions per second by push and by pull beside the bare HTTP limit of one client, and calls per deal, goal ≤ "
        f"{CALLS_GOAL} at four"
    )
    return [Line(claim, verdict + told(figures), "`python -m tests.bench.decisions`", figures["faults"] == 0)]


def told(figures: dict[str, Any]) -> str:
    """`name value` for every figure, as readable as a table's cell allows."""
    return "; ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in figures.items() if _is_one(name))


def _is_one(name: str) -> bool:
    return name not in NOT_FIGURES


def _short(value: object) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_short(inner)}" for key, inner in value.items()) + ")"
    if isinstance(value, list):
        return ", ".join(map(_short, value))
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value)
