"""What holds at every table, whatever it has agreed on."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    IllegalAction,
    Rules,
    Table,
    apply,
    default_action,
    format_action,
    observe,
    parse_action,
    record_of,
    replay,
    rules_of,
    verify,
    why_not,
)
from engine.actions import ACTIONS
from engine.cards import Card, mask_of, parse_card
from engine.deal import FIRST_CARDS
from engine.presets import PRESETS
from tests.engine.agreements import in_effect
from tests.engine.directed import Turn
from tests.engine.drawing import FEW, SEEDS, agreements, party

EVERY_PRESET = pytest.mark.parametrize("preset", PRESETS)
DEFAULTS = ("pass", "no_offer", "decline", "surrender", "trump", "play")
"""What a default can be, in the order in which it is looked for; never a right (protocol §1)."""


@EVERY_PRESET
@given(st.data())
@FEW
def test_the_seat_to_act_always_may_do_something(preset: str, data: st.DataObject) -> None:
    turns = party(data.draw(agreements(preset)), data.draw(SEEDS))
    for table in tables(turns):
        legal = table.legal
        assert bool(legal) is not table.over
        assert list(legal) == sorted(legal, key=ACTIONS.index)
        if legal:
            default = default_action(table)
            assert default in legal
            assert default.kind in DEFAULTS
            assert not default.bella
            kinds = {action.kind.value for action in legal}
            assert default.kind == next(kind for kind in DEFAULTS if kind in kinds)


def tables(turns: list[Turn]) -> list[Table]:
    """Every table of a party."""
    return [turn.before for turn in turns] + [turn.after for turn in turns[-1:]]


@EVERY_PRESET
@given(st.data())
@FEW
def test_why_not_agrees_with_legal_over_all_actions(preset: str, data: st.DataObject) -> None:
    turns = party(data.draw(agreements(preset)), data.draw(SEEDS))
    for table in tables(turns)[data.draw(st.integers(0, 6)) :: 7]:
        for action in ACTIONS:
            reason = why_not(table, action)
            assert (reason is None) is (action in table.legal)
            if reason is not None:
                assert reason.code
                assert reason.text
        for action in [action for action in ACTIONS if action not in table.legal][::20]:
            with pytest.raises(IllegalAction) as caught:
                apply(table, action)
            assert caught.value.reason == why_not(table, action)


def played_cards(actions: tuple[str, ...]) -> list[Card]:
    """The cards of a deal's actions, in order; an illegal one ends the deal and stays in its hand (R66)."""
    laid = [text for text in actions if "play:" in text and not text.endswith(" !illegal")]
    return [parse_card(text.split("play:")[1][:2]) for text in laid]


@EVERY_PRESET
@given(st.data())
@FEW
def test_cards_are_conserved(preset: str, data: st.DataObject) -> None:
    """Hands, the table and what was played are the first cards of the pack, each once; the rest is the stock."""
    agreed = data.draw(agreements(preset))
    for turn in party(agreed, data.draw(SEEDS)):
        deal = turn.deal
        played = played_cards(deal.actions)
        taken = deal.play is not None and agreed.upcard in ("dealer", "maker")
        everywhere = [*deal.hands, mask_of(played)] + [1 << deal.upcard] * (not taken)
        dealt = agreed.players * (FIRST_CARDS + (agreed.buy_in if deal.play else 0)) + (not taken)
        assert len(set(played)) == len(played)
        assert sum(hand.bit_count() for hand in everywhere) == dealt
        assert sum(everywhere) == mask_of(deal.deck[:dealt])


@EVERY_PRESET
@given(st.data())
@FEW
def test_a_record_gives_the_party_back(preset: str, data: st.DataObject) -> None:
    """Replay is the state, also of a party that goes on: then with the first cards of its running deal dealt."""
    turns = party(data.draw(agreements(preset)), data.draw(SEEDS))
    begins = [0, *(number + 1 for number, turn in enumerate(turns) if turn.ended)]
    for number in {begins[-1], begins[len(begins) // 2]}:
        table = tables(turns)[number]
        record = json.loads(json.dumps(record_of(table)))
        assert verify(record) is None
        assert json.loads(json.dumps(record)) == record
        if table.setup.seed is not None:
            assert replay(record) == table
        elif record["deals"]:
            assert replay(record).party == table.party


@EVERY_PRESET
@given(st.data())
@FEW
def test_events_tell_every_seat_everything_once(preset: str, data: st.DataObject) -> None:
    """Joined over a seat's decisions they are all that the table has seen till then, but for its own actions."""
    agreed = data.draw(agreements(preset))
    turns = party(agreed, data.draw(SEEDS), most=120)
    told: list[list[str]] = [[] for _ in range(agreed.players)]
    acted: list[int | None] = [None] * agreed.players
    for place, table in enumerate(turn.before for turn in turns):
        seat = table.seat_to_act
        assert seat is not None
        assert table.ply == place
        told[seat] += observe(table, seat, acted[seat]).events
        seen = [line for history in (*table.earlier, table.deal.history) for line in history]
        assert observe(table, seat).events == tuple(seen)
        assert told[seat] == [line for line in seen if not line.startswith(f"{seat} ")]
        acted[seat] = place + 1


@EVERY_PRESET
@given(st.data())
@FEW
def test_views_are_json_and_add_up(preset: str, data: st.DataObject) -> None:
    agreed = data.draw(agreements(preset))
    for table in tables(party(agreed, data.draw(SEEDS), most=120))[::5]:
        for seat in range(agreed.players):
            view = observe(table, seat)
            seen = view.as_json()
            assert json.loads(json.dumps(seen)) == seen
            assert view.hand_sizes[seat] == len(view.cards)
            assert view.legal == (table.legal if table.seat_to_act == seat else ())
            tricks = table.deal.play.tricks.done if table.deal.play else 0
            assert sum(view.tricks_won) == tricks


def test_actions_are_their_texts() -> None:
    """parse ∘ format is the identity, and so is format ∘ parse."""
    assert [parse_action(format_action(action)) for action in ACTIONS] == list(ACTIONS)
    assert len({format_action(action) for action in ACTIONS}) == len(ACTIONS) == 81


@EVERY_PRESET
@given(st.data())
@FEW
def test_rules_are_their_values(preset: str, data: st.DataObject) -> None:
    """An agreement written out in full is the same agreement."""
    agreed: Rules = data.draw(agreements(preset))
    written = agreed.as_json()
    again = rules_of(preset, json.loads(json.dumps(written)))
    assert replace(again, overrides={}) == replace(agreed, overrides={})
    for option, value in agreed.overrides.items():
        assert written[option] == value or not in_effect(preset, agreed.overrides, option)


def test_tables_are_values() -> None:
    """Applying an action leaves the table before it as it was."""
    for preset in PRESETS:
        before = tables(party(rules_of(preset), 7, most=40))
        copies = [replace(table) for table in before]
        for table in before:
            for action in table.legal:
                apply(table, action)
        assert copies == before
