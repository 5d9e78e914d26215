"""`Deal`: one pack from the first cards to its end, and how its cards are dealt (R8-R11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.actions import Action
from engine.bella import UNSAID, Bella
from engine.cards import CARD_TEXTS, PACK, Card, Suit, card_of, mask_of, suit_of
from engine.errors import SetupError
from engine.rules import BottomCard, Rules, SevenSwap, UpcardGoes
from engine.sequences import Declarations
from engine.tricks import Tricks, first_leader, no_tricks

FIRST_CARDS: Final = 6


class Phase(StrEnum):
    """What a deal is waiting for (protocol §2)."""

    BID = "bid"
    OFFER = "offer"
    ANSWER = "answer"
    SWAP = "swap"
    PLAY = "play"
    DAVA = "dava"


class End(StrEnum):
    """How a deal ended (protocol §3)."""

    PLAYED = "played"
    ALL_PASS = "all_pass"
    REDEAL = "redeal"
    OFFER_ACCEPTED = "offer_accepted"
    CLOSED = "closed"
    FALSE_CLOSE = "false_close"
    JACKPOT = "jackpot"
    SURRENDERED = "surrendered"
    FORFEIT = "forfeit"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Play:
    """What there is from the buy-in on.

    `terz_asked`: R22's question was asked; `barred`: the mask of seats that may not close again (R56); `stake`: what
    the deal is played for, and `raiser`: the seat that accepted a raise last (R59).
    """

    trump: Suit
    tricks: Tricks
    declarations: Declarations
    bella: Bella = UNSAID
    terz_asked: bool = False
    barred: int = 0
    stake: int = 1
    raiser: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """The whole state of one deal, hidden cards included.

    `hands` are masks by seat; `asked` counts the seats that have bid or, in the phase swap, have been asked.
    `actions` are a record's texts, causes included; `history` is what the table saw, facts included.
    `ender` is the seat whose action ended the deal where that matters (close, redeal, jackpot, surrender, fault).
    `forced`: nobody bid, the maker of a hung deal plays again (R18).
    """

    number: int
    dealer: int
    deck: tuple[Card, ...]
    hands: tuple[int, ...]
    upcard: Card
    to_act: int
    phase: Phase = Phase.BID
    asked: int = 0
    trump: Suit | None = None
    maker: int | None = None
    bottom: Card | None = None
    play: Play | None = None
    actions: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    end: End | None = None
    ender: int | None = None
    forced: bool = False

    @property
    def in_play(self) -> Play:
        """The play, of a deal that has come so far."""
        assert self.play is not None, "trumps are not named, or the buy-in is not dealt"
        return self.play

    @property
    def stake(self) -> int:
        """What the deal is played for in Short; 1 until it is raised (R59)."""
        return self.play.stake if self.play else 1


def logged(deal: Deal, action: Action, cause: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`actions` and `history` of the deal with one more action of the seat to act."""
    said = f"{deal.to_act} {action.text}"
    recorded = said if cause is None else f"{said} !{cause}"
    return (*deal.actions, recorded), (*deal.history, said)


def after_card(
    deal: Deal, hands: tuple[int, ...], to_act: int, play: Play, actions: tuple[str, ...], history: tuple[str, ...]
) -> Deal:
    """The deal with what a card changes; all of it written out, for `replace` is what a card would cost most."""
    return Deal(
        deal.number,
        deal.dealer,
        deal.deck,
        hands,
        deal.upcard,
        to_act,
        deal.phase,
        deal.asked,
        deal.trump,
        deal.maker,
        deal.bottom,
        play,
        actions,
        history,
        forced=deal.forced,
    )


def check_deck(deck: tuple[Card, ...]) -> None:
    """Raises SetupError unless the deck holds every card of the pack once."""
    if sorted(deck) != list(PACK):
        raise SetupError("a deck is the 32 cards of the pack, each once")


