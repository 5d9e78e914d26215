"""Limits at full size: however many processes count, exactly so many requests are let through."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deploy.embedded import EmbeddedValkey
from tests.proofs.showing import Line, NotShown, figures_of, run_module

PROCESSES, TIMES, MOST = 32, 100, 1_000
WINDOW_SECONDS = 60


def limits() -> list[Line]:
    """Two windows, one after the other, each asked for more than three times as much as it takes."""
    counted = counted_by(PROCESSES, TIMES, windows=2, limit=f"{MOST}/minute")
    if max(counted["seconds"]) >= WINDOW_SECONDS:
        raise NotShown(f"the machine is too busy: asking took {counted['seconds']} s, longer than the window")
    first, second = counted["passed"]
    return [
        Line(
            f"a limit of {MOST} a minute, asked {PROCESSES * TIMES} times at once by {PROCESSES} processes, twice",
            f"let through: {first} and {second}, of what was asked within {max(counted['seconds'])} s",
            "`python -m tests.proof limits`",
            holds=first == second == MOST,
        )
    ]


def counted_by(processes: int, times: int, windows: int, limit: str) -> dict[str, Any]:
    """What `tests.counting` says, with a server of its own."""
    with TemporaryDirectory(prefix="manela-limits-") as folder, EmbeddedValkey(Path(folder), fast=True) as valkey:
        env = {"BROKER_URL": valkey.broker_url, "REDIS_URL": valkey.redis_url, "LIMITS": f"writing={limit}"}
        return figures_of(run_module("tests.counting", str(processes), str(times), str(windows), env=env))
