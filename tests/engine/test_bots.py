"""House bots: from the view alone, the same again, and how much better one is."""

import inspect
import random
import statistics

import pytest

from engine import PartySetup, Rules, apply, legal_actions, observe, start, suits_of
from engine.bots import HOUSE, THINKERS, Policy, UnknownBot, house
from engine.bots.greedy import MARGINS
from engine.bots.memory import recall
from engine.fast.deal import came, hand
from engine.presets import PRESETS, rules_of
from tests.engine.notation import SEED, dealt, deck, go, rules, said, table

QUICK = sorted(set(HOUSE) - THINKERS)
"""The others are played in `test_pimc.py`, at a fixed number of worlds."""

BOARDS = {"deals": 4, "next_dealer": "rotate", "hang_dealer": "next"}


def test_unknown_bots_name_those_that_exist() -> None:
    with pytest.raises(UnknownBot, match="there is no house bot 'brave': expected one of random, greedy"):
        house("brave")
    assert isinstance(UnknownBot("x"), KeyError)


@pytest.mark.parametrize("name", HOUSE)
def test_a_bot_is_given_a_view_and_a_source_of_chance(name: str) -> None:
    assert list(inspect.signature(house(name).choose).parameters) == ["view", "rng"]


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(
    "overrides",
    [
        {},
        {"offer": "fifty", "target": 200},
        {"obligation": "on", "declare": "auto", "target": 200},
        {"seven_swap": "buy_in", "declare_until": "second_card", "false_close": "nothing", "target": 200},
        {"redeal_poor": 13, "redeal_four_sevens": "on", "bella_when": "pair_card", "target": 200},
    ],
)
def test_bots_play_legally_and_the_same_again(name: str, overrides: dict[str, object]) -> None:
    walk_with(house(name), rules(**overrides))


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("preset", PRESETS)
def test_bots_play_every_preset(name: str, preset: str) -> None:
    walk_with(house(name), rules(preset))


def walk_with(bot: Policy, agreed: Rules) -> None:
    at = start(PartySetup(agreed, SEED))
    while (seat := at.seat_to_act) is not None:
        view = observe(at, seat)
        chosen = bot.choose(view, random.Random(at.ply))
        assert chosen is bot.choose(view, random.Random(at.ply))
        assert chosen in legal_actions(at)
        at = apply(at, chosen)


def payoffs(agreed: Rules, bots: dict[int, Policy], seed: bytes, suits: str, rng: random.Random) -> tuple[int, ...]:
    """What each side gets of a party in which these bots play for the sides: points, or stakes in Short."""
    at = start(PartySetup(agreed, seed, suits=suits, first_dealer=0))
    while (seat := at.seat_to_act) is not None:
        at = apply(at, bots[agreed.side_of(seat)].choose(observe(at, seat), rng))
    assert at.result is not None
    return at.result.stakes or at.totals


def gain_on_board(agreed: Rules, one: Policy, other: Policy, board: int, relabel: bool = True) -> float:
    """How much more a deal one gets than the others do on average, having played a board for every side in turn."""
    rng, gain = random.Random(board), 0.0
    seed = rng.randbytes(32)
    for side in range(agreed.sides):
        bots = dict.fromkeys(range(agreed.sides), other) | {side: one}
        paid = payoffs(agreed, bots, seed, suits_of(seed, side if relabel else 0), rng)
        gain += paid[side] - (sum(paid) - paid[side]) / (agreed.sides - 1)
    return gain / agreed.sides / (agreed.deals or 1)


@pytest.mark.parametrize("preset", MARGINS)
def test_greedy_beats_random_on_duplicate_boards(preset: str) -> None:
    """100 boards from every side, 4 deals each or one Short: the 95 % interval lies above the stated margin."""
    agreed = rules(preset, **({} if preset.startswith("short") else BOARDS))
    gains = [gain_on_board(agreed, house("greedy"), house("random"), board) for board in range(100)]
    half = 1.96 * statistics.stdev(gains) / len(gains) ** 0.5
    assert statistics.mean(gains) - half > MARGINS[preset]


