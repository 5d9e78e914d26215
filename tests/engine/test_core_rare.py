"""The fast core where a party seldom comes: stacked packs and unusual agreements, followed beside the reference."""

import random
from itertools import product

import pytest

from engine.actions import ACTIONS, REDEAL, TAKE, Action
from engine.cards import FOUR_SEVENS, PACK, Card, cards_in
from engine.fast.chance import Chance
from engine.fast.counting import points_by_side
from engine.fast.deal import FastDeal, begin, copy_into, give
from engine.fast.dealing import begin_drawn
from engine.fast.legal import legal_bella, legal_cards, legal_count, legal_rights, nth_legal
from engine.fast.random_play import play_random, random_code
from engine.fast.sequences import runs_of, terz_is_good
from engine.fast.step import step
from engine.fast.terms import terms_of
from engine.presets import PRESETS, rules_of
from engine.rules import SequenceTie
from engine.sequences import sequences_in
from engine.table import PartySetup, apply, start
from tests.engine.agreements import FULL
from tests.engine.directed import Wish, turns
from tests.engine.following import check_party

SEEDS = range(60 if FULL else 3)
RUNS = Wish({"declare": 5.0, "bella": 5.0, "take": 5.0, "close": 0.05, "redeal": 0.1}, "equal runs")
TERZ = Wish({"take": 5.0, "ask": 9.0, "close": 0.05}, "trump terz")
JACKPOT = Wish({"take": 5.0, "declare": 9.0, "ask": 9.0, "close": 0.05}, "jackpot")
PAIR = Wish({"take": 5.0, "bella": 3.0, "close": 0.2}, "pair")
CLOSING = Wish({"take": 5.0, "close": 3.0, "surrender": 1.0})
CLAIMS = Wish({"pass": 9.0, "redeal": 9.0})

ANY_JACKPOT = {"length": 6, "trumps_only": False, "from_ace": False, "first_cards": False, "prize": "target"}

RARE = (
    *(("moscow/2", {"sequence_tie": tie.value}, RUNS) for tie in SequenceTie),
    *(("klabor/pairs", {"sequence_tie": tie.value}, RUNS) for tie in SequenceTie),
    *(("moscow/3", {"sequence_tie": tie.value, "split_runs": "off"}, RUNS) for tie in SequenceTie),
    *((f"kharkov_full/{table}", {"hundred": 5}, RUNS) for table in ("2", "3", "4", "pairs")),
    ("moscow/2", {}, TERZ),
    ("moscow/2", {"jackpot": ANY_JACKPOT}, TERZ),
    ("moscow/2", {"jackpot": ANY_JACKPOT}, JACKPOT),
    ("klabor/2", {"jackpot": ANY_JACKPOT | {"first_cards": True, "prize": "party"}}, JACKPOT),
    ("site/4", {"jackpot": ANY_JACKPOT}, JACKPOT),
    ("kharkov_full/4", {"jackpot": ANY_JACKPOT}, JACKPOT),
    ("house/2", {"jackpot": ANY_JACKPOT | {"from_ace": True}}, JACKPOT),
    *((f"moscow/{table}", {"bella_to": to, "close": "on"}, PAIR) for table in "23" for to in ("halves", "one_wins")),
    ("klabor/pairs", {"bella_needs_trick": "on"}, PAIR),
    ("klabor/3", {"bella_needs_trick": "on", "close": "on", "false_close": "nothing"}, PAIR),
    *((f"kharkov_full/{table}", {"target": 150}, CLOSING) for table in ("2", "3", "4", "pairs")),
    *((f"encyclopedia/{table}", {"target": 60}, CLOSING) for table in ("2", "3", "4", "pairs")),
    ("moscow/3", {"target": 60}, CLOSING),
    ("short_dava/2", {"dava": "geometric", "short": "bait"}, CLOSING),
    ("klabor/4", {"redeal_below": 30, "redeal_poor": 40}, CLAIMS),
    ("classic/3", {"redeal_poor": 40, "obligation": "on"}, CLAIMS),
)


@pytest.mark.parametrize(("preset", "overrides", "wish"), RARE)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_core_follows_what_is_rare(preset: str, overrides: dict[str, object], wish: Wish, seed: int) -> None:
    rng = random.Random(seed)
    check_party(list(turns(rules_of(preset, overrides), rng, wish, 120)), rng)


def drawn(preset: str, number: int) -> tuple[FastDeal, Chance]:
    """A deal of the preset that has just begun, and the stream that goes on with it."""
    d, chance = FastDeal(terms_of(rules_of(preset))), Chance(20261130, number)
    begin_drawn(d, number % d.players, chance)
    return d, chance


