"""What house programs that compute cost the matches that wait for the network.

`python -m tests.bench.house [--quick]`. Example programs play each other over HTTP in one lane, and the same again with
as many matches of `pimc` against `solver` as the lane takes beside them: decisions per second of the programs, and how
long the platform takes over each, median and 99th percentile, with ÷ without. `clock_p99_ms` is what their clocks say:
the same less our own delays, before the grace that nobody is charged for.
A lane without stands before and after each with: other work comes and goes. The last line is JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from deploy.demo_stage import free_port
from tests.bench.stage import draw_matches, machine, measured, middle, program, stage, versions

PROGRAMS = 4
THINKING = ("pimc@1", "solver@1")


@dataclass(frozen=True, slots=True)
class Size:
    """`ordinary` matches are long ones, on the table all the time; `beside` is how many of the house's are due."""

    ordinary: int
    beside: int
    seconds: float
    runs: int


FULL = Size(ordinary=16, beside=32, seconds=8, runs=5)
QUICK = Size(ordinary=6, beside=8, seconds=5, runs=1)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    options.add_argument("--runs", type=int, help="of which the median is told")
    arguments = options.parse_args()
    size = QUICK if arguments.quick else FULL
    print(json.dumps(measure(replace(size, runs=arguments.runs or size.runs))))


def measure(size: Size) -> dict[str, Any]:
    with stage() as env, ExitStack() as running:
        port = free_port(19_800)
        running.enter_context(program("-m", "tests.bench.bot_server", port=port))
        agents = [version.agent_id for version in versions([f"http://127.0.0.1:{port}/"] * PROGRAMS)]
        runs = [_run(size, agents, env) for _ in range(size.runs)]
    return {
        "bench": "house",
        "rate_ratio": middle([run["rate"] for run in runs]),
        "p99_ratio": middle([run["p99"] for run in runs]),
        "median_ratio": middle([run["median"] for run in runs]),
        "p99_ms_without": middle([run["p99_ms"] for run in runs]),
        "clock_p99_ms_without": middle([run["clock_without"] for run in runs]),
        "clock_p99_ms_with": middle([run["clock_with"] for run in runs]),
        "most_charged_ms": max(run["most_charged_ms"] for run in runs),
        "house_decisions_per_second": middle([run["house_rate"] for run in runs]),
        "faults": sum(run["faults"] for run in runs),
        "ordinary_matches": size.ordinary,
        "runs": size.runs,
        **machine(),
    }


def _run(size: Size, agents: list[int], env: dict[str, str]) -> dict[str, float]:
    """One lane with the house's matches between two without."""
    before, beside, after = (_lane(size, agents, env, house) for house in (0, size.beside, 0))
    if not beside["house_decisions"]:
        raise RuntimeError("No house program was asked: the figures would say nothing.")
    without = {name: (before[name] + after[name]) / 2 for name in ("rate", "p99_ms", "median_ms")}
    print(f"  without {_told(before)}   with {_told(beside)}   without {_told(after)}", flush=True)
    return {
        "rate": beside["rate"] / without["rate"],
        "p99": beside["p99_ms"] / without["p99_ms"],
        "median": beside["median_ms"] / without["median_ms"],
        "p99_ms": without["p99_ms"],
        "clock_without": (before["clock_p99_ms"] + after["clock_p99_ms"]) / 2,
        "clock_with": beside["clock_p99_ms"],
        "most_charged_ms": beside["most_charged_ms"],
        "house_rate": beside["house_decisions"] / size.seconds,
        "faults": sum(one["faults"] for one in (before, beside, after)),
    }


def _told(seen: dict[str, Any]) -> str:
    return f"{seen['rate']:5.0f} decisions/s, p99 {seen['p99_ms']:5.1f} ms"


def _lane(size: Size, agents: list[int], env: dict[str, str], house: int) -> dict[str, Any]:
    """Replaces what is still to be played. The slots of the house stay empty where it does not play."""
    from matches.models import Match
    from matches.services.versions import house_agent

    Match.objects.exclude(status="finished").update(status="void", lease_until=None)
    pairs = itertools.islice(itertools.cycle(itertools.combinations(agents, 2)), size.ordinary)
    draw_matches(list(pairs), boards=20, deals=20)
    thinking = tuple(house_agent(label).pk for label in THINKING)
    draw_matches([thinking] * house, boards=4)
    return measured("tests.bench.house_worker", str(2 * size.ordinary), str(size.seconds), env=env)


if __name__ == "__main__":
    main()
