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

from engine import PartySetup, Stepper, apply, parse_action, rules_of, start
from engine.presets import PRESETS
from tests.engine.agreements import FULL
from tests.engine.covering import PROJECT
from tests.engine.directed import Wish, turns
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


@pytest.mark.parametrize(
    "preset", ["moscow/2", "klabor/pairs", "kharkov_full/3", "house/4", "short_bait/2", "short/3", "fifties/2"]
)
def test_illegal_cards_cost_what_the_reference_says(preset: str) -> None:
    agreed, rng = rules_of(preset, {"illegal_move": "rules"}), random.Random(preset)
    faults = 0
    for _ in range(12 if agreed.short else 4):
        played = list(turns(agreed, rng, Wish(illegal=0.2), 60))
        check_party(played, rng)
        faults += sum(turn.deal.end == "fault" for turn in played)
    assert faults > 0


@pytest.mark.parametrize("then", ["each", "every_third"])
def test_no_number_of_baits_is_too_large(then: str) -> None:
    """The core packs them into eight bits a side as long as they fit."""
    agreed = rules_of("klabor/2", {"deals": 1_100, "bait_fine_from": 3, "bait_fine_then": then})
    table, stepper = start(PartySetup(agreed, bytes(32))), Stepper(agreed, setup=PartySetup(agreed, bytes(32)))
    while not stepper.over:
        stepper.step(stepper.legal[0])
    for deal in stepper.deals:
        for text in deal.actions:
            table = apply(table, parse_action(text.split()[1]))
    assert max(table.party.baits) > 255
    assert (table.totals, table.party.baits) == (stepper.totals, stepper.observe(0).baits)


def test_the_plain_core_plays_as_the_reference() -> None:
    command = [sys.executable, "-m", "tests.engine.following", str(PARTIES_IN_PLAIN)]
    env = {**os.environ, "ENGINE_PURE": "1", "ENGINE_COMPILED": ""}
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("plain: ")
