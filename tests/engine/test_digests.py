"""The same seeds give the same deals, parties and records here as everywhere: what `digests.json` keeps."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.engine.covering import PROJECT
from tests.engine.digests import PAGE, digests

KEPT: dict[str, str] = json.loads(PAGE.read_text(encoding="utf-8"))


def test_this_python_gives_what_is_kept() -> None:
    assert dict(digests()) == KEPT


def test_the_plain_core_gives_what_is_kept() -> None:
    command = [sys.executable, "-m", "tests.engine.digests"]
    env = {**os.environ, "ENGINE_PURE": "1", "ENGINE_COMPILED": ""}
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "plain" in done.stderr
    assert json.loads(done.stdout) == KEPT
