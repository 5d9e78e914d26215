"""What a misbehaving program costs the other matches of its lane.

`python -m tests.bench.rogues [--quick]`. Example programs (separate processes, over HTTP) play the house in one lane,
and the same again with matches of a rogue among them: the median time of the others' decisions, as the platform
measures it, with the rogue ÷ without. Each round is a lane without and a lane with each of the rogues; the figure is
the median of the rounds. The last line is JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from deploy.demo_stage import EXAMPLES, free_port
from tests.bench.stage import draw_matches, machine, measured, middle, program, stage, versions
from tests.rogues.behaviours import ROGUES

SCRIPTS = ("careful.py", "cheapest.py", "strongest.py")
HOUSE = ("greedy@1", "random@1")


@dataclass(frozen=True, slots=True)
class Size:
    """`rogue_matches` are enough to have some of them on the table all the time."""

    names: tuple[str, ...]
    slots: int
    seconds: float
    runs: int
    matches: int
    rogue_matches: int


FULL = Size(tuple(ROGUES), slots=24, seconds=4, runs=5, matches=120, rogue_matches=40)
QUICK = Size(("hang",), slots=8, seconds=2, runs=1, matches=16, rogue_matches=6)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    options.add_argument("--rogue", action="append", choices=list(ROGUES), help="only this one (may be repeated)")
    arguments = options.parse_args()
    size = QUICK if arguments.quick else FULL
    print(json.dumps(measure(size, arguments.rogue or list(size.names))))


def measure(size: Size, names: list[str]) -> dict[str, Any]:
    with stage() as env, ExitStack() as running:
        ordinary = [running.enter_context(_example(script, env)) for script in SCRIPTS]
        rogues = {name: running.enter_context(_rogue(name, env)) for name in names}
        rounds = [_round(size, ordinary, rogues, env) for _ in range(size.runs)]
    ratios = {name: middle([one[name] / one["alone"] for one in rounds]) for name in names}
    worst = max(ratios, key=lambda name: ratios[name])
    return {
        "bench": "rogues",
        "worst": worst,
        "worst_ratio": ratios[worst],
        "ratios": ratios,
        "alone_ms": middle([one["alone"] for one in rounds]),
        "runs": size.runs,
        "slots": size.slots,
        **machine(),
    }


def _round(size: Size, ordinary: list[int], rogues: dict[str, int], env: dict[str, str]) -> dict[str, float]:
    """Median milliseconds of an ordinary decision: alone, and with each of the rogues in the lane."""
    medians: dict[str, float] = {}
    for name, rogue in {"alone": 0, **rogues}.items():
        _draw(size, ordinary, rogue)
        seen = measured("tests.bench.rogues_worker", str(size.slots), str(size.seconds), str(rogue), env=env)
        if rogue and not seen["rogue_decisions"]:
            raise RuntimeError(f"{name} was never asked: the figure would say nothing.")
        medians[name] = seen["median_ms"]
        print(f"  {name:10} {medians[name]:8.2f} ms  {medians[name] / medians['alone']:5.2f}", flush=True)
    return medians


def _draw(size: Size, ordinary: list[int], rogue: int) -> None:
    """Replaces what is still to be played. The rogue's matches come first: it is on the table from the beginning."""
    from matches.models import Match
    from matches.services.versions import house_agent

    Match.objects.exclude(status="finished").update(status="void", lease_until=None)
    house = [house_agent(label).pk for label in HOUSE]
    pairs = itertools.islice(itertools.cycle(itertools.product(ordinary, house)), size.matches)
    draw_matches(list(pairs), boards=1)
    if rogue:
        for number in range(size.rogue_matches):
            # A fourth of the slots at once, the next when one of them has lost.
            priority = -1 if number < size.slots // 4 else 0
            draw_matches([(rogue, house[0])], boards=1, control="blitz", priority=priority)


@contextmanager
def _example(script: str, env: dict[str, str]) -> Iterator[int]:
    """An example program in a process of its own; its version's agent."""
    from bots_api.services import shown_secret

    port = free_port(19_600)
    (version,) = versions([f"http://127.0.0.1:{port}/"])
    with program(str(EXAMPLES / script), port=port, env=env | {"SECRET": shown_secret(version)}):
        yield version.agent_id


@contextmanager
def _rogue(name: str, env: dict[str, str]) -> Iterator[int]:
    port = free_port(19_700)
    (version,) = versions([f"http://127.0.0.1:{port}/"])
    with program("-m", "tests.rogues", name, port=port, env=env):
        yield version.agent_id


if __name__ == "__main__":
    main()
