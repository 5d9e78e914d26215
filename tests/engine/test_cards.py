"""R1-R5: the pack, points, order."""

import pytest

from engine.cards import (
    ALL_SUITS,
    BEATEN_BY,
    PACK,
    PLAIN_POINTS,
    POINTS,
    STRENGTH,
    CardError,
    cards_in,
    format_card,
    mask_of,
    parse_card,
    parse_suit,
    points_in,
    suit_of,
    texts_of,
)
from tests.engine.notation import cards, hand


def test_r1_thirty_two_cards_in_the_order_of_the_pack() -> None:
    ranks, suits = "789TJQKA", "CDHS"
    assert [format_card(card) for card in PACK] == [rank + suit for suit in suits for rank in ranks]


def test_r1_text_and_back() -> None:
    assert [parse_card(format_card(card)) for card in PACK] == list(PACK)


@pytest.mark.parametrize("text", ["", "J", "HJ", "jh", "10S", "1S", "JHH", " JH"])
def test_r1_no_card(text: str) -> None:
    with pytest.raises(CardError, match="is no card"):
        parse_card(text)


@pytest.mark.parametrize("text", ["", "CD", "X", "c"])
def test_r1_no_suit(text: str) -> None:
    with pytest.raises(CardError, match="is no suit"):
        parse_suit(text)


def by_strength(text: str, trump: str) -> str:
    order = STRENGTH[parse_suit(trump)]
    return "".join(format_card(card)[0] for card in sorted(cards(text), key=lambda card: -order[card]))


def test_r2_plain_order_and_points() -> None:
    assert by_strength("7S 8S 9S TS JS QS KS AS", "H") == "ATKQJ987"
    assert [PLAIN_POINTS[card] for card in cards("AS TS KS QS JS 9S 8S 7S")] == [11, 10, 4, 3, 2, 0, 0, 0]


def test_r3_trump_order_and_points() -> None:
    assert by_strength("7H 8H 9H TH JH QH KH AH", "H") == "J9ATKQ87"
    worth = POINTS[parse_suit("H")]
    assert [worth[card] for card in cards("JH 9H AH TH KH QH 8H 7H")] == [20, 14, 11, 10, 4, 3, 0, 0]


def test_r4_natural_order_is_the_pack_s() -> None:
    assert cards("7H 8H 9H TH JH QH KH AH") == tuple(range(16, 24))


@pytest.mark.parametrize("trump", ALL_SUITS)
def test_r5_a_pack_is_worth_152(trump: int) -> None:
    assert points_in(mask_of(PACK), trump) == 152


def test_r41_what_beats_a_card() -> None:
    hearts = BEATEN_BY[parse_suit("H")]
    assert set(texts_of(hearts[parse_card("9H")])) == {"JH"}
    assert set(texts_of(hearts[parse_card("TS")])) == {"AS", *texts_of(hand("7H 8H 9H TH JH QH KH AH"))}


def test_cards_in_a_hand_are_each_there_once() -> None:
    text = "7C AC 9D TH JH 7S AS"
    assert cards_in(hand(text)) == cards(text)
    assert {suit_of(card) for card in cards_in(mask_of(PACK))} == set(ALL_SUITS)
