"""The demo, small: six entrants, run twice over the same data, with nothing left running."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.embedded.paths import PROJECT

ENTRANTS = 6
SHOWN = {"Evening tournament": (15, 6), "Klabor in pairs": (3, 3), "Moscow at three": (4, 4), "House anchors": (10, 5)}
"""Matches and entries of each event with so many entrants."""
LIMIT_S = 240


def environment(var: Path) -> dict[str, str]:
    named = {"DATABASE_URL", "BROKER_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PUBLIC_URL"}
    return {**{key: value for key, value in os.environ.items() if key not in named}, "MANELA_VAR": str(var)}


def left_running(var: Path) -> list[str]:
    """Command lines of processes that still have this run's var folder in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"MANELA_VAR={var}".encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


@pytest.fixture
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "deploy.demo", "--entrants", str(ENTRANTS), "--port", "18000", *options]


@pytest.mark.timeout(2 * LIMIT_S)
def test_the_demo_reaches_published_standings_twice_over_the_same_data(var: Path) -> None:
    for number in (1, 2):
        run = subprocess.run(
            command("--once"), cwd=PROJECT, env=environment(var), capture_output=True, text=True, timeout=LIMIT_S
        )
        assert run.returncode == 0, run.stdout + run.stderr
        for name, (matches, _) in SHOWN.items():
            assert f"{name} {number}: standings 1, {matches} matches" in run.stdout
        assert len(re.findall(r"^  Standings  http://localhost:\d+/t/\w+-\d/$", run.stdout, re.MULTILINE)) == len(SHOWN)
        assert re.search(r"Admin +http://localhost:\d+/admin/ +\(admin, password \S+\)", run.stdout)
        assert len(re.findall(r"^│ +\d+ │", run.stdout, re.MULTILINE)) == sum(entries for _, entries in SHOWN.values())
        assert left_running(var) == []


@pytest.mark.timeout(LIMIT_S)
def test_ctrl_c_leaves_no_process_behind(var: Path) -> None:
    with subprocess.Popen(
        command(), cwd=PROJECT, env=environment(var), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as demo:
        assert demo.stdout is not None
        for line in demo.stdout:
            if "is being played" in line:
                break
        time.sleep(2)
        demo.send_signal(signal.SIGINT)
        rest = demo.stdout.read()
        assert demo.wait(timeout=60) == 0, rest
    assert "Stopped." in rest
    assert left_running(var) == []
