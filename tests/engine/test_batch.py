"""Batches: the columns are the deals and parties they say they are, whoever counts them and in how many processes."""

from __future__ import annotations

import importlib.util
import random
from array import array
from collections import Counter
from itertools import product
from typing import Any

import pytest

from engine import SetupError, Stepper, play_deals, play_parties, rules_of
from engine.actions import Action
from engine.batch import Deals, Parties
from engine.bots import UnknownBot, house
from engine.deal import End
from engine.fast.parties import party_seed
from engine.party import EndReason
from engine.presets import PRESETS
from engine.scoring import Verdict
from engine.view import View
from tests.engine.agreements import FULL

EVERY_PRESET = pytest.mark.parametrize("preset", PRESETS)
DEALS = 500 if FULL else 40


class Longest:
    """A policy of a user's own: the last of the legal actions, never one that ends a deal."""

    def choose(self, view: View, rng: random.Random) -> Action:
        going = [action for action in view.legal if action.text not in ("close", "redeal", "surrender")]
        return going[-1] if rng.random() < 0.9 else rng.choice(going)


def listed(columns: Deals | Parties) -> dict[str, Any]:
    """Every column as lists."""
    every = {name: getattr(columns, name) for name in columns.__slots__ if name != "n"}
    return {name: column.tolist() for name, column in every.items()}


@EVERY_PRESET
def test_the_core_and_views_play_the_same_deals(preset: str) -> None:
    rules = rules_of(preset)
    in_core = play_deals(rules, DEALS // 4, 7, "greedy")
    by_views = play_deals(rules, DEALS // 4, 7, (house("greedy"),) * rules.players)
    assert listed(in_core) == listed(by_views)


@EVERY_PRESET
def test_the_core_and_views_play_the_same_parties(preset: str) -> None:
    rules = rules_of(preset)
    in_core = play_parties(rules, 2, 8, "greedy")
    by_views = play_parties(rules, 2, 8, (house("greedy"),) * rules.players)
    assert listed(in_core) == listed(by_views)


@EVERY_PRESET
def test_columns_add_up(preset: str) -> None:
    rules = rules_of(preset)
    played = play_deals(rules, DEALS, "columns add up")
    rows = zip(*listed(played).values(), strict=True)
    for number, row in enumerate(rows):
        deal = dict(zip(listed(played), row, strict=True))
        assert deal["dealer"] == number % rules.players
        if End(list(End)[deal["end"]]) is not End.PLAYED:
            assert deal["points"] == [0] * rules.sides
            assert deal["verdict"] == deal["last"] == -1
        elif rules.short:
            assert deal["points"] == deal["written"]
            assert sum(deal["stakes"]) == 0
        else:
            hung = list(Verdict)[deal["verdict"]] is Verdict.HANG
            assert sum(deal["written"]) + deal["waiting"] == sum(deal["points"])
            assert deal["written"][deal["maker"] % rules.sides] == 0 or not hung


def test_a_thrown_in_pack_is_a_row() -> None:
    ends = Counter(play_deals(rules_of("moscow/2"), 2_000, 1).end)
    assert ends[list(End).index(End.ALL_PASS)] > 0
    assert ends[list(End).index(End.PLAYED)] > 1_000


@pytest.mark.parametrize("policies", ["random", Longest()])
def test_any_number_of_processes_gives_the_same(policies: Any) -> None:
    rules = rules_of("site/3")
    alone, together = (play_deals(rules, 9, 3, policies, processes=count) for count in (1, 2))
    assert listed(alone) == listed(together)
    alone, together = (play_parties(rules, 5, 3, policies, processes=count) for count in (1, 2))
    assert listed(alone) == listed(together)


@pytest.mark.parametrize("preset", ["moscow/2", "site/3", "klabor/4", "klabor/pairs"])
def test_a_deal_depends_on_the_seed_and_its_number_alone(preset: str) -> None:
    short, long = (play_deals(rules_of(preset), count, 11) for count in (7, 30))
    assert {name: column[:7] for name, column in listed(long).items()} == listed(short)
    assert listed(play_deals(rules_of(preset), 7, 12)) != listed(short)


def test_a_party_can_be_stepped_through_again() -> None:
    rules = rules_of("kharkov_full/3")
    rows = play_parties(rules, 3, 21, "greedy")
    greedy, rng = house("greedy"), random.Random(0)
    for number, totals in enumerate(rows.totals.tolist()):
        party = Stepper(rules, party_seed(21, number))
        while not party.over:
            action = greedy.choose(party.observe(party.seat), rng)
            party.step(party.legal[party.texts.index(action.text)])
        assert list(party.totals) == totals
        assert party.result is not None
        assert list(EndReason)[rows.reason[number]] is party.result.reason
        assert rows.deals[number] == party.number + 1


def test_a_party_without_end_is_given_up() -> None:
    endless = rules_of("moscow/2", {"target": 10**9, "close": "off"})
    rows = play_parties(endless, 2, 1, most_deals=20)
    assert list(rows.deals) == [20, 20]
    assert list(rows.winner) == list(rows.reason) == [-1, -1]


@pytest.mark.parametrize("preset", ["moscow/2", "site/3", "house/4"])
def test_columns_are_buffers_of_their_shape(preset: str) -> None:
    rules = rules_of(preset)
    for columns, name, kind in (
        (play_deals(rules, 5, 1), "points", "i"),
        (play_deals(rules, 5, 1), "fines", "i"),
        (play_parties(rules, 5, 1), "totals", "q"),
    ):
        view = memoryview(getattr(columns, name))
        assert (view.shape, view.format, view.contiguous) == ((5, rules.sides), kind, True)
    one_each = play_deals(rules, 5, 1)
    assert (one_each.end.typecode, one_each.waiting.typecode, len(one_each.end)) == ("b", "i", 5)
    if importlib.util.find_spec("numpy"):
        import numpy

        points = numpy.asarray(one_each.points)
        assert points.shape == (5, rules.sides)
        assert points.dtype == numpy.int32
        assert not points.flags.owndata


def test_no_deals_at_all() -> None:
    assert play_deals(rules_of("moscow/2"), 0, 1).n == 0
    assert play_parties(rules_of("moscow/2"), 0, 1, processes=2).deals == array("i")


def test_what_cannot_be_played_is_said() -> None:
    two, three = rules_of("moscow/2"), rules_of("moscow/3")
    for played, (n, processes) in product((play_deals, play_parties), ((-1, 1), (1, 0))):
        with pytest.raises(SetupError, match="no"):
            played(two, n, 1, processes=processes)
    with pytest.raises(UnknownBot, match="nobody"):
        play_deals(two, 1, 1, "nobody")
    with pytest.raises(SetupError, match="2 play here, but there are 3"):
        play_deals(two, 1, 1, ["random"] * 3)
    with pytest.raises(SetupError, match="a policy is"):
        play_deals(three, 1, 1, ["random", "random", 5])  # type: ignore[list-item]
    with pytest.raises(SetupError, match="solver does not play moscow/3"):
        play_parties(three, 1, 1, "solver")
    with pytest.raises(SetupError, match="32 bits"):
        play_deals(rules_of("moscow/2", {"target": 2**31}), 1, 1)

    class Local(Longest):
        """One that no other process can find."""

    with pytest.raises(SetupError, match="cannot be sent"):
        play_deals(two, 4, 1, Local(), processes=2)
