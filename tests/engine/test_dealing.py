"""R7-R11: who deals, first cards, upcard, buy-in, bottom card."""

import pytest

from engine import PartySetup, SetupError, lot, start
from engine.cards import format_card, mask_of
from engine.deal import deal_cards
from tests.engine.notation import SEED, SPARE, cards, deck, facts, go, hand, pairs, rules, said, table

ELDEST, DEALER = "7C 8C 9C TC JC QC 7D 8D 9D", "7H 8H 9H TH JH QH 7S 8S 9S"
PACK = deck(ELDEST, DEALER, "KC", "AS")


def test_r7_first_dealer_by_lot_or_by_the_match() -> None:
    by_lot = start(PartySetup(rules(), SEED))
    assert by_lot.deal.dealer == lot(SEED, 2)
    by_match = PartySetup(rules(), SEED, first_dealer=1 - by_lot.deal.dealer)
    assert start(by_match).deal.dealer == 1 - by_lot.deal.dealer
    assert (by_lot.setup.first_dealer_by, by_match.first_dealer_by) == ("lot", "match")


@pytest.mark.parametrize("dealer", [0, 1])
def test_r8_first_cards_in_packets_of_three_eldest_first(dealer: int) -> None:
    deal = table(PACK, dealer=dealer).deal
    assert said(deal.hands[1 - dealer]) == "7C 8C 9C TC JC QC"
    assert said(deal.hands[dealer]) == "7H 8H 9H TH JH QH"
    assert format_card(deal.upcard) == "KC"
    assert deal.to_act == 1 - dealer
    assert [format_card(card) for card in deal.deck[:9]] == ["7C", "8C", "9C", "7H", "8H", "9H", "TC", "JC", "QC"]


def test_r8_packets_of_two_for_four() -> None:
    deal = deal_cards(pairs(rules()), 0, 3, PACK)
    for seat, held in enumerate(deal.hands):
        packets = [PACK[2 * seat + turn : 2 * seat + turn + 2] for turn in (0, 8, 16)]
        assert said(held) == said(mask_of(packets[0] + packets[1] + packets[2]))
    assert deal.upcard == PACK[24]


def test_r9_buy_in_of_three_each_at_once() -> None:
    deal = go(table(PACK), "take").deal
    assert [said(held) for held in deal.hands] == [ELDEST, DEALER]


def test_r9_buy_in_of_four_gives_ten_tricks() -> None:
    pack = deck(ELDEST + " TD", DEALER + " TS", "KC", "AS")
    begun = go(table(pack, agreed=rules(buy_in=4)), "take")
    assert [said(held) for held in begun.deal.hands] == [
        "7C 8C 9C TC JC QC 7D 8D 9D TD",
        "7H 8H 9H TH JH QH 7S 8S 9S TS",
    ]
    played = go(begun, "7C 7H 7D 7S 8D 8S 9D 9S TD TS 8C 8H 9C 9H TC TH JC JH QC")
    assert not played.party.deals
    assert go(played, "QH").party.deals[0].end == "played"


@pytest.mark.parametrize(
    ("goes", "bids", "eldest", "dealer"),
    [
        ("table", "take", ELDEST, DEALER),
        ("under", "take", ELDEST, DEALER),
        ("dealer", "take", "7C 8C 9C TC JC QC 7D 8D 9D", "KC 7H 8H 9H TH JH QH 7S 8S"),
        ("maker", "take", "7C 8C 9C TC JC QC KC 7D 8D", "9D 7H 8H 9H TH JH QH 7S 8S"),
        ("maker", "pass pass trump:H", "7C 8C 9C TC JC QC KC 7D 8D", "9D 7H 8H 9H TH JH QH 7S 8S"),
        ("dealer", "pass take", "7C 8C 9C TC JC QC 7D 8D 9D", "KC 7H 8H 9H TH JH QH 7S 8S"),
    ],
)
def test_r10_where_the_upcard_goes(goes: str, bids: str, eldest: str, dealer: str) -> None:
    deal = go(table(PACK, agreed=rules(upcard=goes)), bids).deal
    assert [said(held) for held in deal.hands] == [eldest, dealer]


def test_r10_an_upcard_that_is_taken_is_not_exchanged() -> None:
    pack = deck("7C 8D 9D TD JD QD 7H 8H 9H", "8C 9C TC JC QC KC 7S 8S 9S", "AC")
    assert "exchange" not in [action.text for action in go(table(pack, agreed=rules(upcard="under")), "take").legal]
    assert "exchange" in [action.text for action in go(table(pack), "take").legal]


def test_r11_bottom_card_shown_after_the_buy_in() -> None:
    begun = table(PACK)
    assert begun.deal.bottom is None
    assert facts(go(begun, "take")) == ["! bottom AS"]


def test_r11_hidden() -> None:
    assert facts(go(table(PACK, agreed=rules(bottom_card="hidden")), "take 7C 7H")) == []


@pytest.mark.parametrize(("goes", "top"), [("table", "AC"), ("dealer", "9S"), ("under", "AC")])
def test_r11_top_of_the_stock_after_the_first_trick(goes: str, top: str) -> None:
    agreed = rules(bottom_card="top_after_trick_1", upcard=goes)
    one_card = go(table(PACK, agreed=agreed), "take 7C")
    assert facts(one_card) == []
    after = go(one_card, "KC" if goes == "dealer" else "7H")
    assert facts(after) == [f"! bottom {top}"]
    assert after.deal.bottom == cards(top)[0]


@pytest.mark.parametrize(
    ("why", "asked"),
    [
        ("32 bytes", {"seed": b"short"}),
        ("entropy", {"seed": SEED, "entropy": b"x"}),
        ("suits", {"seed": SEED, "suits": "CDH"}),
        ("either from a seed or from decks", {"seed": None}),
        ("either from a seed or from decks", {"seed": SEED, "decks": (SPARE,)}),
        ("as they are", {"seed": None, "first_dealer": 0, "decks": (SPARE,), "entropy": SEED}),
        ("as they are", {"seed": None, "first_dealer": 0, "decks": (SPARE,), "suits": "DCHS"}),
        ("no lot", {"seed": None, "decks": (SPARE,)}),
        ("a seat from 0 to 1", {"seed": SEED, "first_dealer": 2}),
        ("a seat from 0 to 1", {"seed": SEED, "first_dealer": True}),
        ("32 cards of the pack", {"seed": None, "first_dealer": 0, "decks": (SPARE[:31],)}),
        ("32 cards of the pack", {"seed": None, "first_dealer": 0, "decks": ((*SPARE[:31], SPARE[0]),)}),
    ],
)
def test_a_party_that_cannot_be_dealt(why: str, asked: dict[str, object]) -> None:
    with pytest.raises(SetupError, match=why):
        PartySetup(rules(), **asked)


def test_decks_that_run_out_are_an_error() -> None:
    setup = PartySetup(rules(), None, first_dealer=1, decks=(PACK,))
    with pytest.raises(SetupError, match="no deck for deal 1"):
        go(start(setup), "pass pass pass pass")


def test_packs_of_a_seed_are_numbered_from_0() -> None:
    begun = start(PartySetup(rules(), SEED))
    again = go(begun, "pass pass pass pass")
    assert (begun.deal_number, again.deal_number) == (0, 1)
    assert again.deal.deck == again.setup.deck(1) != begun.deal.deck
    assert hand(" ".join(map(format_card, again.deal.deck))) == 2**32 - 1
