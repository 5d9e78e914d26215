"""Programs that wait at one process of ours: how soon a decision reaches them, and what memory they take.

`python -m tests.bench.waiting [--quick]`. Half of them hold a stream, half a long poll; they live in one process of
their own. Decisions are put into the mailbox as a lane does it, for a few programs at once, and answered by default.
*Reached* is the time from the decision's commit until the program has read it; *answered* is from sending an answer
until its reply is there. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

import psutil

from deploy.embedded.paths import PROJECT
from tests.bench.stage import machine, stage, versions
from tests.pull_program import Served, serving

MIB = 2**20
PAUSE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Size:
    """So many programs, so many decisions in all, so many of them at once."""

    programs: int
    decisions: int
    at_once: int


FULL, QUICK = Size(programs=1_000, decisions=4_000, at_once=10), Size(programs=20, decisions=60, at_once=5)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    arguments = options.parse_args()
    with stage() as env:
        print(json.dumps(measure(QUICK if arguments.quick else FULL, env)))


def measure(size: Size, env: dict[str, str]) -> dict[str, Any]:
    from tests.bots_api.pull.calling import caller

    callers = [caller(version) for version in versions([""] * size.programs)]
    with serving(env) as server:
        before = _memory(server)
        programs = _programs(server, [one.token for one in callers])
        try:
            _wait_until_seen(size.programs)
            waiting, idle_cpu = _memory(server), _cpu_share(server, 5)
            put_at = _put_all(size, callers)
            told, _ = programs.communicate("\n", timeout=60)
        finally:
            programs.kill()
        after = _memory(server)
    heard = json.loads(told)
    return {
        "bench": "waiting",
        **machine(),
        "programs": size.programs,
        "decisions": len(put_at),
        "answered": sum(status == 200 for _, _, status in heard.values()),
        "reached_ms": _spread([heard[name][0] - at for name, at in put_at.items()]),
        "answered_ms": _spread([seconds for _, seconds, _ in heard.values()]),
        "memory_mib": {"idle": before, "waiting": waiting, "after": after},
        "cpu_share_while_nothing_happens": idle_cpu,
        "kib_a_program": round((waiting - before) * 1_024 / size.programs, 1),
    }


def _memory(server: Served) -> float:
    """What the process that serves holds, in MiB."""
    return round(psutil.Process(server.worker).memory_info().rss / MIB, 1)


def _cpu_share(server: Served, seconds: float) -> float:
    """The part of one core that it takes."""
    return round(psutil.Process(server.worker).cpu_percent(seconds) / 100, 3)


def _programs(server: Served, tokens: Sequence[str]) -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "tests.bench.waiting_programs", server.base_url]
    programs = subprocess.Popen(argv, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert programs.stdin is not None
    programs.stdin.write(json.dumps(tokens) + "\n")
    programs.stdin.flush()
    return programs


def _wait_until_seen(count: int) -> None:
    from bots_api.models import Presence

    until = time.monotonic() + 60
    while Presence.objects.filter(seen_at__isnull=False).count() < count:
        assert time.monotonic() < until, "not all programs came"
        time.sleep(0.1)
    time.sleep(1)


def _put_all(size: Size, callers: Sequence[Any]) -> dict[str, float]:
    """Puts the decisions in; returns when each was committed."""
    from tests.bots_api.pull.calling import asked, hint, put_in

    chosen = random.Random(6)
    put_at: dict[str, float] = {}
    for _ in range(size.decisions // size.at_once):
        letters = [asked(one) for one in chosen.sample(callers, size.at_once)]
        put_in(*letters, tell=False)
        put_at |= dict.fromkeys((letter.decision_id for letter in letters), time.monotonic())
        hint(*letters)
        time.sleep(PAUSE_SECONDS)
    time.sleep(1)
    return put_at


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    marks = quantiles(seconds, n=100)
    return {"p50": round(marks[49] * 1_000, 1), "p99": round(marks[98] * 1_000, 1)}


if __name__ == "__main__":
    main()
