"""The fast core plays what the reference plays: the same actions, views, deals, scores, results, records.

The laws run on the core as it is here, compiled or plain, and in a process of its own once more on the plain one.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.presets import PRESETS
from tests.engine.agreements import FULL
from tests.engine.covering import PROJECT
from tests.engine.drawing import FEW, SEEDS, agreements, party
from tests.engine.following import check_party

EVERY_PRESET = pytest.mark.parametrize("preset", PRESETS)
PARTIES_IN_PLAIN = 25 if FULL else 1
"""So many parties of every preset, and as many with a change, are followed by the plain core in its own process."""


@EVERY_PRESET
@given(st.data())
@FEW
def test_the_core_plays_as_the_reference(preset: str, data: st.DataObject) -> None:
    agreed, seed = data.draw(agreements(preset)), data.draw(SEEDS)
    check_party(party(agreed, seed), random.Random(seed))


def test_the_plain_core_plays_as_the_reference() -> None:
    command = [sys.executable, "-m", "tests.engine.following", str(PARTIES_IN_PLAIN)]
    env = {**os.environ, "ENGINE_PURE": "1", "ENGINE_COMPILED": ""}
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("plain: ")
