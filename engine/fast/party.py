"""A party on plain numbers: its packs, whose turn it is, its deals written one under the other (R12-R15, R43-R54, R71).

The reference writes what is seldom: points that wait, before a deal or after it, and illegal cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, final

from engine.fast.bits import lowest
from engine.fast.chance import Chance, shuffle
from engine.fast.deal import (
    ALL_PASS,
    CLOSED,
    FALSE_CLOSE,
    FAULT,
    JACKPOT,
    PLAYED,
    REDEALT,
    SURRENDERED,
    FastDeal,
    begin,
    copy_into,
)
from engine.fast.ints import i64, mypyc_attr
from engine.fast.legal import CARD_CODE, legal_bella, legal_cards, legal_rights
from engine.fast.outcome import BAIT, HANG, Outcome, count, tricks_of
from engine.fast.step import step
from engine.fast.terms import (
    BOTH_REACH_LAST_TRICK,
    BOTH_REACH_MAKER,
    HANG_DEALER_MAKER,
    NEXT_DEALER_ROTATE,
    Terms,
    terms_of,
)
from engine.fast.writing import holds_points, refuse, written
from engine.party import EndReason
from engine.rules import Rules
from engine.scoring import Pools, write_deal

CODES: Final = 81
FORFEIT: Final = 8
"""The place of a forfeit in `engine.deal.End`; no action ends a deal so."""

LOT: Final = 1 << 40
"""The number of the stream from which a study party's first dealer is drawn; packs have the numbers below it."""

BY_TARGET: Final = 0
BY_LEAD: Final = 1
BY_DEALS: Final = 2
BY_CLOSING: Final = 3
BY_FALSE_CLOSE: Final = 4
BY_JACKPOT: Final = 5
BY_SHORT: Final = 6
BY_SURRENDER: Final = 7
REASONS: Final = list(EndReason)
"""`reason`: the place of the reason in `engine.party.EndReason`."""

MOST_BAITS: Final = 250
"""Whoever has more is written by the reference: `count` takes them in eight bits a side."""

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
    log; without it nothing can be looked at afterwards. `score` (the totals) and `bait_counts` are by side, four long.
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
        self.outcome: Outcome = Outcome()
        self.finished: list[Finished] = []
        self.number: i64 = 0
        self.ply: i64 = 0
        self.played: i64 = 0
        self.next_dealer: i64 = self.first_dealer
        self.forced_maker: i64 = -1
        self.score: list[int] = [0, 0, 0, 0]
        self.bait_counts: list[int] = [0, 0, 0, 0]
        self.waiting: Pools = ()
        self.winner: i64 = -1
        self.reason: i64 = -1
        self.forfeiter: i64 = -1
        self.over: bool = False
        self.deal_over: bool = False
        self.looked: bool = False
        self.rights: i64 = 0
        self.cards: i64 = 0
        self.bella: i64 = 0
        deal_next(self)

    @property
    def seat(self) -> int:
        """The seat to act, -1 when the party is over or there is no pack to go on with."""
        return -1 if self.over or self.deal.end >= 0 else self.deal.to_act

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

    def step(self, code: i64) -> None:
        """The seat to act does this; raises IllegalAction if it may not."""
        if not self.looked:
            look(self)
        if not may(self, code):
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
    target.finished = p.finished.copy()
    target.number = p.number
    target.ply = p.ply
    target.played = p.played
    target.next_dealer = p.next_dealer
    target.forced_maker = p.forced_maker
    target.score = p.score
    target.bait_counts = p.bait_counts
    target.waiting = p.waiting
    target.winner = p.winner
    target.reason = p.reason
    target.forfeiter = p.forfeiter
    target.over = p.over
    target.deal_over = p.deal_over
    target.looked = False
    copy_into(p.deal, target.deal)
    target.deal.deck = p.deal.deck.copy()
    target.deal.log = p.deal.log.copy()
    target.deal.logging = p.deal.logging


def look(p: FastParty) -> None:
    """Works out what the seat to act may do."""
    p.looked = True
    if p.over or p.deal.end >= 0:
        p.rights = 0
        p.cards = 0
        p.bella = 0
        return
    p.rights = legal_rights(p.deal)
    p.cards = legal_cards(p.deal)
    p.bella = legal_bella(p.deal) & p.cards


def may(p: FastParty, code: i64) -> bool:
    """Whether the seat to act may do this, after a `look`."""
    if code < CARD_CODE:
        return code >= 0 and (p.rights >> code) & 1 == 1
    if code >= CODES:
        return False
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
    d.totals = p.score
    p.deal = d
    begin(d, p.next_dealer, p.forced_maker)


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
    if p.keep:
        p.outcome = Outcome()
    write_by_reference(p, seat)
    p.deal.end = FORFEIT
    if p.keep:
        p.finished.append(Finished(p.deal, p.outcome, p.number, p.score, p.waiting))


