"""The bench of draws and standings runs at its small size and meets the goals that are within it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from deploy.embedded.paths import PROJECT

pytestmark = pytest.mark.bench


def test_pairing():
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.pairing", "--quick"], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    print(done.stdout)
    said = json.loads(done.stdout.strip().splitlines()[-1])
    assert said["bench"] == "pairing"
    assert {"Swiss, round 5"} <= {one["what"] for one in said["figures"]}
    assert all(one["seconds"] > 0 for one in said["figures"])
    assert done.returncode == 0
