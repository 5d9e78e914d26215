# plain: it makes the reference's values, and only when they are asked for
"""The history of a fast deal: what the table saw and what it learned, protocol §2's lines.

A fast deal keeps its actions and nothing of what they brought out; that follows from them and from the cards.
"""

from __future__ import annotations

from typing import Final

from engine.actions import ACTIONS, PASS, Action, ActionKind
from engine.cards import CARD_TEXTS, Card, Suit, texts_of
from engine.deal import FIRST_CARDS, bottom_fact, stock_top
from engine.fast.deal import FastDeal, came, hand
from engine.jackpots import long_run
from engine.rules import BottomCard, Declare, Rules, SevenSwap, UpcardGoes
from engine.sequences import (
    Announcement,
    Declarations,
    Declared,
    RunOfCards,
    announce,
    holds_sequence,
    sequences_in,
    show,
    window_tricks,
)

SEAT_BIT: Final = 7
ILLEGAL: Final = 1 << 10
"""In an entry of the log: the code, the seat from bit 7 on, and this bit for an illegal card (R66)."""

_LINES: Final = tuple(f"{seat} {action.text}" for seat in range(4) for action in (*ACTIONS, *[PASS] * 47))


def line_of(entry: int) -> str:
    """What the table saw of an entry: `1 play:7C`."""
    return _LINES[entry & 511]


def recorded(entry: int) -> str:
    """An entry as records write it: `1 play:7C !illegal`, `1 play:7C`."""
    return f"{line_of(entry)} !illegal" if entry & ILLEGAL else line_of(entry)


def jackpot_of(rules: Rules, deal: FastDeal, seat: int) -> RunOfCards | None:
    """The jackpot with which a seat came, or would come, to its first card; None if it holds none (R25)."""
    wanted = rules.jackpot
    if wanted is None:
        return None
    cards = came(deal, seat)
    return long_run(wanted, cards & deal.first if wanted.first_cards else cards, Suit(deal.trump))


class Chronicle:
    """What is known of a deal, read from its log as far as the deal has come; `read` goes on from there.

    `lines` are protocol §2's; `announced`, and `declared` by seat, are as the reference keeps them.
    """

    def __init__(self, rules: Rules, deal: FastDeal) -> None:
        self.rules, self.deal = rules, deal
        self.lines: list[str] = []
        self.announced: tuple[Announcement, ...] = ()
        self.declared: tuple[Declared | None, ...] = (None,) * rules.players
        self._read = self._plays = self._asked = 0
        self._played: set[int] = set()
        self._swapping = self._bought_in = False
        if deal.forced:
            self._after_offer()

    def read(self) -> Chronicle:
        """Itself, with every action of the deal in it."""
        log = self.deal.log
        while self._read < len(log):
            entry = log[self._read]
            self._read += 1
            self.lines.append(line_of(entry))
            if entry & ILLEGAL:
                self.lines.append(f"! fault {entry >> SEAT_BIT & 3}")
            else:
                self._follow(entry >> SEAT_BIT & 3, ACTIONS[entry & 127])
        return self

    def _follow(self, seat: int, action: Action) -> None:
        """What an action brought out."""
        kind = action.kind
        if kind is ActionKind.PLAY:
            self._card(seat)
        elif kind is ActionKind.REDEAL:
            self.lines.append(f"! show {seat} {' '.join(texts_of(hand(self.deal, seat)))}")
        elif kind is ActionKind.EXCHANGE:
            self.lines.append(f"! exchange {seat}")
            if not self._bought_in:
                self._buy_in()
        elif not self._bought_in:
            self._bid(kind)
        elif kind is ActionKind.ASK:
            self.lines.append(f"! ask {seat} {'yes' if self.deal.terz_good else 'no'}")
        elif kind is ActionKind.DECLARE:
            self._declare(seat)

    def _bid(self, kind: ActionKind) -> None:
        """Bids, offers and the window of R20 before the buy-in, which deals it when they are over."""
        if kind in (ActionKind.TAKE, ActionKind.TRUMP):
            if self.rules.offer is None:
                self._after_offer()
        elif kind in (ActionKind.NO_OFFER, ActionKind.DECLINE):
            self._after_offer()
        elif self._swapping:
            self._asked += 1
            if self._asked == self.rules.players:
                self._buy_in()

    def _after_offer(self) -> None:
        upcard = self.deal.deck[FIRST_CARDS * self.rules.players]
        first_trumps = self.deal.trump == upcard >> 3 and self.rules.upcard is UpcardGoes.TABLE
        if self.rules.seven_swap is SevenSwap.BUY_IN and first_trumps:
            self._swapping = True
        else:
            self._buy_in()

    def _buy_in(self) -> None:
        self._bought_in = True
        deck = self._deck()
        if self.rules.bottom_card is BottomCard.SHOWN and stock_top(self.rules, deck) is not None:
            self.lines.append(bottom_fact(deck[-1]))

    def _deck(self) -> tuple[Card, ...]:
        return tuple(map(Card, self.deal.deck))

    def _card(self, seat: int) -> None:
        """What a seat's first card, and a complete trick, bring out (R11, R27, R32)."""
        rules = self.rules
        first_card, self._plays = seat not in self._played, self._plays + 1
        self._played.add(seat)
        if (
            first_card
            and rules.declare is Declare.AUTO
            and not self.deal.forced
            and holds_sequence(came(self.deal, seat))
        ):
            self._declare(seat)
            if jackpot_of(self.rules, self.deal, seat):
                return
        tricks, left = divmod(self._plays, rules.players)
        if left:
            return
        if tricks == window_tricks(rules) and self.announced:
            known = Declarations((), self.declared, self.announced)
            known, facts = show(rules, self._trump, self.deal.maker, known, self._order)
            self.announced = known.announced
            self.lines.extend(facts)
        if tricks == 1 and rules.bottom_card is BottomCard.TOP_AFTER_TRICK_1:
            top = stock_top(rules, self._deck())
            self.lines.extend(() if top is None else (bottom_fact(top),))

    def _declare(self, seat: int) -> None:
        jackpot = jackpot_of(self.rules, self.deal, seat)
        if jackpot is not None:
            runs: Declared = (jackpot,)
            facts: tuple[str, ...] = (
                f"! announce {seat} {jackpot.kind}",
                f"! show {seat} {' '.join(CARD_TEXTS[card] for card in jackpot.cards)}",
            )
            self.announced = (*self.announced, Announcement(seat, jackpot, True, jackpot.cards))
        else:
            runs = sequences_in(self.rules, came(self.deal, seat))
            self.announced, facts = announce(self.announced, seat, runs)
        self.declared = (*self.declared[:seat], runs, *self.declared[seat + 1 :])
        self.lines.extend(facts)

    @property
    def _trump(self) -> Suit:
        return Suit(self.deal.trump)

    @property
    def _order(self) -> tuple[int, ...]:
        return self.rules.seats_from(self.deal.first_leader)