def finish(p: FastParty) -> None:
    """Writes the finished deal and deals the next, unless the party is over."""
    d = p.deal
    if p.keep:
        p.outcome = Outcome()
    if d.end == ALL_PASS or d.end == REDEALT:
        if d.end == ALL_PASS:
            p.next_dealer = left_of(p, d.dealer)
    elif d.end == FAULT:
        write_by_reference(p, -1)
    else:
        write(p)
    if p.keep:
        p.finished.append(Finished(d, p.outcome, p.number, p.score, p.waiting))
    if not p.over:
        p.number += 1
        deal_next(p)


def write(p: FastParty) -> None:
    """What a finished deal writes; then who deals next, and whether the party is over."""
    d = p.deal
    o = p.outcome
    baits: i64 = packed_baits(p)
    count(d, o, baits if baits > 0 else 0)
    if p.terms.short < 0 and d.end == PLAYED:
        write_sheet(p)
    p.played += 1
    t = p.score
    p.score = [
        t[0] + o.wrote0 - o.fine0,
        t[1] + o.wrote1 - o.fine1,
        t[2] + o.wrote2 - o.fine2,
        t[3] + o.wrote3 - o.fine3,
    ]
    if p.terms.short >= 0 or o.winner >= 0:
        end_party(p, o.winner, reason_of(d))
    else:
        p.next_dealer = dealer_after(p)
        settle(p)


def packed_baits(p: FastParty) -> i64:
    """The baits of all sides, eight bits each; -1 if those of one are too many for that."""
    packed: i64 = 0
    side: i64 = p.terms.sides - 1
    while side >= 0:
        baits: i64 = p.bait_counts[side]
        if baits > MOST_BAITS:
            return -1
        packed = (packed << 8) | baits
        side -= 1
    return packed


def write_sheet(p: FastParty) -> None:
    """A deal that was played out: as it was counted where nothing waits before or after it, else by the reference."""
    d = p.deal
    o = p.outcome
    if len(p.waiting) > 0 or o.verdict == HANG or o.pool or packed_baits(p) < 0:
        sheet = write_deal(p.rules, int(d.maker), points_of(p), trickless(p), p.waiting, by_side(p, p.bait_counts))
        fill(o, points_of(p), sheet.written, sheet.fines)
        p.waiting = sheet.waiting
        p.bait_counts = four(sheet.baits)
        p.forced_maker = d.maker if holds_points(sheet.waiting) else -1
    elif o.verdict == BAIT:
        baits = p.bait_counts.copy()
        baits[side_of(p, d.maker)] += 1
        p.bait_counts = baits


def by_side(p: FastParty, numbers: list[int]) -> tuple[int, ...]:
    """Of a list of four, as many as there are sides."""
    return tuple(numbers[: int(p.terms.sides)])


def points_of(p: FastParty) -> tuple[int, ...]:
    """What the sides counted."""
    o = p.outcome
    return by_side(p, [int(o.point0), int(o.point1), int(o.point2), int(o.point3)])


def trickless(p: FastParty) -> list[int]:
    """The sides that took no trick."""
    sides: list[int] = []
    side: i64 = 0
    while side < p.terms.sides:
        if not tricks_of(p.deal, side):
            sides.append(int(side))
        side += 1
    return sides


def reason_of(d: FastDeal) -> i64:
    """Why a party is over that its last deal decides whatever the totals."""
    if d.end == CLOSED:
        return BY_CLOSING
    if d.end == FALSE_CLOSE:
        return BY_FALSE_CLOSE
    if d.end == JACKPOT:
        return BY_JACKPOT
    return BY_SURRENDER if d.end == SURRENDERED else BY_SHORT


def left_of(p: FastParty, seat: i64) -> i64:
    """The seat on the left of a seat."""
    return seat + 1 if seat + 1 < p.terms.players else 0


def side_of(p: FastParty, seat: i64) -> i64:
    """The side that a seat scores for (R6)."""
    return seat & p.terms.side_mask


def wrote(o: Outcome, side: i64) -> i64:
    """What a side wrote."""
    if side == 0:
        return o.wrote0
    if side == 1:
        return o.wrote1
    return o.wrote2 if side == 2 else o.wrote3


