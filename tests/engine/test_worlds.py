"""Worlds: everything certain holds in each of them, and each plays the deal over again as the table saw it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import PartySetup, Rules, Table, View, apply, observe, parse_action, rules_of, start
from engine.bots import house
from engine.bots.knowledge import WHOLE_PACK, Knowledge, know, shown_missing
from engine.bots.worlds import World, Worlds, hidden_of, seat_world
from engine.cards import PACK, RANKS, card_of, cards_in, mask_of
from engine.deal import Deal, deal_cards, forced_deal
from engine.fast.chance import Chance
from engine.fast.deal import hand as held
from engine.fast.hidden import Hidden
from engine.fast.telling import tells_alike
from engine.fast.worlds import lay, once
from engine.presets import PRESETS
from engine.table import _legal
from engine.tricks import legal_plays
from tests.engine.agreements import FULL
from tests.engine.drawing import FEW, SEEDS, agreements, party
from tests.engine.notation import cards, deck, go, hand, rules, table

PARTIES = 12 if FULL else 1
TURNS = 400 if FULL else 60
"""So many turns of each party are looked at."""
VIEWS = 200 if FULL else 20
"""So many views are counted out."""


def moments(agreed: Rules, rng: random.Random) -> Iterator[tuple[Table, View]]:
    """The turns of a party of `random` and `greedy`, mostly as the seat to act sees them."""
    bots = [house(rng.choice(["random", "greedy"])) for _ in range(agreed.players)]
    at = start(PartySetup(agreed, rng.randbytes(32)))
    for _ in range(TURNS):
        seat = at.seat_to_act
        if seat is None:
            return
        yield at, observe(at, seat if rng.random() < 0.8 else rng.randrange(agreed.players))
        at = apply(at, bots[seat].choose(observe(at, seat), rng))


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_certain_is_true(preset: str) -> None:
    rng = random.Random(preset)
    for _ in range(PARTIES):
        for at, view in moments(rules_of(preset, {}), rng):
            check_certain(at.deal, view)


def check_certain(deal: Deal, view: View) -> None:
    known = know(view)
    for seat, cards_held in enumerate(deal.hands):
        assert known.sure[seat] & ~cards_held == 0
        assert cards_held & known.absent[seat] == 0 or seat == view.seat
        assert (cards_held & known.unseen).bit_count() == known.need[seat]
    true = seat_world(view, World(deal.hands, deal.deck))
    assert tuple(held(true, seat) for seat in range(view.rules.players)) == deal.hands


@pytest.mark.parametrize("preset", PRESETS)
def test_every_world_plays_the_deal_over_again(preset: str) -> None:
    """The reference engine deals a world's pack, takes the deal's actions, and shows the seat the same view.

    Of a thousand views one may be left without a world: where several have announced, not every try finds one.
    """
    rng, asked, found = random.Random(f"{preset} again"), 0, 0
    for _ in range(PARTIES):
        for at, view in moments(rules_of(preset, {}), rng):
            if rng.random() < 0.3:
                asked += 1
                found += plays_again(at, view, Chance(rng.getrandbits(60), 0))
    assert found >= 0.999 * asked > 0


@pytest.mark.parametrize("preset", PRESETS)
@FEW
@given(data=st.data(), seed=SEEDS)
def test_other_agreements_are_concluded_from_as_truly(preset: str, data: st.DataObject, seed: int) -> None:
    """Options overridden, packs stacked for what is rare, seats that fail and cards that are illegal."""
    agreed, rng = data.draw(agreements(preset)), random.Random(seed)
    for turn in party(agreed, seed, TURNS):
        view = observe(turn.before, rng.randrange(agreed.players))
        check_certain(turn.before.deal, view)
        if rng.random() < 0.1:
            plays_again(turn.before, view, Chance(rng.getrandbits(60), 0))


def plays_again(at: Table, view: View, chance: Chance) -> bool:
    """Whether a world is found; if so it must show the same."""
    world = Worlds(view).draw(chance)
    assert world is None or seen_again(at, view, world) == replace(view, events=())
    return world is not None


def seen_again(at: Table, view: View, world: World) -> View:
    """The view of the same seat had the pack been the world's; the card that an exchange took may be another."""
    deal = deal_cards(view.rules, at.deal.number, at.deal.dealer, world.deck)
    if at.deal.forced:
        assert at.deal.maker is not None
        deal = forced_deal(view.rules, deal, at.deal.maker)
    said = [line for line in view.history if not line.startswith("!")]
    again = replace(at, deal=deal, legal=_legal(view.rules, deal), ply=at.ply - len(said))
    for line in said:
        assert again.seat_to_act == int(line[0])
        again = apply(again, parse_action(line[2:]))
    assert again.deal.hands == world.hands
    return replace(observe(again, view.seat), events=())


