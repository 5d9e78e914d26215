"""One judgement for the house bot `greedy`, whole batches and playouts: from a view and inside the core."""

from __future__ import annotations

import random

import pytest

from engine import PartySetup, Rules, Table, apply, observe, start
from engine.actions import ACTIONS, Action
from engine.bots import house
from engine.fast.chance import Chance, shuffle
from engine.fast.deal import FastDeal, begin, copy_into
from engine.fast.greedy import greedy_code
from engine.fast.outcome import Outcome, count
from engine.fast.random_play import play_random
from engine.fast.rollout import GREEDY, RANDOM, play_out, rollout, worth
from engine.fast.step import step
from engine.fast.terms import terms_of
from engine.presets import PRESETS
from tests.engine.agreements import FULL
from tests.engine.notation import rules

PARTIES = 40 if FULL else 2
"""So many parties of every preset, of at most `TURNS` turns each."""

TURNS = 400
CODES = {action: code for code, action in enumerate(ACTIONS)}


def fast_deal(table: Table) -> FastDeal:
    """The running deal of a table, as it began."""
    deal = FastDeal(terms_of(table.rules))
    deal.deck, deal.totals = list(table.deal.deck), list(table.totals)
    forced = table.party.forced_maker
    begin(deal, table.deal.dealer, -1 if forced is None else forced)
    return deal


def both_agree(agreed: Rules, seed: int) -> int:
    """Plays a party now greedily, now at random; at every turn the bot and the core say the same. How many turns."""
    rng = random.Random(seed)
    at = start(PartySetup(agreed, rng.randbytes(32)))
    deal, number, turns, share = fast_deal(at), 0, 0, rng.random()
    while (seat := at.seat_to_act) is not None and turns < TURNS:
        if at.deal_number != number:
            deal, number = fast_deal(at), at.deal_number
        chosen = house("greedy").choose(observe(at, seat), rng)
        assert ACTIONS[greedy_code(deal)] is chosen, at.deal.history
        action = chosen if rng.random() < share else seldom_ending(at, rng)
        step(deal, CODES[action])
        at, turns = apply(at, action), turns + 1
    return turns


def seldom_ending(table: Table, rng: random.Random) -> Action:
    """Any legal action as the bot `random` chooses it."""
    seat = table.seat_to_act
    assert seat is not None
    return house("random").choose(observe(table, seat), rng)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_bot_and_the_core_judge_alike(preset: str) -> None:
    for seed in range(PARTIES):
        assert both_agree(rules(preset), seed) > 10


ODD = (
    ("moscow/2", {"offer": "fifty", "short": "off", "target": 100}),
    ("moscow/2", {"seven_swap": "buy_in", "declare_until": "second_card", "target": 60}),
    (
        "moscow/2",
        {"false_close": "nothing", "declare": "auto", "bella_to": "halves", "bella_needs_trick": "on", "target": 60},
    ),
    ("kharkov_full/2", {"redeal_poor": 40, "declare_until": "second_card", "target": 60}),
    ("klabor/3", {"close": "on", "target": 80, "upcard": "maker", "hundred": 5}),
    ("site/pairs", {"close": "on", "declare": "manual", "declare_until": "second_card", "target": 80}),
    ("short_dava/2", {"dava": "geometric", "bella_to": "trick_winner", "upcard": "under"}),
)


@pytest.mark.parametrize(("preset", "overrides"), ODD)
def test_they_judge_alike_where_rules_are_mixed(preset: str, overrides: dict[str, object]) -> None:
    for seed in range(4 * PARTIES):
        assert both_agree(rules(preset, **overrides), seed)


def shuffled(agreed: Rules, number: int) -> FastDeal:
    """A deal of its own for every number, just dealt."""
    deal = FastDeal(terms_of(agreed))
    shuffle(Chance(1, number), deal.deck)
    begin(deal, number % agreed.players)
    return deal


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_played_out_is_the_one_of_its_policies(preset: str) -> None:
    """Greedy all round is the rollout, random all round random play; one seat of each is something else."""
    agreed = rules(preset)
    greedy = sum(GREEDY << 4 * seat for seat in range(agreed.players))
    ends = set()
    for number in range(5):
        by_policy = [shuffled(agreed, number) for _ in range(3)]
        for deal, policies in zip(by_policy, (greedy, RANDOM, GREEDY), strict=True):
            play_out(deal, Chance(2, number), policies)
        alone, at_random = shuffled(agreed, number), shuffled(agreed, number)
        rollout(alone, Chance(3, number))
        play_random(at_random, Chance(2, number))
        assert [ended(deal) for deal in by_policy[:2]] == [ended(alone), ended(at_random)]
        ends.add(tuple(ended(deal) for deal in by_policy))
    assert any(len(set(three)) == 3 for three in ends)


def ended(deal: FastDeal) -> tuple[int, ...]:
    """How a deal ended, enough to tell two apart."""
    return deal.end, deal.ender, deal.maker, deal.trump, deal.points, deal.won, deal.declared, deal.stake


def test_a_rollout_goes_on_from_where_a_deal_stands() -> None:
    deal, whole = shuffled(rules(), 1), shuffled(rules(), 1)
    copied = FastDeal(deal.terms)
    for _ in range(8):
        step(deal, greedy_code(deal))
    copy_into(deal, copied)
    rollout(copied, Chance(0, 0))
    rollout(whole, Chance(0, 0))
    assert ended(copied) == ended(whole)
    assert deal.end == -1


@pytest.mark.parametrize("preset", ["moscow/2", "klabor/pairs", "site/3", "house/4", "short/3", "short_dava/2"])
def test_what_a_deal_is_worth_to_a_side(preset: str) -> None:
    """In quarters of a point, its own less the mean of the others', a stake for 100; more is never worth less."""
    agreed, written = rules(preset), Outcome()
    for number in range(20):
        deal = shuffled(agreed, number)
        rollout(deal, Chance(0, 0))
        count(deal, written)
        gains = [gain_of(agreed, written, side) for side in range(agreed.sides)]
        for side, own in enumerate(gains):
            others = agreed.sides - 1
            exact = 4 * own * others - 4 * (sum(gains) - own)
            assert 0 <= others * worth(deal, written, side) - exact < others
        before = worth(deal, written, 0)
        written.wrote0, written.stake0 = written.wrote0 + 1, written.stake0 + 1
        assert worth(deal, written, 0) > before


def gain_of(agreed: Rules, written: Outcome, side: int) -> int:
    """What a side writes less its fines and with half of what waits for it, or a hundred for each stake."""
    if agreed.short is not None:
        return 100 * int(getattr(written, f"stake{side}"))
    waits = written.pool // 2 if written.pool_sides >> side & 1 else 0
    return int(getattr(written, f"wrote{side}")) - int(getattr(written, f"fine{side}")) + waits
