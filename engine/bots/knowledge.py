"""What a seat knows for certain of cards that it does not see, from its view alone.

Nothing is remembered between views: all is read from the deal's history. One thing a view does not say is which
card was exchanged for the seven (R20); it is one of the trumps of whoever took it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import ACTION_OF, ACTIONS, ActionKind
from engine.bella import pair_of
from engine.cards import BEATEN_BY, PACK, RANKS, SUIT_BITS, Card, Suit, mask_of, parse_card, suit_of
from engine.deal import Phase
from engine.rules import Declare, Overtrump, Rules, UpcardGoes
from engine.scoring import PoolFrom
from engine.sequences import SequenceKind, window_tricks
from engine.tricks import Trick, winner_of
from engine.view import View

CODES: Final = {action.text: code for code, action in enumerate(ACTIONS)}
WHOLE_PACK: Final = mask_of(PACK)


@dataclass(frozen=True, slots=True)
class Saying:
    """What the table learned when a seat declared, or came to its first card where sequences declare themselves.

    `kind`: what it announced, None if nothing; `height`: the rank of its top if it was said, else -1;
    `leading`: the rank said of the sequence that led until then, else -1 (R32).
    """

    seat: int
    kind: SequenceKind | None
    height: int
    leading: int


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything sure about the hidden cards; masks of cards, by seat.

    `codes`: the deal's actions; `played`; `absent`: what a seat cannot hold any more; `sure`: what it holds;
    `unseen`: cards of which it is open where they are; `need`: how many of them a seat holds.
    `came`: the seats that have played their first card, as a mask; `bottom`: a known card of the stock, -1 if none;
    `swapper`: who took the upcard for the seven, -1 if nobody did; `forced`: the maker of a forced deal, else -1.
    `taker`: who has the upcard among its buy-in, -1 if nobody; `shown`: what each seat laid open, `open`: whether the
    moment for it has passed (R32); `asked`: the answer to R22's question, None if nobody asked.
    """

    view: View
    codes: tuple[int, ...]
    played: tuple[int, ...]
    absent: tuple[int, ...]
    sure: tuple[int, ...]
    need: tuple[int, ...]
    unseen: int
    came: int
    bottom: int
    swapper: int
    taker: int
    forced: int
    sayings: tuple[Saying, ...]
    shown: tuple[int, ...]
    open: bool
    asked: bool | None


def know(view: View) -> Knowledge:
    """What the view's seat knows for certain."""
    return _Reading(view).knowledge()


def shown_missing(rules: Rules, trump: Suit, trick: Trick, seat: int, card: Card) -> int:
    """The cards that a seat cannot hold since it played this card to this trick (R38-R40)."""
    if not trick:
        return 0
    led, trumps = suit_of(trick[0][1]), SUIT_BITS[trump]
    missing = SUIT_BITS[led] if suit_of(card) != led else 0
    if suit_of(card) != trump:
        return missing | trumps if missing else 0
    if led != trump and rules.overtrump is not Overtrump.ALWAYS:
        return missing
    winner, best = winner_of(trick, trump)
    partners = rules.side_of(winner) == rules.side_of(seat) and not rules.overtrump_partner
    beating = BEATEN_BY[trump][best] & trumps
    if suit_of(best) == trump and not partners and not beating >> card & 1:
        missing |= beating
    return missing


