"""The benchmarks run at their small size and print figures that can be right. How fast anything is, is not asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from deploy.embedded.paths import PROJECT

pytestmark = pytest.mark.bench


def figures_of(module: str) -> dict[str, Any]:
    env = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "BROKER_URL", "REDIS_URL"}}
    done = subprocess.run(
        [sys.executable, "-m", module, "--quick"], cwd=PROJECT, env=env, stdout=subprocess.PIPE, text=True, check=True
    )
    print(done.stdout)
    return json.loads(done.stdout.strip().splitlines()[-1])


def test_throughput() -> None:
    figures = figures_of("tests.bench.throughput")
    assert figures["bench"] == "throughput"
    assert figures["faults"] == 0
    assert 0 < figures["ratio_by_cpu"] < 1
    assert figures["lane_decisions_per_second"] > 0
    assert figures["bare_posts_per_second"] > 0


def test_rogues() -> None:
    figures = figures_of("tests.bench.rogues")
    assert figures["bench"] == "rogues"
    assert set(figures["ratios"]) == {"hang"}
    assert all(ratio > 0 for ratio in figures["ratios"].values())
    assert figures["worst_ratio"] == max(figures["ratios"].values())


def test_house() -> None:
    figures = figures_of("tests.bench.house")
    assert figures["bench"] == "house"
    assert figures["faults"] == 0
    assert figures["house_decisions_per_second"] > 0
    assert figures["rate_ratio"] > 0
    assert figures["p99_ratio"] > 0


def test_decisions() -> None:
    figures = figures_of("tests.bench.decisions")
    assert figures["bench"] == "decisions"
    assert figures["faults"] == 0
    assert min(figures[f"{way}_decisions_per_second"] for way in ("push", "pull")) > 0
    assert 0 < figures["calls_a_deal"]["4"]["with_deal_over"] <= 45
