"""A party on plain numbers: its packs, whose turn it is, what that seat may do, and its finished deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, final

from engine.fast.bits import lowest
from engine.fast.chance import Chance, shuffle
from engine.fast.deal import ALL_PASS, FAULT, REDEALT, FastDeal, begin, copy_into
from engine.fast.ints import i64, mypyc_attr
from engine.fast.legal import CARD_CODE, legal_bella, legal_cards, legal_rights
from engine.fast.outcome import Outcome
from engine.fast.sheet import Sheet, left_of, write, write_by_reference
from engine.fast.step import step
from engine.fast.terms import Terms, terms_of
from engine.fast.writing import refuse
from engine.rules import Rules
from engine.scoring import Pools

CODES: Final = 81
FORFEIT: Final = 8
"""The place of a forfeit in `engine.deal.End`; no action ends a deal so."""

LOT: Final = 1 << 40
"""The number of the stream from which a study party's first dealer is drawn; packs have the numbers below it."""

Packs = Callable[[int], Sequence[int] | None]
"""The pack of a deal by its number, None when there are no more."""


@final
class Finished:
    """A deal as it was written: itself with its log, what it wrote, and totals and waiting points after it."""

    def __init__(self, deal: FastDeal, outcome: Outcome, number: i64, totals: list[int], waiting: Pools) -> None:
        self.deal: FastDeal = deal
        self.outcome: Outcome = outcome
        self.number: i64 = number
        self.totals: list[int] = totals
        self.waiting: Pools = waiting


@mypyc_attr(allow_interpreted_subclasses=True)
class FastParty:
    """Deals until somebody reaches the target, step by step; `engine.stepping.Stepper` is what others use of it.

    `packs` None: study packs from `seed` (`chance.shuffle`). `keep`: finished deals stay in `finished`, each with its
    log; without it nothing can be looked at afterwards. `sheet`: what is written.
    """

    def __init__(self, rules: Rules, seed: i64, packs: Packs | None, dealer: i64, keep: bool) -> None:
        self.rules: Rules = rules
        self.terms: Terms = terms_of(rules)
        self.seed: i64 = seed
        self.packs: Packs | None = packs
        self.keep: bool = keep
        self.chance: Chance = Chance(seed, LOT)
        self.first_dealer: i64 = dealer if dealer >= 0 else self.chance.below(self.terms.players)
        self.deal: FastDeal = FastDeal(self.terms)
        self.sheet: Sheet = Sheet(rules, self.terms, self.deal, self.first_dealer)
        self.finished: list[Finished] = []
        self.number: i64 = 0
        self.ply: i64 = 0
        self.deal_over: bool = False
        self.looked: bool = False
        self.rights: i64 = 0
        self.cards: i64 = 0
        self.bella: i64 = 0
        deal_next(self)

    @property
    def over(self) -> bool:
        """Whether the party is."""
        return self.sheet.over

    @property
    def seat(self) -> int:
        """The seat to act, -1 when the party is over or there is no pack to go on with."""
        return -1 if self.sheet.over or self.deal.end >= 0 else self.deal.to_act

    @property
    def legal(self) -> list[int]:
        """What the seat to act may do, as codes (places in `engine.actions.ACTIONS`), in protocol §1's fixed order."""
        if not self.looked:
            look(self)
        codes: list[int] = []
        left: i64 = self.rights
        while left:
            codes.append(lowest(left))
            left &= left - 1
        left = self.cards
        while left:
            card: i64 = lowest(left)
            left &= left - 1
            codes.append(CARD_CODE + 2 * card)
            if self.bella >> card & 1:
                codes.append(CARD_CODE + 1 + 2 * card)
        return codes

    def step(self, code: int) -> None:
        """The seat to act does this; raises IllegalAction if it may not."""
        if not self.looked:
            look(self)
        if not 0 <= code < CODES or not may(self, code):
            refuse(code, self.legal)
        self.looked = False
        self.ply += 1
        step(self.deal, code)
        self.deal_over = self.deal.end >= 0
        if self.deal_over:
            finish(self)


def copy_party(p: FastParty, target: FastParty) -> None:
    """Makes `target` the same party; what is finished is shared, for nothing changes it."""
    target.rules = p.rules
    target.terms = p.terms
    target.seed = p.seed
    target.packs = p.packs
    target.keep = p.keep
    target.first_dealer = p.first_dealer
    target.sheet = p.sheet.copy()
    target.finished = p.finished.copy()
    target.number = p.number
    target.ply = p.ply
    target.deal_over = p.deal_over
    target.looked = False
    copy_into(p.deal, target.deal)
    target.deal.deck = p.deal.deck.copy()
    target.deal.log = p.deal.log.copy()
    target.deal.logging = p.deal.logging


def look(p: FastParty) -> None:
    """Works out what the seat to act may do."""
    p.looked = True
    if p.sheet.over or p.deal.end >= 0:
        p.rights = 0
        p.cards = 0
        p.bella = 0
        return
    p.rights = legal_rights(p.deal)
    p.cards = legal_cards(p.deal)
    p.bella = legal_bella(p.deal) & p.cards


def may(p: FastParty, code: i64) -> bool:
    """Whether the seat to act may do this, one of the 81, after a `look`."""
    if code < CARD_CODE:
        return (p.rights >> code) & 1 == 1
    cards: i64 = p.bella if (code - CARD_CODE) & 1 else p.cards
    return (cards >> ((code - CARD_CODE) >> 1)) & 1 == 1


def deal_next(p: FastParty) -> None:
    """Deals the next pack; where none is left the last deal stays on the table, and nobody is to act."""
    d = FastDeal(p.terms) if p.keep else p.deal
    packs = p.packs
    if packs is None:
        p.chance.restart(p.seed, p.number)
        shuffle(p.chance, d.deck)
    else:
        pack = packs(p.number)
        if pack is None:
            p.number -= 1
            return
        d.deck = list(pack)
    d.logging = 1 if p.keep else 0
    d.totals = p.sheet.score
    p.deal = d
    begin(d, p.sheet.next_dealer, p.sheet.forced_maker)


def end_by(p: FastParty, end: i64, entry: i64) -> None:
    """The deal ended by an illegal card of the seat to act, its `entry` in the log (R66)."""
    p.ply += 1
    p.looked = False
    p.deal_over = True
    p.deal.log.append(entry)
    p.deal.end = end
    p.deal.ender = p.deal.to_act
    finish(p)


def give_up(p: FastParty, seat: i64) -> None:
    """The party lost by a seat, the running deal standing last in it (protocol §3)."""
    p.looked = False
    p.sheet.outcome = Outcome()
    write_by_reference(p.sheet, p.deal, seat)
    p.deal.end = FORFEIT
    p.finished.append(Finished(p.deal, p.sheet.outcome, p.number, p.sheet.score, p.sheet.waiting))


def finish(p: FastParty) -> None:
    """Writes the finished deal and deals the next, unless the party is over."""
    d = p.deal
    if p.keep:
        p.sheet.outcome = Outcome()
    if d.end == ALL_PASS or d.end == REDEALT:
        if d.end == ALL_PASS:
            p.sheet.next_dealer = left_of(p.sheet, d.dealer)
    elif d.end == FAULT:
        write_by_reference(p.sheet, d, -1)
    else:
        write(p.sheet, d)
    if p.keep:
        p.finished.append(Finished(d, p.sheet.outcome, p.number, p.sheet.score, p.sheet.waiting))
    if not p.sheet.over:
        p.number += 1
        deal_next(p)