@pytest.mark.parametrize("preset", ["klabor/4", "klabor/pairs", "site/3"])
def test_r38_r39_r40_what_a_card_shows_is_what_would_have_forbidden_it(preset: str) -> None:
    """`shown_missing` against the definition: a card is missing if with it the other could not have been played."""
    agreed, rng = rules_of(preset, {}), random.Random(preset)
    for _ in range(400):
        laid = rng.sample(PACK, rng.randrange(1, agreed.players + 1))
        trick = tuple(enumerate(laid[:-1]))
        seat, card, trump = len(trick), laid[-1], card_of(rng.choice((0, 1, 2, 3)), 0) >> 3
        missing = shown_missing(agreed, trump, trick, seat, card)
        for other in set(PACK) - set(laid):
            forbids = not legal_plays(agreed, trump, 1 << card | 1 << other, trick, seat) >> card & 1
            assert forbids == bool(missing >> other & 1)


def worlds_of(view: View, count: int = 200) -> list[World]:
    drawn, chance = Worlds(view), Chance(1, 2)
    found = [drawn.draw(chance) for _ in range(count)]
    return [world for world in found if world is not None]


ELDEST = "JH 9H AH TH AC TC 7D 8D 9D"
DEALER = "7C 8C 9C JD QD KD 7S 8S 9S"


def test_r32_an_announced_height_is_held_in_every_world() -> None:
    """Two terzes: the eldest's jack is said, and the dealer's king."""
    at = go(table(deck(ELDEST, DEALER, "8H"), agreed=rules(declare="manual")), "take declare JH declare")
    view = observe(at, 0)
    assert {"! height 0 J", "! height 1 K"} <= set(view.history)
    for world in worlds_of(view):
        assert any(world.hands[1] & run == run for run in map(hand, ("JC QC KC", "JD QD KD", "JS QS KS", "JH QH KH")))


def test_r27_where_sequences_declare_themselves_silence_is_certain() -> None:
    silent = "7C 8C QC JD QD AD 7S 8S TS"
    at = go(table(deck(ELDEST, silent, "8H"), agreed=rules(declare="auto")), "take JH 7C")
    view = observe(at, 0)
    assert "! announce 1 terz" not in view.history
    came = [world.hands[1] | hand("7C") for world in worlds_of(view)]
    assert came
    assert not any(one & one >> 1 & one >> 2 & 0x3F3F3F3F for one in came)


def test_r10_r11_the_upcard_and_the_bottom_card_are_nobody_s() -> None:
    view = observe(go(table(deck(ELDEST, DEALER, "8H", bottom="KH")), "take"), 0)
    for world in worlds_of(view):
        assert not world.hands[1] & hand("8H KH")
        assert (world.deck[12], world.deck[-1]) == cards("8H KH")


def test_r20_the_exchanger_holds_a_trump_that_was_the_upcard() -> None:
    at = go(table(deck("7H 9H AH TH AC TC 7D 8D KH", DEALER, "JH")), "take exchange")
    for world in worlds_of(observe(at, 1)):
        assert world.deck[12] >> 3 == 2
        assert world.hands[0] >> world.deck[12] & 1
        assert not world.hands[0] & hand("7H")


@pytest.mark.parametrize(("dealer", "answer"), [(DEALER, "yes"), ("9C TC JC QC JD QD KD 7S 8S", "no")])
def test_r22_who_asked_holds_the_terz_in_every_world(dealer: str, answer: str) -> None:
    at = go(table(deck("7H 9H 8H TH AC KC 7D TD KS", dealer, "JH")), "take ask TD")
    view = observe(at, 1)
    assert f"! ask 0 {answer}" in view.history
    for world in worlds_of(view, 40):
        assert world.hands[0] & hand("7H 8H 9H") == hand("7H 8H 9H")
    assert plays_again(at, view, Chance(1, 0))


def test_where_no_cards_are_left_to_lie_there_is_no_world() -> None:
    worlds = Worlds(observe(table(deck(ELDEST, DEALER, "8H")), 0))
    worlds._hidden.absent[1] = WHOLE_PACK
    assert worlds.draw(Chance(1, 0)) is None


def test_places_are_as_likely_as_they_should_be() -> None:
    """Before anything is said, every unseen card is dealt to the other seat as often as any: 6 of 25."""
    view = observe(table(deck(ELDEST, DEALER, "8H")), 0)
    often: Counter[int] = Counter()
    for world in worlds_of(view, 4000):
        often.update(card for card in PACK if world.hands[1] >> card & 1)
    assert set(often) == {card for card in PACK if (WHOLE_PACK & ~view.hand & ~hand("8H")) >> card & 1}
    assert all(abs(count / 4000 - 6 / 25) < 0.04 for count in often.values())


