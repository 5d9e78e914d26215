"""The fast core's bits and chance: the same numbers as the reference's tables, everywhere."""

import random
import re
from enum import StrEnum

import pytest

from engine import rules
from engine.cards import ALL_SUITS, BEATEN_BY, PACK, PLAIN_POINTS, POINTS, STRENGTH
from engine.cards import points_in as reference_points_in
from engine.fast import terms
from engine.fast.bits import beaten_by, lowest, nth, points_in, points_of, popcount, strength_of
from engine.fast.chance import Chance, seed_of, shuffle

HANDS = [random.Random(place).getrandbits(32) for place in range(300)] + [1, 1 << 31, 0xFFFFFFFF]


@pytest.mark.parametrize("trump", ALL_SUITS)
def test_r2_r3_r41_cards_are_worth_and_beat_what_the_tables_say(trump: int) -> None:
    for card in PACK:
        assert points_of(card, trump) == POINTS[trump][card]
        assert strength_of(card, trump) == STRENGTH[trump][card]
        assert beaten_by(card, trump) == BEATEN_BY[trump][card]


def test_r21_without_trumps_every_suit_is_plain() -> None:
    for card in PACK:
        higher = [other for other in PACK if other >> 3 == card >> 3 and strength_of(other, -1) > strength_of(card, -1)]
        assert points_of(card, -1) == PLAIN_POINTS[card]
        assert beaten_by(card, -1) == sum(1 << other for other in higher)


@pytest.mark.parametrize("hand", HANDS)
def test_bits_are_counted_and_picked(hand: int) -> None:
    places = [place for place in range(32) if hand >> place & 1]
    assert popcount(hand) == len(places)
    assert lowest(hand) == places[0]
    assert [nth(hand, k) for k in range(len(places))] == places


@pytest.mark.parametrize("hand", HANDS)
def test_r2_r3_points_of_a_hand(hand: int) -> None:
    assert points_in(hand, -1) == reference_points_in(hand, None)
    assert [points_in(hand, trump) for trump in ALL_SUITS] == [reference_points_in(hand, trump) for trump in ALL_SUITS]


def sfc32(a: int, b: int, c: int, d: int, count: int) -> list[int]:
    """The generator as its author gives it, with no regard to speed."""
    words = []
    for _ in range(count):
        word = (a + b + d) % 2**32
        a, b, c, d = b ^ b >> 9, c * 9 % 2**32, ((c << 21 | c >> 11) + word) % 2**32, (d + 1) % 2**32
        words.append(word)
    return words


@pytest.mark.parametrize(("seed", "number"), [(0, 0), (1, 0), (0, 1), (2**62 - 1, 2**62 - 1), (20261130, 7)])
def test_chance_is_sfc32_after_fifteen_rounds(seed: int, number: int) -> None:
    chance = Chance(seed, number)
    state = (seed % 2**32, number % 2**32, seed >> 32, (number >> 32) + 1)
    assert [chance.word() for _ in range(50)] == sfc32(*state, 65)[15:]
    chance.card()
    chance.restart(seed, number)
    assert chance.card() == sfc32(*state, 16)[15] & 31


def test_every_number_below_comes_about_as_often() -> None:
    chance = Chance(4, 2)
    drawn = [chance.below(6) for _ in range(6000)]
    assert all(abs(drawn.count(number) - 1000) < 150 for number in range(6))
    cards = [chance.card() for _ in range(6400)]
    assert all(abs(cards.count(card) - 200) < 75 for card in PACK)


def test_a_shuffled_deck_holds_every_card_once_whatever_it_held() -> None:
    deck = [5, 5, 5]
    shuffle(Chance(1, 2), deck)
    again = list(deck)
    shuffle(Chance(1, 2), again)
    assert sorted(deck) == list(PACK)
    assert again == deck
    shuffle(Chance(1, 3), again)
    assert again != deck


def test_any_text_is_a_seed_and_a_number_is_its_own() -> None:
    assert seed_of(17) == 17
    assert seed_of("evening") == 4138599152294794841
    assert 0 <= seed_of(-1) < 2**62
    assert 0 <= seed_of(2**62) < 2**62


WORDS = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper(): list(kind)
    for name, kind in vars(rules).items()
    if isinstance(kind, type) and issubclass(kind, StrEnum) and kind is not StrEnum
}
OTHERWISE = {"UPCARD_GOES": "UPCARD", "PRIZE": "JACKPOT_PRIZE"}


def test_the_core_numbers_words_as_the_options_list_them() -> None:
    expected = {
        f"{OTHERWISE.get(option, option)}_{word.name}": place
        for option, words in WORDS.items()
        for place, word in enumerate(words)
    }
    numbers = {name: value for name, value in vars(terms).items() if re.fullmatch("[A-Z][A-Z_0-9]+", name)}
    assert {name: value for name, value in numbers.items() if name != "MOST_WRITTEN"} == expected
