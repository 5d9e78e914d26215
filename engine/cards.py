"""Suits, cards, the pack, their points and their order (R1-R5).

A card is a number 0..31 and a hand is a 32-bit mask with bit `card` set: eight bits a suit, suits in the order
C D H S, ranks 7 8 9 T J Q K A inside a suit. So ascending numbers are the natural order of R4, the order of the
unshuffled pack of R67 and the order in which every list of cards is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NewType

from engine.errors import CardError
from engine.wording import brief

Card = NewType("Card", int)
Suit = NewType("Suit", int)

SUITS: Final = "CDHS"
RANKS: Final = "789TJQKA"
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
PACK: Final = tuple(Card(number) for number in range(32))
ALL_SUITS: Final = tuple(Suit(number) for number in range(4))
SUIT_BITS: Final = tuple(0xFF << 8 * suit for suit in ALL_SUITS)
FOUR_SEVENS: Final = 0x01010101

_PLAIN_ORDER: Final = "789JQKTA"
_TRUMP_ORDER: Final = "78QKTA9J"
_PLAIN_POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
_TRUMP_POINTS: Final = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}


CARD_TEXTS: Final = tuple(RANKS[card & 7] + SUITS[card >> 3] for card in PACK)
_CARD_OF: Final = {text: card for card, text in zip(PACK, CARD_TEXTS, strict=True)}


def card_of(suit: Suit, rank: int) -> Card:
    """The card of a suit and a rank (`SEVEN` .. `ACE`)."""
    return Card(suit << 3 | rank)


def suit_of(card: Card) -> Suit:
    """The suit printed on the card."""
    return Suit(card >> 3)


def rank_of(card: Card) -> int:
    """The place of the card in the natural order, `SEVEN` .. `ACE` (R4)."""
    return card & 7


def parse_card(text: str) -> Card:
    """The card of a text such as `JH`; raises CardError."""
    card = _CARD_OF.get(text)
    if card is None:
        raise CardError(f"{brief(text)} is no card: expected a rank of {RANKS} and a suit of {SUITS}, as in JH")
    return card


def format_card(card: Card) -> str:
    """Rank and suit, as in `JH` (R1)."""
    return CARD_TEXTS[card]


def parse_suit(text: str) -> Suit:
    """The suit of a letter of `CDHS`; raises CardError."""
    if len(text) != 1 or text not in SUITS:
        raise CardError(f"{brief(text)} is no suit: expected one of {', '.join(SUITS)}")
    return Suit(SUITS.index(text))


def format_suit(suit: Suit) -> str:
    """The letter of the suit."""
    return SUITS[suit]


def mask_of(cards: Iterable[Card]) -> int:
    """The hand that holds exactly these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _by_suit_bits(suit: Suit) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(card_of(suit, rank) for rank in range(8) if bits >> rank & 1) for bits in range(256))


# Every hand is four of these looked up and joined: several times quicker than walking its bits.
_CARDS_IN: Final = tuple(_by_suit_bits(suit) for suit in ALL_SUITS)


def cards_in(hand: int) -> tuple[Card, ...]:
    """The cards of a hand in the order of the pack."""
    clubs, diamonds, hearts, spades = _CARDS_IN
    return clubs[hand & 255] + diamonds[hand >> 8 & 255] + hearts[hand >> 16 & 255] + spades[hand >> 24]


def texts_of(hand: int) -> list[str]:
    """The cards of a hand as texts, in the order of the pack."""
    return [CARD_TEXTS[card] for card in cards_in(hand)]


def _points(card: Card, trump: Suit | None) -> int:
    worth = _TRUMP_POINTS if suit_of(card) == trump else _PLAIN_POINTS
    return worth.get(RANKS[rank_of(card)], 0)


def _strength(card: Card, trump: Suit) -> int:
    order = _TRUMP_ORDER if suit_of(card) == trump else _PLAIN_ORDER
    return order.index(RANKS[rank_of(card)])


def _beats(other: Card, card: Card, trump: Suit) -> bool:
    if suit_of(other) == suit_of(card):
        return _strength(other, trump) > _strength(card, trump)
    return suit_of(other) == trump


PLAIN_POINTS: Final = tuple(_points(card, None) for card in PACK)
POINTS: Final = tuple(tuple(_points(card, trump) for card in PACK) for trump in ALL_SUITS)
"""`POINTS[trump][card]`: card points under that trump (R2, R3)."""

STRENGTH: Final = tuple(tuple(_strength(card, trump) for card in PACK) for trump in ALL_SUITS)
"""`STRENGTH[trump][card]`: the card's place within its own suit, 0 lowest (R2, R3)."""

BEATEN_BY: Final = tuple(
    tuple(mask_of(other for other in PACK if _beats(other, card, trump)) for card in PACK) for trump in ALL_SUITS
)
"""`BEATEN_BY[trump][card]`: the mask of all cards that beat it when it is winning a trick (R41)."""


def points_in(hand: int, trump: Suit | None) -> int:
    """Card points of all cards of a hand; without trumps every suit counts as plain."""
    worth = PLAIN_POINTS if trump is None else POINTS[trump]
    return sum(worth[card] for card in cards_in(hand))