def test_a_bot_is_no_better_than_itself_on_duplicate_boards() -> None:
    """Both exposures are the same deals: greedy against itself comes out even, board by board.

    Under the same suits, that is: between equal cards it takes the first in the order of the pack.
    """
    agreed, bot = rules(**BOARDS), house("greedy")
    assert [gain_on_board(agreed, bot, bot, board, relabel=False) for board in range(10)] == [0.0] * 10


ELDEST = "JH 9H AH TH AC TC 7D 8D 9D"
DEALER = "7C 8C 9C JD QD KD 7S 8S 9S"


def chosen(actions: str, eldest: str = ELDEST, dealer: str = DEALER, upcard: str = "8H", **overrides: object) -> str:
    at = go(table(deck(eldest, dealer, upcard), agreed=rules(**overrides)), actions)
    assert at.seat_to_act is not None
    return house("greedy").choose(observe(at, at.seat_to_act), random.Random(0)).text


def test_greedy_bids_on_a_good_hand_only() -> None:
    assert chosen("") == "take"
    assert chosen("", eldest=DEALER, dealer=ELDEST) == "pass"
    assert chosen("pass pass", upcard="AD") == "trump:H"
    assert chosen("pass pass pass", obligation="on").startswith("trump:")


def test_greedy_declares_exchanges_and_asks_first() -> None:
    assert chosen("take") == "declare"
    terz, silent = "7H 8H 9H AC KC TC 7D 8D JS", "7C 8C QC JD QD AD 7S 8S TS"
    assert chosen("take", eldest=terz, dealer=silent, upcard="JH") == "ask"
    assert chosen("take ask", eldest=terz, dealer=silent, upcard="QH") == "declare"  # yes: worth more than the queen
    assert chosen("take ask", eldest=terz, dealer="7C 8C QC JD QD KD 7S 8S TS", upcard="QH") == "exchange"  # no
    no_terz = "7H 9H TH AC KC TC 7D 8D JS"
    assert chosen("take", eldest=no_terz, dealer=silent, upcard="JH") == "exchange"
    assert chosen("take", eldest=no_terz, dealer=silent, upcard="JH", seven_swap="buy_in") == "exchange"


def test_greedy_declares_a_jackpot_before_an_exchange_could_break_it() -> None:
    run = "7H 8H 9H TH JH QH KH 7D 8D"
    seven = {"length": 7, "trumps_only": True, "from_ace": False, "first_cards": False, "prize": "party"}
    assert chosen("take", eldest=run, dealer="7C 8C 9C JD QD KD 7S 8S 9S", upcard="AH") == "ask"
    assert chosen("take", eldest=run, dealer="7C 8C 9C JD QD KD 7S 8S 9S", upcard="AH", jackpot=seven) == "declare"


def test_greedy_raises_on_a_strong_hand_and_surrenders_a_hopeless_one() -> None:
    stakes = {"short": "plain", "dava": "arithmetic"}
    assert chosen("take declare", **stakes) == "dava"
    assert chosen("take declare dava", **stakes) == "surrender"
    assert chosen("take dava", eldest=DEALER, dealer=ELDEST, **stakes) == "accept"
    assert (
        chosen("take AC", dealer="7C 8C 9C JD QD KD 7S 8S TS", eldest="JH 9H AH TH AC TC 7D 8D 9D", **stakes) != "dava"
    )


PARTNERS = dealt(
    "AC 7D AD TD 7S 8S AS TS",
    "7C TC 8D 9D JS QS KS QH",
    "KC 9C 8C JD QD 8H KH 9S",
    "QC JC KD JH 9H AH TH",
    upcard="7H",
)


