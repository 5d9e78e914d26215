"""HTTP decisions per second of one worker process, as a ratio to a bare loop of the same HTTP client.

`python -m tests.bench.throughput [--quick]`. The lane is the real one: PostgreSQL that commits to the disk, signatures,
log, clocks, engine; programs at both seats, so that every decision is a call. The bare loop sends what the lane was
recorded sending to the same server. Both are pinned alike, to a core that the servers do not use; the program answers
from the bytes and checks no signature, so that it is never the limit. What else runs on the machine moves the rates,
and the CPU that each decision and each post costs much less: both are printed. The last line is JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.demo_stage import free_port
from tests.bench.stage import draw_matches, machine, measured, middle, program, stage, versions

PROGRAMS = 8
DECISIONS_A_MATCH = 150


@dataclass(frozen=True, slots=True)
class Size:
    slots: int
    seconds: float
    runs: int
    most_per_second: int = 4_000


FULL, QUICK = Size(slots=75, seconds=6, runs=5), Size(slots=10, seconds=1, runs=1, most_per_second=2_500)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    options.add_argument("--slots", type=int, help="matches at once")
    options.add_argument("--runs", type=int)
    arguments = options.parse_args()
    base = QUICK if arguments.quick else FULL
    size = Size(arguments.slots or base.slots, base.seconds, arguments.runs or base.runs, base.most_per_second)
    print(json.dumps(measure(size)))


def measure(size: Size) -> dict[str, Any]:
    with stage() as env, tempfile.TemporaryDirectory() as folder:
        port, recording = free_port(19_500), Path(folder) / "calls"
        with program("-m", "tests.bench.bot_server", port=port):
            agents = [version.agent_id for version in versions([f"http://127.0.0.1:{port}/"] * PROGRAMS)]
            _draw(agents, 40)
            measured("tests.bench.lane_worker", "10", "4", str(recording), env=env)
            pairs = [_run(size, agents, env, recording) for _ in range(size.runs)]
    return _figures(size, pairs)


def _run(size: Size, agents: list[int], env: dict[str, str], recording: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """A lane and a bare loop, one right after the other."""
    _draw(agents, size.slots + int(size.most_per_second * size.seconds / DECISIONS_A_MATCH))
    slots, seconds = str(size.slots), str(size.seconds)
    lane = measured("tests.bench.lane_worker", slots, seconds, env=env)
    bare = measured("tests.bench.bare_loop", slots, seconds, str(recording), env=env)
    told = (
        f"  lane {lane['rate']:6.0f} decisions/s, {lane['cpu_us']:4.0f} µs of CPU each"
        f"   bare {bare['rate']:6.0f} posts/s, {bare['cpu_us']:4.0f} µs"
        f"   ratio {lane['rate'] / bare['rate']:.2f}, by CPU {bare['cpu_us'] / lane['cpu_us']:.2f}"
    )
    print(told, flush=True)
    return lane, bare


def _draw(agents: list[int], count: int) -> None:
    """Replaces what is still to be played: every run begins with the same."""
    from matches.models import Match

    Match.objects.exclude(status="finished").update(status="void", lease_until=None)
    pairs = itertools.islice(itertools.cycle(itertools.combinations(agents, 2)), count)
    draw_matches(list(pairs), boards=1)


def _figures(size: Size, pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, Any]:
    return {
        "bench": "throughput",
        "ratio": middle([lane["rate"] / bare["rate"] for lane, bare in pairs]),
        "ratio_by_cpu": middle([bare["cpu_us"] / lane["cpu_us"] for lane, bare in pairs]),
        "lane_cpu_us": middle([lane["cpu_us"] for lane, _ in pairs]),
        "bare_cpu_us": middle([bare["cpu_us"] for _, bare in pairs]),
        "lane_decisions_per_second": middle([lane["rate"] for lane, _ in pairs]),
        "bare_posts_per_second": middle([bare["rate"] for _, bare in pairs]),
        "slots": size.slots,
        "runs": size.runs,
        "faults": sum(lane["faults"] for lane, _ in pairs),
        **machine(),
    }


if __name__ == "__main__":
    main()
