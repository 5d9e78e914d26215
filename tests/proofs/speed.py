"""How fast the engine is, and that it plays the same compiled and plain, under every Python that is here."""

from __future__ import annotations

import json
import sys
from typing import Any

from deploy.embedded.paths import PROJECT
from tests.proofs.showing import Line, figures_of, run, run_module

STEP_GOAL, BATCH_GOAL = 45_000, 800_000
"""Deals a second of random play at moscow/2, from Python step by step and in a batch, one thread."""
SOLVER_GOALS_MS = {"solver, median deal": 1.0, "solver, p95 deal": 6.0}
BENCH = "`make bench-peers`"
SHARE = "ns/deal"
"""The unit of what a part of the batch takes; some parts have the name of a rate."""
SAME_EVERYWHERE = ("tests/engine/test_digests.py", "tests/engine/test_fast_laws.py", "tests/engine/test_building.py")

Figures = dict[tuple[str, str, str], float]


def speed() -> list[Line]:
    """Everything in one run, beside the limit in C and the peers, which are installed for it."""
    setup = ("sh", "deploy/setup.sh", sys.executable, "build/peers", "requirements/bench.txt")
    has_peers = run(*setup).status == 0
    python = str(PROJECT / "build" / "peers" / "bin" / "python") if has_peers else sys.executable
    said = figures_of(run(python, "-m", "engine", "bench", "--json"))
    figures = {(one["what"], one["on"], one["by"]): one["value"] for one in said["figures"] if one["unit"] != SHARE}
    peers = _peers(figures) if has_peers else "peers could not be installed here"
    return [
        _rate("step", STEP_GOAL, figures, peers),
        _rate("batch", BATCH_GOAL, figures, peers),
        _tables(figures),
        _where(said["figures"]),
        _solver(figures),
    ]


def _rate(what: str, goal: int, figures: Figures, peers: str) -> Line:
    by = "compiled" if (what, "moscow/2", "compiled") in figures else "plain"
    value, plain = figures[what, "moscow/2", by], figures.get((what, "moscow/2", "plain"), 0.0)
    limit = figures.get(("limit", "moscow/2", "C"))
    seen = [f"{_verdict(value >= goal)}{value:,.0f} deals/s {by}, {plain:,.0f} plain"]
    seen += [f"{value / limit:.3f} of the same play in C ({limit:,.0f})"] if limit else ["no compiler for the C limit"]
    return Line(
        f"{what}, random play of moscow/2, one thread, median of 5 runs by CPU time, goal ≥ {goal:,}",
        "; ".join([*seen, peers]),
        BENCH,
    )


def _verdict(met: bool) -> str:
    return "goal met: " if met else "goal missed: "


def _peers(figures: Figures) -> str:
    told = [f"{by} {game} {what} {value:,.0f}" for (what, game, by), value in figures.items() if _is_peer(by)]
    return ", ".join(told)


def _is_peer(by: str) -> bool:
    return by.startswith(("OpenSpiel", "colver"))


def _tables(figures: Figures) -> Line:
    told = [
        f"{what} {game} {by} {value:,.0f}"
        for (what, game, by), value in figures.items()
        if what in {"batch", "step", "reference"} and game != "moscow/2"
    ]
    return Line("deals a second at three, four and in pairs: batch, step, reference", "; ".join(told), BENCH)


def _where(figures: list[dict[str, Any]]) -> Line:
    parts = {one["what"]: one["value"] for one in figures if one["unit"] == SHARE and one["on"] == "moscow/2"}
    whole = sum(parts.values())
    told = ", ".join(f"{what} {ns / whole:.0%}" for what, ns in parts.items())
    return Line("where the time of the batch goes at moscow/2", told, "`python -m engine bench --only shares`")


def _solver(figures: Figures) -> Line:
    seen = [
        f"{_verdict(figures[what, 'moscow/2', by] <= goal)}{what.split(', ')[1]} {figures[what, 'moscow/2', by]:.2f} ms"
        for what, goal in SOLVER_GOALS_MS.items()
        for by in ("compiled", "plain")
        if (what, "moscow/2", by) in figures
    ]
    claim = "a full deal of two solved with open cards, 9 cards each; goal: median ≤ 1 ms, p95 ≤ 6 ms"
    return Line(claim, "; ".join(seen), "`python -m engine bench --only thinkers`")


def pythons() -> list[Line]:
    """The same parties from the same seeds, compiled and plain, under every Python that answers."""
    ran = run_module("tests.pythons", "--json", *SAME_EVERYWHERE)
    said = json.loads(ran.last_line)
    told = [
        f"{one['version']} {one['core']}: {one['passed']} passed, {one['failed']} failed {one['trouble']}".strip()
        for one in said["pythons"]
    ]
    told += [f"not found here: {', '.join(said['missing'])}"] if said["missing"] else []
    claim = (
        "digests of the same seeds and the laws of the fast core, compiled and plain, under each Python from 3.11 on"
    )
    return [Line(claim, "; ".join(told), f"`make test-pythons TESTS='{' '.join(SAME_EVERYWHERE)}'`", ran.status == 0)]
