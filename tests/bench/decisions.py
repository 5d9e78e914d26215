"""Decisions per second by push and by pull beside the bare HTTP limit in one run, and calls per deal at every table.

`python -m tests.bench.decisions [--quick]`. Lanes are the real ones, with PostgreSQL that commits to the disk and
programs at all seats, so that every decision is asked over HTTP; the bare loop posts what the lane was recorded
posting, to the same program, with the same client. By pull there are two requests' worth of work for a decision, a line
of a stream and the answer, in a server of ours; it, and the programs, have the cores that are not measured.
Calls are what a program is sent and answers: decisions and notices. The last line is JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.demo_stage import free_port
from deploy.embedded.paths import PROJECT
from tests.bench.stage import draw_matches, machine, measured, middle, program, stage, versions
from tests.pull_program import serving

PROGRAMS = 8
DECISIONS_A_MATCH = 60
TABLES = {"2": "moscow/2", "3": "moscow/3", "4": "kharkov_full/4", "pairs": "klabor/pairs"}


@dataclass(frozen=True, slots=True)
class Size:
    """`most_per_second`: so many decisions are drawn that nobody runs out of them. `deals`: at each table."""

    slots: int
    seconds: float
    runs: int
    most_per_second: int
    deals: int


FULL = Size(slots=75, seconds=6, runs=5, most_per_second=4_000, deals=100)
QUICK = Size(slots=10, seconds=1, runs=1, most_per_second=1_000, deals=2)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    size = QUICK if options.parse_args().quick else FULL
    with stage() as env, tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(size, env, Path(folder) / "calls")))


def measure(size: Size, env: dict[str, str], recording: Path) -> dict[str, Any]:
    port = free_port(19_600)
    with program("-m", "tests.bench.bot_server", port=port), serving(env) as server:
        pushed = versions([f"http://127.0.0.1:{port}/"] * PROGRAMS)
        pulling = versions([""] * PROGRAMS)
        with _calling(server.base_url, pulling):
            _draw([one.agent_id for one in pushed], 40)
            measured("tests.bench.lane_worker", "10", str(min(4, size.seconds)), str(recording), env=env)
            runs = [_run(size, env, recording, pushed, pulling) for _ in range(size.runs)]
            calls = {table: _calls_a_deal(rules, size, env, pushed) for table, rules in TABLES.items()}
    return _figures(size, runs) | {"calls_a_deal": calls, **machine()}


@contextmanager
def _calling(base_url: str, pulling: Sequence[Any]) -> Iterator[None]:
    """Their programs, in a process beside the measurement."""
    from bots_api.models import Presence
    from tests.bots_api.pull.calling import caller

    argv = [sys.executable, "-m", "tests.bench.pulling_programs", base_url]
    with subprocess.Popen(argv, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as programs:
        try:
            assert programs.stdin is not None
            programs.stdin.write(json.dumps([caller(version).token for version in pulling]) + "\n")
            programs.stdin.flush()
            until = time.monotonic() + 60
            while Presence.objects.filter(seen_at__isnull=False).count() < len(pulling):
                if time.monotonic() > until:
                    raise RuntimeError("The programs that call did not come.")
                time.sleep(0.1)
            yield
        finally:
            programs.kill()


def _run(
    size: Size, env: dict[str, str], recording: Path, pushed: Sequence[Any], pulling: Sequence[Any]
) -> dict[str, Any]:
    """Both ways and the bare loop, one right after the other."""
    slots, seconds = str(size.slots), str(size.seconds)
    told = {}
    for name, agents in (("push", pushed), ("pull", pulling)):
        _draw(
            [one.agent_id for one in agents], size.slots + int(size.most_per_second * size.seconds / DECISIONS_A_MATCH)
        )
        told[name] = measured("tests.bench.lane_worker", slots, seconds, env=env)
    told["bare"] = measured("tests.bench.bare_loop", slots, seconds, str(recording), env=env)
    rates = ", ".join(f"{name} {one['rate']:.0f}/s at {one['cpu_us']:.0f} µs" for name, one in told.items())
    print(f"  {rates}", flush=True)
    return told


def _draw(agents: Sequence[int], count: int) -> None:
    """Replaces what is still to be played: every run begins with the same."""
    from matches.models import Match

    _void_the_rest()
    pairs = itertools.islice(itertools.cycle(itertools.combinations(agents, 2)), count)
    draw_matches(list(pairs), boards=1)
    assert Match.objects.filter(status="ready").count() == count


def _void_the_rest() -> None:
    from matches.models import Match

    Match.objects.exclude(status="finished").update(status="void", lease_until=None)


def _calls_a_deal(rules: str, size: Size, env: dict[str, str], pushed: Sequence[Any]) -> dict[str, float]:
    """What went out for matches of whole deals, by what it was, for each deal that was written."""
    from django.db.models import Count, Max

    from bots_api.models import Delivery
    from engine import rules_of
    from matches.models import Party

    _void_the_rest()
    before = Delivery.objects.aggregate(last=Max("id"))["last"] or 0
    seats = tuple(one.agent_id for one in pushed[: rules_of(rules).players])
    matches = draw_matches([seats] * max(1, size.deals // (2 * len(seats))), rules=rules, boards=1, deals=2)
    measured("tests.bench.lane_worker", "10", "60", env=env)
    parties = Party.objects.filter(match__in=matches, status="finished")
    deals = sum(len(party.record["deals"]) for party in parties)
    counted = Delivery.objects.filter(id__gt=before).values_list("message").annotate(count=Count("id"))
    calls = {message: round(count / deals, 1) for message, count in counted.order_by("message")}
    return {"decisions": calls["decision"], "with_deal_over": round(calls["decision"] + calls["deal_over"], 1)}


def _figures(size: Size, runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    def of(name: str, figure: str) -> float:
        return middle([run[name][figure] for run in runs])

    return {
        "bench": "decisions",
        "push_decisions_per_second": of("push", "rate"),
        "pull_decisions_per_second": of("pull", "rate"),
        "bare_posts_per_second": of("bare", "rate"),
        "push_ratio": middle([run["push"]["rate"] / run["bare"]["rate"] for run in runs]),
        "pull_ratio": middle([run["pull"]["rate"] / run["bare"]["rate"] for run in runs]),
        "push_cpu_us": of("push", "cpu_us"),
        "pull_cpu_us": of("pull", "cpu_us"),
        "bare_cpu_us": of("bare", "cpu_us"),
        "faults": sum(run[name]["faults"] for run in runs for name in ("push", "pull")),
        "slots": size.slots,
        "runs": size.runs,
    }


if __name__ == "__main__":
    main()