class _Reading:
    """The lines of a history, read one after the other."""

    def __init__(self, view: View) -> None:
        players = view.rules.players
        self.view, self.rules = view, view.rules
        self.codes: list[int] = []
        self.played, self.absent, self.sure = [0] * players, [0] * players, [0] * players
        self.shown, self.trick, self.done = [0] * players, [(0, Card(0))][:0], 0
        self.came, self.swapper = 0, -1
        self.sayings: list[Saying] = []
        self.asked: bool | None = None
        for said in _paragraphs(view.history):
            self.read(said)

    def read(self, said: Sequence[str]) -> None:
        """One action with the facts that it brought out."""
        seat, text = int(said[0][0]), said[0][2:]
        action = ACTION_OF[text]
        self.codes.append(CODES[text])
        facts = [fact.split() for fact in said[1:]]
        if action.card is not None:
            self.card(seat, action.card, action.bella, facts)
        elif action.kind is ActionKind.DECLARE:
            self.saying(seat, facts)
        elif action.kind is ActionKind.EXCHANGE:
            self.swapper = seat
        elif action.kind is ActionKind.ASK:
            self.terz_asked(seat, facts[0][3] == "yes")
        for fact in facts:
            if fact[1] == "show":
                self.shown[int(fact[2])] = mask_of(map(parse_card, fact[3:]))

    def card(self, seat: int, card: Card, bella: bool, facts: list[list[str]]) -> None:
        trump = self.view.trump
        assert trump is not None
        if not self.came >> seat & 1:
            self.came |= 1 << seat
            if self.rules.declare is Declare.AUTO and self.forced() < 0:
                self.saying(seat, facts)
        if bella:
            self.sure[seat] |= pair_of(trump)
        self.absent[seat] |= shown_missing(self.rules, trump, tuple(self.trick), seat, card)
        self.played[seat] |= 1 << card
        self.trick.append((seat, card))
        if len(self.trick) == self.rules.players:
            self.trick, self.done = [], self.done + 1

    def saying(self, seat: int, facts: list[list[str]]) -> None:
        kind: SequenceKind | None = None
        height, leading = -1, -1
        for _, word, who, *rest in facts:
            if word == "announce":
                kind = SequenceKind(rest[0])
            elif word == "height" and int(who) == seat:
                height = RANKS.index(rest[0])
            elif word == "height":
                leading = RANKS.index(rest[0])
        self.sayings.append(Saying(seat, kind, height, leading))

    def terz_asked(self, seat: int, yes: bool) -> None:
        assert self.view.trump is not None
        self.asked = yes
        self.sure[seat] |= 7 << 8 * self.view.trump

    def forced(self) -> int:
        """The maker of a forced deal, -1 of any other (R18)."""
        held = any(pool.source is PoolFrom.HELD for pool in self.view.waiting)
        return self.view.maker if held and self.view.maker is not None else -1

    def knowledge(self) -> Knowledge:
        view, rules = self.view, self.rules
        lies = 1 << view.upcard
        gone = view.hand | lies | (1 << view.bottom if view.bottom is not None else 0)
        taker = self.upcard_taker()
        if taker >= 0:
            self.sure[taker] |= lies
        sure = [self._held(seat, 0 if seat == taker else lies) for seat in range(rules.players)]
        sure[view.seat] = view.hand
        for cards in (*sure, *self.played):
            gone |= cards
        unseen = WHOLE_PACK & ~gone
        need = [view.hand_sizes[seat] - sure[seat].bit_count() for seat in range(rules.players)]
        return Knowledge(
            view=view,
            codes=tuple(self.codes),
            played=tuple(self.played),
            absent=tuple(self.absent),
            sure=tuple(sure),
            need=tuple(need),
            unseen=unseen,
            came=self.came,
            bottom=-1 if view.bottom is None else view.bottom,
            swapper=self.swapper,
            taker=taker,
            forced=self.forced(),
            sayings=tuple(self.sayings),
            shown=tuple(self.shown),
            open=self.done >= window_tricks(rules) and any(saying.kind for saying in self.sayings),
            asked=self.asked,
        )

    def _held(self, seat: int, lies: int) -> int:
        """What a seat certainly holds now of what it showed; an asker's seven may lie by now."""
        return (self.sure[seat] | self.shown[seat]) & ~self.played[seat] & ~lies

    def upcard_taker(self) -> int:
        """The seat that has taken the upcard into its hand with the buy-in, -1 if none has (R10)."""
        view = self.view
        if view.phase not in (Phase.PLAY, Phase.DAVA) or view.maker is None:
            return -1
        if self.rules.upcard is UpcardGoes.DEALER:
            return view.dealer
        return view.maker if self.rules.upcard is UpcardGoes.MAKER else -1


def _paragraphs(history: Sequence[str]) -> Iterator[list[str]]:
    """Every action with the facts after it; those before the first (a forced deal's bottom card) are left out."""
    said: list[str] = []
    for line in history:
        if line.startswith("!"):
            if said:
                said.append(line)
        else:
            if said:
                yield said
            said = [line]
    if said:
        yield said
