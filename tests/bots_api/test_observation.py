"""An observation as text says what the encoder would make of it, to the byte."""

from __future__ import annotations

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from bots_api.observation import correction, opening, text
from engine import PartySetup, View, apply, observe, presets, rules_of, start


def by_the_encoder(view: View) -> str:
    return json.dumps(view.as_json(), separators=(",", ":"))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.binary(min_size=32, max_size=32),
    draw=st.integers(0, 2**32),
    preset=st.sampled_from(presets()),
    overrides=st.sampled_from([{}, {"declare": "auto"}, {"target": 101, "hang_repeat": "queue"}]),
    party=st.integers(1, 9),
)
def test_it_is_what_the_encoder_would_make(seed, draw, preset, overrides, party) -> None:
    rng, table = random.Random(draw), start(PartySetup(rules_of(preset, overrides), seed))
    beginnings: dict[int, str] = {}
    last: dict[int, int] = {}
    for _ in range(120):
        if table.over:
            break
        seat = table.seat_to_act
        view = observe(table, seat, last.get(seat), party=party)
        beginning = beginnings.setdefault(seat, opening(view))
        assert text(beginning, view) == by_the_encoder(view)
        table = apply(table, rng.choice(table.legal))
        last[seat] = table.ply


def test_every_part_of_the_table_has_been_seen() -> None:
    """What the test above can only show if random play comes to it."""
    seen: set[str] = set()
    for number in range(60):
        rng, table = random.Random(number), start(PartySetup(rules_of("moscow/2", {"deals": 4}), bytes([number]) * 32))
        while not table.over:
            view = observe(table, table.seat_to_act)
            assert text(opening(view), view) == by_the_encoder(view)
            on_table = view.as_json()["table"]
            seen |= {name for name, value in on_table.items() if value} | {view.phase.value}
            table = apply(table, rng.choice(table.legal))
    assert seen >= {"bid", "play", "waiting", "announced", "bella", "trick", "bottom", "trump", "totals", "baits"}


def test_a_correction_is_the_decision_with_what_was_wrong() -> None:
    table = start(PartySetup(rules_of("moscow/2"), bytes(32)))
    view = observe(table, table.seat_to_act)
    again = correction(text(opening(view), view), "illegal_action", 'Not "this", \\ or ünïcode.')
    assert json.loads(again) == view.as_json() | {
        "attempt": 2,
        "error": {"code": "illegal_action", "detail": 'Not "this", \\ or ünïcode.'},
    }