def test_r32_the_leader_s_height_is_known_by_what_is_said_after_it() -> None:
    """The eldest's terz had no height until the dealer's was told: jack and king, so neither is drawn from others."""
    at = go(table(deck(ELDEST, DEALER, "8H"), agreed=rules(declare="manual")), "take declare JH declare")
    eldest = hidden_of(know(observe(at, 1))).anchors[0]
    assert {anchor >> 32 for anchor in eldest} == {1 << 3 | RANKS.index("J")}


def test_a_hand_with_two_of_the_runs_announced_is_drawn_no_oftener() -> None:
    """The dealer's terz is from the king: two such are in 2.3 % of the hands that fit, counted by drawing evenly."""
    at = go(table(deck(ELDEST, DEALER, "8H"), agreed=rules(declare="manual")), "take declare JH declare")
    hidden, chance = hidden_of(know(observe(at, 0))), Chance(1, 1)
    runs = [hand(run) for run in ("JC QC KC", "JD QD KD", "JS QS KS", "JH QH KH")]
    laid = [hidden.hands[1] for _ in range(9000) if lays(hidden, chance)]
    twice = sum(sum(one & run == run for run in runs) > 1 for one in laid)
    assert 0.016 < twice / len(laid) < 0.030


def lays(hidden: Hidden, chance: Chance) -> bool:
    """Whether this try laid hands that announce what was announced."""
    return lay(hidden, chance) and tells_alike(hidden) and once(hidden, chance)


def arrangements(known: Knowledge) -> set[tuple[int, ...]]:
    """The unseen cards of each other seat, every way that they can lie."""
    others = [seat for seat in range(known.view.rules.players) if seat != known.view.seat]
    found: set[tuple[int, ...]] = {()}
    for seat in others:
        found = {
            (*laid, mask_of(more))
            for laid in found
            for more in combinations(cards_in(known.unseen & ~known.absent[seat] & ~sum(laid)), known.need[seat])
        }
    return found


def test_where_suits_are_shut_out_no_arrangement_is_drawn_far_too_often() -> None:
    """Late in deals of three and four, where all can be counted: twice its share is the most that any comes up."""
    rng, seen = random.Random(5), 0
    for number in range(400):
        for _, view in moments(rules_of(rng.choice(["site/3", "klabor/4", "klabor/pairs"]), {}), rng):
            known = know(view)
            others = [seat for seat in range(view.rules.players) if seat != view.seat]
            if known.unseen.bit_count() > 9 or known.sayings or not any(known.absent[s] & known.unseen for s in others):
                continue
            possible = arrangements(known)
            if 2 <= len(possible) <= 20:
                check_even(known, others, possible, number)
                seen += 1
        if seen >= VIEWS:
            return
    pytest.fail("too few views to count")


def check_even(known: Knowledge, others: list[int], possible: set[tuple[int, ...]], number: int) -> None:
    hidden, chance, often = hidden_of(known), Chance(number, 0), Counter[tuple[int, ...]]()
    tries = 100 * len(possible)
    for _ in range(tries):
        if lays(hidden, chance):
            often[tuple(hidden.hands[seat] & ~hidden.sure[seat] for seat in others)] += 1
    assert set(often) == possible
    assert max(often.values()) <= 2 * often.total() / len(possible)


def test_what_a_seat_was_seen_not_to_have_is_in_no_world() -> None:
    """Three players: who ruffed has no clubs."""
    agreed = rules("site/3")
    at = start(PartySetup(agreed, bytes(range(32))))
    rng, seen = random.Random(5), 0
    while at.seat_to_act is not None and seen < 20:
        view = observe(at, at.seat_to_act)
        known = know(view)
        for world, seat in product(worlds_of(view, 5), range(3)):
            assert world.hands[seat] & known.absent[seat] == 0 or seat == view.seat
        seen += any(known.absent)
        at = apply(at, house("random").choose(view, rng))
    assert seen


def test_a_world_of_another_view_is_refused() -> None:
    """The pack must deal what was played."""
    at = go(table(deck(ELDEST, DEALER, "8H"), agreed=rules(declare="auto")), "take JH")
    other = deck("7C 8C 9C JD QD KD 7S 8S 9S", "JH QH KH AH TH AC TC 7D 8D", "8H")
    with pytest.raises(ValueError, match="none of the view's"):
        seat_world(observe(at, 1), World((0, 0), other))
