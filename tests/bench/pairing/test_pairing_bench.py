"""The bench of draws and standings runs at its small size and meets the goals that are within it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from deploy.embedded.paths import PROJECT

pytestmark = pytest.mark.bench


def test_pairing():
    command = [sys.executable, "-m", "tests.bench.pairing", "--quick"]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True)
    print(done.stdout)
    said = json.loads(done.stdout.strip().splitlines()[-1])
    assert said["bench"] == "pairing"
    assert {one["what"] for one in said["figures"]} >= {"Swiss, round 5"}
    assert all(one["seconds"] > 0 for one in said["figures"])
    assert [one for one in said["figures"] if one["goal"] and one["seconds"] >= one["goal"]] == []
