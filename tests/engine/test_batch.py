"""Batches: the columns are the deals and parties they say they are, whoever counts them and in how many processes."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from itertools import product
from typing import Any

import pytest

from engine import IllegalAction, SetupError, Stepper, play_deals, play_parties, rules_of
from engine.actions import PLAYS, SURRENDER, Action
from engine.batch import Deals, Parties
from engine.bots import UnknownBot, house
from engine.cards import PACK, cards_in
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
        assert view.strides == (view.itemsize * rules.sides, view.itemsize)
        view[4, 0] = 77
        assert getattr(columns, name).tolist()[4][0] == 77  # a view reads the column itself, as numpy does
    one_each = play_deals(rules, 5, 1)
    assert (one_each.end.typecode, one_each.waiting.typecode, len(one_each.end)) == ("b", "i", 5)


def test_no_deals_at_all() -> None:
    assert play_deals(rules_of("moscow/2"), 0, 1).n == 0
    assert play_parties(rules_of("moscow/2"), 0, 1, processes=2).deals == array("i")


NUMBERS = (*(("n", value) for value in (-1, 2.5, "2", 2**31)), *(("processes", value) for value in (0, 1.5, None)))
JACKPOT = {"length": 6, "trumps_only": False, "from_ace": False, "first_cards": False, "prize": "target"}


@pytest.mark.parametrize(
    ("overrides", "what"),
    [
        ({"target": 2**31, "jackpot": JACKPOT}, "target"),
        ({"bait_fine": 10**12, "bait_fine_from": 1}, "bait_fine"),
        ({"no_tricks_fine": 2**31}, "no_tricks_fine"),
        ({"no_tricks_fine": 2**30, "bait_fine": 2**30, "bait_fine_from": 1}, "bait_fine and no_tricks_fine together"),
    ],
)
def test_what_does_not_fit_into_a_column_is_refused(overrides: dict[str, object], what: str) -> None:
    with pytest.raises(SetupError, match=f"{what}.* may be at most 2147483647 here"):
        play_deals(rules_of("moscow/2", overrides), 1, 1)


def test_what_fits_or_cannot_be_written_is_played() -> None:
    assert play_deals(rules_of("moscow/2", {"target": 2**31}), 4, 1).n == 4
    fined = play_deals(rules_of("moscow/2", {"no_tricks_fine": 2**31 - 1}), 2_000, 1, "random")
    assert {fine for row in fined.fines.tolist() for fine in row} == {0, 2**31 - 1}
    parties = play_parties(rules_of("moscow/2", {"bait_fine": 2**40, "bait_fine_from": 1, "deals": 30}), 3, 1)
    assert min(total for row in parties.totals.tolist() for total in row) < -(2**41)


class Remembering:
    """A policy that does something else every time it is asked."""

    asked = 0

    def choose(self, view: View, rng: random.Random) -> Action:
        self.asked += 1
        return view.legal[self.asked % len(view.legal)]


def test_a_policy_remembers_nothing_of_other_deals() -> None:
    rules, policy = rules_of("moscow/2"), Remembering()
    alone, together = (play_deals(rules, 9, 1, policy, processes=count) for count in (1, 2))
    assert listed(alone) == listed(together)
    assert {name: column[:4] for name, column in listed(alone).items()} == listed(play_deals(rules, 4, 1, policy))
    assert policy.asked == 0


class Answering:
    """A policy that always says the same."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, view: View, rng: random.Random) -> Any:
        return self.answer


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    ("answer", "said"), [(SURRENDER, "surrender"), (PLAYS[PACK[0]], "play:7C"), ("take", "'take'"), ([1], r"\[1\]")]
)
def test_an_answer_that_is_not_legal_is_told_with_its_seat(answer: Any, said: str, processes: int) -> None:
    policies = [Answering(answer), Longest()]
    with pytest.raises(IllegalAction, match=rf"^seat 0 answered {said}: expected one of take, pass$"):
        play_deals(rules_of("moscow/2"), 3, 1, policies, processes=processes)


class Revoking(Longest):
    """One that plays a card of another suit now and then."""

    def choose(self, view: View, rng: random.Random) -> Action:
        held = [PLAYS[card] for card in cards_in(view.hand)]
        wrong = [action for action in held if action not in view.legal]
        playing = view.legal[-1].card is not None
        return wrong[0] if playing and wrong and rng.random() < 0.2 else super().choose(view, rng)


@pytest.mark.parametrize("preset", ["moscow/2", "klabor/pairs", "kharkov_full/3"])
def test_r66_an_illegal_card_of_a_policy_is_a_fault_where_that_is_agreed(preset: str) -> None:
    agreed = rules_of(preset, {"illegal_move": "rules"})
    faults = [End(list(End)[end]) for end in play_deals(agreed, 30, 1, Revoking()).end].count(End.FAULT)
    assert 5 < faults < 30
    assert play_parties(agreed, 2, 1, Revoking()).n == 2
    with pytest.raises(IllegalAction, match="answered play:"):
        play_deals(rules_of(preset), 30, 1, Revoking())


def test_what_cannot_be_played_is_said() -> None:
    two, three = rules_of("moscow/2"), rules_of("moscow/3")
    for played, (name, value) in product((play_deals, play_parties), NUMBERS):
        given: dict[str, Any] = {"n": 1, "seed": 1, "processes": 1} | {name: value}
        with pytest.raises(SetupError, match=rf"{name} is an integer"):
            played(two, **given)
    for most_deals in (0, -1, None, 2**70):
        with pytest.raises(SetupError, match="most_deals is an integer from 1"):
            play_parties(two, 1, 1, most_deals=most_deals)  # type: ignore[arg-type]
    with pytest.raises(UnknownBot, match="nobody"):
        play_deals(two, 1, 1, "nobody")
    with pytest.raises(SetupError, match="2 play here, but there are 3"):
        play_deals(two, 1, 1, ["random"] * 3)
    with pytest.raises(SetupError, match="a policy is"):
        play_deals(three, 1, 1, ["random", "random", 5])  # type: ignore[list-item]
    with pytest.raises(SetupError, match="solver does not play moscow/3"):
        play_parties(three, 1, 1, "solver")
    with pytest.raises(SetupError, match="not 'moscow/2'"):
        play_deals("moscow/2", 1, 1)  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="one for all seats"):
        play_deals(two, 1, 1, None)  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="a policy is"):
        play_deals(two, 1, 1, Longest)  # type: ignore[arg-type]

    class Local(Longest):
        """One that no other process can find."""

    with pytest.raises(SetupError, match="cannot be sent"):
        play_deals(two, 4, 1, Local(), processes=2)