@pytest.mark.parametrize(
    ("played", "answer"),
    [
        ("QC AC 7C", "play:KC"),  # the partner's ace wins: points for it
        ("JH TD QH", "play:8H"),  # an opponent's jack wins: as little as may be
        ("KD AD 8D", "play:QD"),
    ],
)
def test_greedy_gives_points_to_a_partner_who_wins(played: str, answer: str) -> None:
    """The dealer names trumps and leads; seat 2 answers last, to a trick that its partner, seat 0, wins or not."""
    at = go(table(PARTNERS, agreed=rules("klabor/pairs")), "pass pass pass take")
    for card in played.split():
        at = go(at, card)
    chosen = house("greedy").choose(observe(at, 2), random.Random(0)).text
    assert chosen.removesuffix("+bella") == answer


def test_greedy_says_bella() -> None:
    assert chosen("take", eldest="JH KH AH QH AC TC 7D 8D 9S", dealer=DEALER.replace("9S", "9D")) == "declare"
    assert chosen("take declare", eldest="JH KH AH QH AC TC 7D 8D 9S", dealer=DEALER.replace("9S", "9D")).endswith(
        "+bella"
    )


def test_greedy_leads_masters_and_gives_away_little() -> None:
    assert chosen("take declare") in ("play:AC", "play:JH")
    assert chosen("take JH", dealer="7C AC TC JD QD KD AS TS 9S", eldest="JH 9H AH TH 8C 9C 7D 8D 9D") == "declare"
    answer = chosen("take JH declare", dealer="7C AC TC JD QD KD AS TS 9S", eldest="JH 9H AH TH 8C 9C 7D 8D 9D")
    assert answer in ("play:7C", "play:9S")


def test_greedy_takes_a_ten_it_can_take() -> None:
    dealer = "7C AC 9C JD QD AD 7S 8S TS"
    assert chosen("take TC", eldest="JH 9H AH TH 8C TC 7D 8D 9D", dealer=dealer) == "play:AC"


def test_greedy_closes_when_the_table_has_seen_enough() -> None:
    """20 for the jack and 20 for the terz shown: enough from 461, not from 460."""
    plain = "JH 9C TC JC 7D 8D TD 7S AD"
    pack = deck(plain, "7H 8S 9S AC KC 9D JD TS QS", "8H")
    for total, closes in ((461, True), (460, False)):
        at = go(table(pack, totals=(total, 0)), "take declare JH 7H")
        assert (house("greedy").choose(observe(at, 0), random.Random(0)).text == "close") is closes


def test_memory_of_a_seat() -> None:
    pack = deck(ELDEST, DEALER, "8H", "AS")
    at = go(table(pack), "take JH 7C AC 8C TC 9C 9D")
    seen = recall(observe(at, 0))
    assert (seen.points & 0xFFFF, seen.points >> 16) == (20 + 11 + 10, 0)
    assert (seen.done, seen.laid, seen.voids) == (3, 1, 0b0100 << 4)  # no trump on trumps
    assert said(seen.gone) == "7C 8C 9C TC AC 9D JH"
    assert said(hand(seen, 0)) == "7D 8D 9H TH AH"
    assert said(hand(seen, 1)) == ""


def test_memory_of_what_lies_open() -> None:
    at = go(table(deck(ELDEST, DEALER, "8H")), "take declare JH 7C")
    assert said(came(recall(observe(at, 1)), 0)) == "7D 8D 9D 9H TH JH"
    assert recall(observe(at, 1)).declared == 0b01


@pytest.mark.parametrize("preset", ["moscow/2", "site/3"])
@pytest.mark.parametrize("name", ["greedy", "pimc:worlds=2"])
def test_bots_play_where_only_the_reference_can_count(name: str, preset: str) -> None:
    """Its totals have no bounds; what bots judge by stays within 64 bits."""
    fined = {"bait_fine": 10**30, "bait_fine_from": 1, "no_tricks_fine": 10**30, "close": "off", "lead_limit": "off"}
    place, rng, bot = start(PartySetup(rules_of(preset, fined), SEED)), random.Random(3), house(name)
    answers = 0
    while place.seat_to_act is not None and answers < 20:
        if min(place.totals) < -(10**29):
            assert bot.choose(observe(place, place.seat_to_act), rng) in place.legal
            answers += 1
        place = apply(place, rng.choice(place.legal))
    assert answers == 20