def fields(d: FastDeal) -> dict[str, object]:
    """Everything of a deal but its log, for a copy keeps none."""
    names = (name for name in dir(d) if not name.startswith("_"))
    return {name: getattr(d, name) for name in names if name not in ("log", "logging", "copy_into")}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_copy_has_every_field_and_goes_its_own_way(preset: str) -> None:
    d, chance = drawn(preset, 5)
    copy = FastDeal(terms_of(rules_of("classic/2")))
    while d.end < 0:
        step(d, random_code(d, chance))
        copy_into(d, copy)
        assert fields(copy) == fields(d)
    before = fields(d)
    begin_drawn(copy, 0, chance)
    assert fields(d) == before


@pytest.mark.parametrize("preset", PRESETS)
def test_legal_actions_are_counted_and_found_in_order(preset: str) -> None:
    for number in range(5):
        d, chance = drawn(preset, number)
        while d.end < 0:
            codes = [nth_legal(d, k) for k in range(legal_count(d))]
            rights = [code for code in range(17) if legal_rights(d) >> code & 1]
            cards = [17 + 2 * card for card in cards_in(legal_cards(d))]
            bella = [18 + 2 * card for card in cards_in(legal_bella(d))]
            assert codes == rights + sorted(cards + bella)
            step(d, random_code(d, chance))
        assert legal_count(d) == 0


@pytest.mark.parametrize(("places", "bids"), [((0, 1, 2, 6), ()), ((0, 1, 2, 13), (TAKE,))])
def test_r21_four_sevens_are_a_redeal_in_the_bidding_and_in_the_play(
    places: tuple[int, ...], bids: list[Action]
) -> None:
    rules = rules_of("classic/2", {"seven_swap": "off"})
    others = iter(card for card in PACK if not FOUR_SEVENS >> card & 1)
    pack = tuple(Card(8 * places.index(place)) if place in places else next(others) for place in range(32))
    table = start(PartySetup(rules, None, first_dealer=0, decks=(pack,)))
    d = FastDeal(terms_of(rules))
    d.deck = list(pack)
    begin(d, 0)
    for bid in bids:
        table = apply(table, bid)
        step(d, ACTIONS.index(bid))
    assert REDEAL in table.legal
    assert [ACTIONS[nth_legal(d, k)] for k in range(legal_count(d))] == list(table.legal)


def test_r22_a_jackpot_is_better_than_every_sequence() -> None:
    d = FastDeal(terms_of(rules_of("moscow/2", {"jackpot": ANY_JACKPOT})))
    d.trump, d.maker, d.first_leader = 2, 0, 0
    give(d, 0, 0x3F << 8)
    give(d, 1, 7 << 16)
    d.dealt = d.held
    assert terz_is_good(d)
    d.to_act = 1
    assert not terz_is_good(d)


def test_r31_bella_of_a_side_without_a_trick_may_need_one() -> None:
    for needs, bella in (("on", 0), ("off", 20)):
        d = FastDeal(terms_of(rules_of("site/2", {"bella_needs_trick": needs})))
        d.trump, d.maker, d.leader, d.bella_seat = 2, 1, 1, 0
        d.points, d.won = 152 << 16, 9 << 8
        assert points_by_side(d, 1) == 162 << 16 | bella


@pytest.mark.parametrize("preset", ["moscow/2", "kharkov_full/pairs", "fpclub/3", "klabor/2"])
def test_r23_r26_runs_of_a_hand(preset: str) -> None:
    rules, rng = rules_of(preset), random.Random(preset)
    for _ in range(400):
        cards = rng.getrandbits(32) | rng.getrandbits(32)
        runs = sequences_in(rules, cards)
        packed = runs_of(cards, 2, terms_of(rules))
        assert packed & 0xFFFF == sum(run.worth for run in runs)
        best = [run for run in runs if run.rank == runs[0].rank]
        assert packed >> 24 == any(run.top >> 3 == 2 for run in best)
        kinds = {20: 1, 50: 2, 100: 3}
        assert packed >> 16 & 255 == (kinds[runs[0].worth] * 8 + (runs[0].top & 7) if runs else 0)


def test_a_quick_loop_and_a_slow_one_draw_the_same() -> None:
    for preset, number in product(PRESETS, range(20)):
        quick, chance = drawn(preset, number)
        slow, other = drawn(preset, number)
        slow.logging = 1
        play_random(quick, chance)
        play_random(slow, other)
        assert fields(quick) == fields(slow)
        assert chance.word() == other.word()