def deal_cards(rules: Rules, number: int, dealer: int, deck: tuple[Card, ...]) -> Deal:
    """First cards to every seat in packets, eldest first, then the upcard (R8)."""
    packet = 2 if rules.players == 4 else 3
    hands = [0] * rules.players
    eldest_first = rules.seats_after(dealer)
    for place in range(FIRST_CARDS * rules.players):
        hands[eldest_first[place // packet % rules.players]] |= 1 << deck[place]
    upcard = deck[FIRST_CARDS * rules.players]
    return Deal(number, dealer, deck, tuple(hands), upcard, to_act=eldest_first[0])


def first_cards(rules: Rules, deal: Deal, seat: int) -> int:
    """The six cards a seat was dealt first, as a mask (R8)."""
    return deal_cards(rules, deal.number, deal.dealer, deal.deck).hands[seat]


def forced_deal(rules: Rules, deal: Deal, maker: int) -> Deal:
    """A deal without bidding: the maker of the hung deal plays the upcard's suit (R18).

    Decided: nothing is offered (R19); the exchange before the buy-in is as in other deals (R20).
    """
    return after_offer(rules, replace(deal, trump=suit_of(deal.upcard), maker=maker, forced=True))


def may_swap(rules: Rules, deal: Deal) -> bool:
    """Whether this deal has an exchange at all: trumps are the upcard's suit and it lies on the table (R20)."""
    return rules.upcard is UpcardGoes.TABLE and deal.trump == suit_of(deal.upcard)


def trumps_named(rules: Rules, deal: Deal) -> Deal:
    """What follows the naming: the defender's offer if the table has it, then `after_offer` (R19)."""
    if rules.offer is None:
        return after_offer(rules, deal)
    assert deal.maker is not None
    return replace(deal, phase=Phase.OFFER, to_act=(deal.maker + 1) % rules.players)


def after_offer(rules: Rules, deal: Deal) -> Deal:
    """The window of R20 before the buy-in if the table has it, else the buy-in."""
    if rules.seven_swap is SevenSwap.BUY_IN and may_swap(rules, deal):
        return replace(deal, phase=Phase.SWAP, asked=0, to_act=(deal.dealer + 1) % rules.players)
    return buy_in(rules, deal)


def buy_in(rules: Rules, deal: Deal) -> Deal:
    """The cards after the bidding, each seat's at once from eldest on; then the play begins (R9-R11, R37)."""
    assert deal.trump is not None
    assert deal.maker is not None
    hands = list(deal.hands)
    taker = _upcard_taker(rules, deal)
    top = FIRST_CARDS * rules.players + 1
    for seat in rules.seats_after(deal.dealer):
        count = rules.buy_in - (seat == taker)
        hands[seat] |= mask_of(deal.deck[top : top + count]) | (1 << deal.upcard if seat == taker else 0)
        top += count
    leader = first_leader(rules, deal.dealer, deal.maker)
    bottom = deal.deck[-1] if rules.bottom_card is BottomCard.SHOWN and top < len(deal.deck) else None
    return replace(
        deal,
        hands=tuple(hands),
        phase=Phase.PLAY,
        to_act=leader,
        bottom=bottom,
        play=Play(deal.trump, no_tricks(rules, leader), Declarations((0,) * rules.players, (None,) * rules.players)),
        history=deal.history if bottom is None else (*deal.history, bottom_fact(bottom)),
    )


def _upcard_taker(rules: Rules, deal: Deal) -> int | None:
    """The seat that takes the upcard as one of its buy-in cards (R10)."""
    if rules.upcard is UpcardGoes.DEALER:
        return deal.dealer
    return deal.maker if rules.upcard is UpcardGoes.MAKER else None


def stock_top(rules: Rules, deck: tuple[Card, ...]) -> Card | None:
    """The first card that nobody was dealt, None if all were (R11)."""
    taken = rules.upcard in (UpcardGoes.DEALER, UpcardGoes.MAKER)
    top = (FIRST_CARDS + rules.buy_in) * rules.players + (not taken)
    return deck[top] if top < len(deck) else None


def bottom_fact(card: Card) -> str:
    """What the table learns of the stock (R11)."""
    return f"! bottom {CARD_TEXTS[card]}"


def exchange(deal: Deal, seat: int) -> Deal:
    """The trump seven for the upcard; the seven then lies on the table (R20)."""
    assert deal.trump is not None
    seven = card_of(deal.trump, 0)
    hand = deal.hands[seat] & ~(1 << seven) | 1 << deal.upcard
    hands = (*deal.hands[:seat], hand, *deal.hands[seat + 1 :])
    return replace(deal, hands=hands, upcard=seven, history=(*deal.history, f"! exchange {seat}"))