def dealer_after(p: FastParty) -> i64:
    """Who deals after a deal that was written (R12, R14)."""
    seat: i64 = left_of(p, p.deal.dealer)
    if p.outcome.verdict == HANG and p.terms.hang_dealer == HANG_DEALER_MAKER:
        return p.deal.maker
    if p.terms.next_dealer == NEXT_DEALER_ROTATE:
        return seat
    best: i64 = seat
    most: i64 = wrote(p.outcome, side_of(p, seat))
    left: i64 = p.terms.players - 1
    while left > 0:
        left -= 1
        seat = left_of(p, seat)
        points: i64 = wrote(p.outcome, side_of(p, seat))
        if points > most:
            best = seat
            most = points
    return best


def settle(p: FastParty) -> None:
    """Whether a deal that was written ends the party, and who has won it (R52-R54, R71)."""
    t = p.terms
    if t.deals >= 0:
        if p.played >= t.deals:
            end_party(p, highest(p, 15), BY_DEALS)
        return
    if t.hang_blocks_end and p.outcome.verdict == HANG:
        return
    reached: i64 = 0
    side: i64 = 0
    while side < t.sides:
        total: i64 = p.score[side]
        if total >= t.target:
            reached |= 1 << side
        side += 1
    if reached:
        winner: i64 = favoured(p)
        if reached & (reached - 1) == 0 or winner < 0 or not (reached >> winner) & 1:
            winner = highest(p, reached)
        if winner >= 0:
            end_party(p, winner, BY_TARGET)
            return
    if t.lead_limit >= 0:
        leader: i64 = leading(p, t.lead_limit)
        if leader >= 0:
            end_party(p, leader, BY_LEAD)


def end_party(p: FastParty, winner: i64, reason: i64) -> None:
    """The party is over; winner -1: drawn."""
    p.over = True
    p.winner = winner
    p.reason = reason


def favoured(p: FastParty) -> i64:
    """The side that goes first when several have reached the target, -1 for none (R52)."""
    if p.terms.both_reach == BOTH_REACH_LAST_TRICK and p.deal.end == PLAYED:
        return side_of(p, p.deal.leader)
    return side_of(p, p.deal.maker) if p.terms.both_reach == BOTH_REACH_MAKER else -1


def highest(p: FastParty, sides: i64) -> i64:
    """The one of these sides (a mask) with the highest total, -1 if several have it."""
    best: i64 = -1
    most: i64 = 0
    equal: bool = False
    side: i64 = 0
    while side < p.terms.sides:
        if (sides >> side) & 1:
            total: i64 = p.score[side]
            if best < 0 or total > most:
                best = side
                most = total
                equal = False
            elif total == most:
                equal = True
        side += 1
    return -1 if equal else best


def leading(p: FastParty, limit: i64) -> i64:
    """The side that leads every other by so much, -1 for none (R54)."""
    side: i64 = 0
    while side < p.terms.sides:
        behind: i64 = 0
        other: i64 = 0
        while other < p.terms.sides:
            if other != side and p.score[side] - p.score[other] >= limit:
                behind += 1
            other += 1
        if behind == p.terms.sides - 1:
            return side
        side += 1
    return -1


def write_by_reference(p: FastParty, forfeiter: i64) -> None:
    """The deal as the reference writes it, its numbers taken over."""
    after = written(p.rules, p.deal, p.score, p.bait_counts, p.waiting, p.played, forfeiter)
    record = after.deals[0]
    fill(p.outcome, record.points, record.written, record.fines)
    p.score = four(after.totals)
    p.bait_counts = four(after.baits)
    p.waiting = after.waiting
    p.played = after.played
    p.next_dealer = after.next_dealer
    p.forced_maker = -1 if after.forced_maker is None else after.forced_maker
    result = after.result
    if result is not None:
        end_party(p, -1 if result.winner is None else result.winner, REASONS.index(result.reason))
        p.forfeiter = forfeiter
        if result.stakes is not None:
            fill_stakes(p.outcome, result.stakes)


def four(numbers: tuple[int, ...]) -> list[int]:
    """Numbers by side as a list of four."""
    return [*numbers, 0, 0, 0, 0][:4]


def fill(o: Outcome, points: tuple[int, ...], written: tuple[int, ...], fines: tuple[int, ...]) -> None:
    """What a deal counted, wrote and fined, by side."""
    o.point0, o.point1, o.point2, o.point3 = four(points)
    o.wrote0, o.wrote1, o.wrote2, o.wrote3 = four(written)
    o.fine0, o.fine1, o.fine2, o.fine3 = four(fines)


def fill_stakes(o: Outcome, stakes: tuple[int, ...]) -> None:
    """What each side won in Short."""
    o.stake0, o.stake1, o.stake2, o.stake3 = four(stakes)
