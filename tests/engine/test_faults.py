"""What faults cost at a live table (R65), by preset (§15)."""

import pytest

from engine import rules_of
from engine.faults import Cost, Fault, cost_of
from engine.presets import presets

EVERYTHING = " ".join(Fault)


@pytest.mark.parametrize(
    ("families", "faults", "cost"),
    [
        ("moscow kharkov classic encyclopedia", EVERYTHING, "bait_on_cards"),
        ("klabor", "revoke", "redeal_100"),
        ("klabor", "no_cut", "hundred"),
        ("klabor", "extra_card missing_card false_declaration wrong_exchange wrong_height_question", "nothing"),
        ("kharkov_full", "revoke", "sweet_trick"),
        ("kharkov_full", "no_cut", "bait"),
        ("kharkov_full", "extra_card missing_card false_declaration wrong_exchange wrong_height_question", "nothing"),
        ("site fpclub doezd house", EVERYTHING, "nothing"),
        ("short short_bait short_dava fifties", EVERYTHING, "bait_on_cards"),  # moscow's, with R58 or two options
    ],
)
def test_r65_costs_by_preset(families: str, faults: str, cost: str) -> None:
    for preset in presets():
        if preset.partition("/")[0] in families.split():
            table = rules_of(preset).fault_table
            assert {cost_of(table, Fault(fault)) for fault in faults.split()} == {Cost(cost)}
