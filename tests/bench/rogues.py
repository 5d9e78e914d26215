"""What a misbehaving program costs the other matches of its lane.

`python -m tests.bench.rogues [--quick]`. Example programs (separate processes, over HTTP) play the house in one lane,
and the same again with matches of a rogue among them: the median time of the others' decisions, as the platform
measures it, with the rogue ÷ with a program that plays in its seats, which is measured right before and right after:
a lane fills its slots in any case. The figure is the median of the runs. The last line is JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from deploy.demo_stage import EXAMPLES, free_port
from tests.bench.stage import draw_matches, machine, measured, middle, program, stage, versions
from tests.rogues.behaviours import ROGUES

SCRIPTS = ("careful.py", "cheapest.py", "strongest.py")
HOUSE = ("greedy@1", "random@1")


@dataclass(frozen=True, slots=True)
class Size:
    """`ordinary` matches are long ones, on the table all the time; the rogue, or in its place a program that plays, has
    `beside` slots more, always refilled."""

    names: tuple[str, ...]
    ordinary: int
    beside: int
    seconds: float
    runs: int
    rogue_matches: int


CLAIMED = ("hang", "trickle", "garbage", "megabyte", "redirect", "illegal")
FULL = Size(CLAIMED, ordinary=9, beside=3, seconds=3, runs=5, rogue_matches=80)
QUICK = Size(("hang",), ordinary=6, beside=2, seconds=2, runs=1, rogue_matches=6)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    options.add_argument("--rogue", action="append", choices=list(ROGUES), help="only this one (may be repeated)")
    options.add_argument("--runs", type=int, help="of which the median is told")
    arguments = options.parse_args()
    size = QUICK if arguments.quick else FULL
    size = replace(size, runs=arguments.runs or size.runs)
    print(json.dumps(measure(size, arguments.rogue or list(size.names))))


def measure(size: Size, names: list[str]) -> dict[str, Any]:
    with stage() as env, ExitStack() as running:
        ordinary = [running.enter_context(_example(script, env)) for script in SCRIPTS]
        rogues = {name: running.enter_context(_rogue(name, env)) for name in names}
        player = running.enter_context(_rogue("plays", env))
        rounds = [_round(Lane(size, ordinary, env), player, rogues) for _ in range(size.runs)]
    ratios = {name: middle([one[name] for one in rounds]) for name in names}
    worst = max(ratios, key=lambda name: ratios[name])
    return {
        "bench": "rogues",
        "worst": worst,
        "worst_ratio": ratios[worst],
        "ratios": ratios,
        "runs": size.runs,
        "ordinary_matches": size.ordinary,
        "rogue_slots": size.beside,
        **machine(),
    }


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane to be run with one rogue or another in it."""

    size: Size
    ordinary: list[int]
    env: dict[str, str]

    def median_ms(self, beside: int) -> float:
        """Median milliseconds of an ordinary decision, with that version beside the ordinary ones."""
        _draw(self.size, self.ordinary, beside)
        slots, seconds = str(self.size.ordinary + self.size.beside), str(self.size.seconds)
        seen = measured("tests.bench.rogues_worker", slots, seconds, str(beside), env=self.env)
        if not seen["decisions_beside"]:
            raise RuntimeError("The rogue was never asked: the figure would say nothing.")
        return seen["median_ms"]


def _round(lane: Lane, player: int, rogues: dict[str, int]) -> dict[str, float]:
    """With each of the rogues ÷ without. A lane without one stands before and after: other work comes and goes."""
    before, ratios = lane.median_ms(player), {}
    for name, rogue in rogues.items():
        beside, after = lane.median_ms(rogue), lane.median_ms(player)
        ratios[name] = 2 * beside / (before + after)
        print(f"  {name:10} {before:7.2f} ms, with it {beside:7.2f}, {after:7.2f}   {ratios[name]:5.2f}", flush=True)
        before = after
    return ratios


def _draw(size: Size, ordinary: list[int], beside: int) -> None:
    """Replaces what is still to be played. The ordinary matches are claimed first, and none of them ends in time."""
    from matches.models import Match
    from matches.services.versions import house_agent

    Match.objects.exclude(status="finished").update(status="void", lease_until=None)
    house = [house_agent(label).pk for label in HOUSE]
    pairs = itertools.islice(itertools.cycle(itertools.product(ordinary, house)), size.ordinary)
    draw_matches(list(pairs), boards=8)
    draw_matches([(beside, house[0])] * size.rogue_matches, boards=1, control="blitz")


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
