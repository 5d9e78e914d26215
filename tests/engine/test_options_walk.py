"""Every value of every option, overridden alone at every preset: played to the end and verified, or refused."""

import json
import random
import re
from collections.abc import Iterator
from zlib import crc32

import pytest

from engine import RulesError, record_of, rules_of, verify
from engine.presets import PRESETS
from tests.engine.agreements import EFFECTS, FULL, JACKPOTS, NEEDS, VALUES, named, table_of, unmet
from tests.engine.directed import Wish, turns

LOW = 60
"""The target of the parties of every day; those of `make proof` play to the preset's own."""

WISH = Wish({"take": 2.0, "declare": 3.0, "bella": 3.0}, failing=0.02, illegal=0.02)


def asked(option: str, value: object) -> dict[str, object]:
    """The override alone, with a low target where a party would take long."""
    return {option: value} if FULL or option == "target" else {option: value, "target": LOW}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_value_is_played_or_refused_by_name(preset: str) -> None:
    for option, value in values_at(preset):
        if unmet(preset, {option: value}):
            assert_refused(preset, {option: value})
        else:
            assert_played(preset, option, value)


def values_at(preset: str) -> Iterator[tuple[str, object]]:
    """Every value of every option; of a jackpot's shapes a fourth on an ordinary day, here these and there those."""
    first = PRESETS.index(preset) % 4
    for option, values in VALUES.items():
        left_out = () if FULL else [shape for place, shape in enumerate(JACKPOTS) if place % 4 != first]
        yield from ((option, value) for value in values if value not in left_out)


def assert_refused(preset: str, overrides: dict[str, object]) -> None:
    """One of the clauses that are not met is named, and the error is of the kind that says so."""
    with pytest.raises(RulesError) as caught:
        rules_of(preset, overrides)
    clauses = {clause for need in unmet(preset, overrides) for clause in need.clauses}
    assert caught.value.code == "wrong_table", (preset, overrides)
    assert clauses & set(re.findall(r"R\d+", caught.value.text)), (preset, overrides, caught.value.text)


def assert_played(preset: str, option: str, value: object) -> None:
    """A party of random play comes to its end; its record verifies and says what was agreed on."""
    agreed = rules_of(preset, asked(option, value))
    if not unmet(preset, {option: value}, EFFECTS):
        assert agreed.as_json()[option] == value, (preset, option, value)
    rng = random.Random(crc32(f"{preset} {named(option, value)}".encode()))
    *_, last = turns(agreed, rng, WISH, most=20_000)
    record = json.loads(json.dumps(record_of(last.after)))
    assert last.after.over, (preset, option, value)
    assert record["overrides"] == asked(option, value)
    assert verify(record) is None, (preset, option, value)


def test_what_is_refused_in_all() -> None:
    """The whole set by its reasons: so many overrides of one option at so many presets."""
    refused: dict[str, int] = {}
    for preset in PRESETS:
        for option, values in VALUES.items():
            for value in values:
                for need in unmet(preset, {option: value})[:1]:
                    said = f"{need.option}: {' '.join(need.clauses)}"
                    refused[said] = refused.get(said, 0) + 1
    assert refused == REFUSED


REFUSED = {
    "buy_in: R9": 47,
    "overtrump_partner: R40": 31,
    "defenders_pool: R30": 25,
    "beat: R44": 25,
    "dava: R59": 67,
    "ask_terz: R22": 22,
    "offer: R19": 22,
    "jackpot: R58": 198,
    "upcard: R10": 22,
    "short: R58": 2,
    "offer: R58": 5,
    "deals: R71": 10,
}


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: f"{need.option} {need.clauses[0]}")
def test_every_reason_is_met_somewhere(need: object) -> None:
    """No line of the data is idle."""
    hit = [
        preset
        for preset in PRESETS
        for option, values in VALUES.items()
        for value in values
        if need in unmet(preset, {option: value})
    ]
    assert hit
    assert all(table_of(preset) in ("2", "3", "4", "pairs") for preset in hit)
