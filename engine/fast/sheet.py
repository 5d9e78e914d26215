"""The score sheet of a party on plain numbers: its deals written one under the other (R12-R14, R43-R54, R71).

The reference writes what is seldom: points that wait, before a deal or after it, and illegal cards.
"""

from __future__ import annotations

from typing import Final, final

from engine.fast.counting import tricks_of
from engine.fast.deal import (
    CLOSED,
    FALSE_CLOSE,
    JACKPOT,
    PLAYED,
    SURRENDERED,
    FastDeal,
)
from engine.fast.ints import i64
from engine.fast.outcome import BAIT, HANG, Outcome, count
from engine.fast.terms import (
    BOTH_REACH_LAST_TRICK,
    BOTH_REACH_MAKER,
    HANG_DEALER_MAKER,
    NEXT_DEALER_ROTATE,
    Terms,
)
from engine.fast.writing import holds_points, written
from engine.party import EndReason
from engine.rules import Rules
from engine.scoring import Pools, write_deal

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


@final
class Sheet:
    """What lasts from deal to deal, and how the party ended; -1 stands for nobody and nothing.

    `score` (the totals) and `bait_counts` are by side, four long. `outcome`: what the last deal wrote, `deal`: which
    that was. `played`: deals that count for a party of so many (R71). `forced_maker`: R18.
    """

    def __init__(self, rules: Rules, terms: Terms, deal: FastDeal, first_dealer: i64) -> None:
        self.rules: Rules = rules
        self.terms: Terms = terms
        self.deal: FastDeal = deal
        self.outcome: Outcome = Outcome()
        self.played: i64 = 0
        self.next_dealer: i64 = first_dealer
        self.forced_maker: i64 = -1
        self.score: list[int] = [0, 0, 0, 0]
        self.bait_counts: list[int] = [0, 0, 0, 0]
        self.waiting: Pools = ()
        self.winner: i64 = -1
        self.reason: i64 = -1
        self.forfeiter: i64 = -1
        self.over: bool = False

    def copy(self) -> Sheet:
        """The same sheet, to be written on by itself; lists are shared, for they are replaced and never changed."""
        other = Sheet(self.rules, self.terms, self.deal, self.next_dealer)
        other.outcome = self.outcome
        other.played = self.played
        other.forced_maker = self.forced_maker
        other.score = self.score
        other.bait_counts = self.bait_counts
        other.waiting = self.waiting
        other.winner = self.winner
        other.reason = self.reason
        other.forfeiter = self.forfeiter
        other.over = self.over
        return other


def write(s: Sheet, d: FastDeal) -> None:
    """What a finished deal writes; then who deals next, and whether the party is over."""
    s.deal = d
    o = s.outcome
    baits: i64 = packed_baits(s)
    count(d, o, baits if baits > 0 else 0)
    if s.terms.short < 0 and d.end == PLAYED:
        write_sheet(s)
    s.played += 1
    t = s.score
    s.score = [
        t[0] + o.wrote0 - o.fine0,
        t[1] + o.wrote1 - o.fine1,
        t[2] + o.wrote2 - o.fine2,
        t[3] + o.wrote3 - o.fine3,
    ]
    if s.terms.short >= 0 or o.winner >= 0:
        end_party(s, o.winner, reason_of(d))
    else:
        s.next_dealer = dealer_after(s)
        settle(s)


def packed_baits(s: Sheet) -> i64:
    """The baits of all sides, eight bits each; -1 if those of one are too many for that."""
    packed: i64 = 0
    side: i64 = s.terms.sides - 1
    while side >= 0:
        baits: i64 = s.bait_counts[side]
        if baits > MOST_BAITS:
            return -1
        packed = (packed << 8) | baits
        side -= 1
    return packed


def write_sheet(s: Sheet) -> None:
    """A deal that was played out: as it was counted where nothing waits before or after it, else by the reference."""
    d = s.deal
    o = s.outcome
    if len(s.waiting) > 0 or o.verdict == HANG or o.pool or packed_baits(s) < 0:
        sheet = write_deal(s.rules, int(d.maker), points_of(s), trickless(s), s.waiting, by_side(s, s.bait_counts))
        fill(o, points_of(s), sheet.written, sheet.fines)
        s.waiting = sheet.waiting
        s.bait_counts = four(sheet.baits)
        s.forced_maker = d.maker if holds_points(sheet.waiting) else -1
    elif o.verdict == BAIT:
        baits = s.bait_counts.copy()
        baits[side_of(s, d.maker)] += 1
        s.bait_counts = baits


def by_side(s: Sheet, numbers: list[int]) -> tuple[int, ...]:
    """Of a list of four, as many as there are sides."""
    return tuple(numbers[: int(s.terms.sides)])


def points_of(s: Sheet) -> tuple[int, ...]:
    """What the sides counted."""
    o = s.outcome
    return by_side(s, [int(o.point0), int(o.point1), int(o.point2), int(o.point3)])


def trickless(s: Sheet) -> list[int]:
    """The sides that took no trick."""
    sides: list[int] = []
    side: i64 = 0
    while side < s.terms.sides:
        if not tricks_of(s.deal, side):
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


def left_of(s: Sheet, seat: i64) -> i64:
    """The seat on the left of a seat."""
    return seat + 1 if seat + 1 < s.terms.players else 0


def side_of(s: Sheet, seat: i64) -> i64:
    """The side that a seat scores for (R6)."""
    return seat & s.terms.side_mask


def wrote(o: Outcome, side: i64) -> i64:
    """What a side wrote."""
    if side == 0:
        return o.wrote0
    if side == 1:
        return o.wrote1
    return o.wrote2 if side == 2 else o.wrote3


def dealer_after(s: Sheet) -> i64:
    """Who deals after a deal that was written (R12, R14)."""
    seat: i64 = left_of(s, s.deal.dealer)
    if s.outcome.verdict == HANG and s.terms.hang_dealer == HANG_DEALER_MAKER:
        return s.deal.maker
    if s.terms.next_dealer == NEXT_DEALER_ROTATE:
        return seat
    best: i64 = seat
    most: i64 = wrote(s.outcome, side_of(s, seat))
    left: i64 = s.terms.players - 1
    while left > 0:
        left -= 1
        seat = left_of(s, seat)
        points: i64 = wrote(s.outcome, side_of(s, seat))
        if points > most:
            best = seat
            most = points
    return best


def settle(s: Sheet) -> None:
    """Whether a deal that was written ends the party, and who has won it (R52-R54, R71)."""
    t = s.terms
    if t.deals >= 0:
        if s.played >= t.deals:
            end_party(s, highest(s, 15), BY_DEALS)
        return
    if t.hang_blocks_end and s.outcome.verdict == HANG:
        return
    reached: i64 = 0
    side: i64 = 0
    while side < t.sides:
        total: i64 = s.score[side]
        if total >= t.target:
            reached |= 1 << side
        side += 1
    if reached:
        winner: i64 = favoured(s)
        if reached & (reached - 1) == 0 or winner < 0 or not (reached >> winner) & 1:
            winner = highest(s, reached)
        if winner >= 0:
            end_party(s, winner, BY_TARGET)
            return
    if t.lead_limit >= 0:
        leader: i64 = leading(s, t.lead_limit)
        if leader >= 0:
            end_party(s, leader, BY_LEAD)


def end_party(s: Sheet, winner: i64, reason: i64) -> None:
    """The party is over; winner -1: drawn."""
    s.over = True
    s.winner = winner
    s.reason = reason


def favoured(s: Sheet) -> i64:
    """The side that goes first when several have reached the target, -1 for none (R52)."""
    if s.terms.both_reach == BOTH_REACH_LAST_TRICK and s.deal.end == PLAYED:
        return side_of(s, s.deal.leader)
    return side_of(s, s.deal.maker) if s.terms.both_reach == BOTH_REACH_MAKER else -1


def highest(s: Sheet, sides: i64) -> i64:
    """The one of these sides (a mask) with the highest total, -1 if several have it."""
    best: i64 = -1
    most: i64 = 0
    equal: bool = False
    side: i64 = 0
    while side < s.terms.sides:
        if (sides >> side) & 1:
            total: i64 = s.score[side]
            if best < 0 or total > most:
                best = side
                most = total
                equal = False
            elif total == most:
                equal = True
        side += 1
    return -1 if equal else best


def leading(s: Sheet, limit: i64) -> i64:
    """The side that leads every other by so much, -1 for none (R54)."""
    side: i64 = 0
    while side < s.terms.sides:
        behind: i64 = 0
        other: i64 = 0
        while other < s.terms.sides:
            if other != side and s.score[side] - s.score[other] >= limit:
                behind += 1
            other += 1
        if behind == s.terms.sides - 1:
            return side
        side += 1
    return -1


def write_by_reference(s: Sheet, d: FastDeal, forfeiter: i64) -> None:
    """The deal as the reference writes it, its numbers taken over."""
    after = written(s.rules, d, s.score, s.bait_counts, s.waiting, s.played, forfeiter)
    record = after.deals[0]
    fill(s.outcome, record.points, record.written, record.fines)
    s.score = four(after.totals)
    s.bait_counts = four(after.baits)
    s.waiting = after.waiting
    s.played = after.played
    s.next_dealer = after.next_dealer
    s.forced_maker = -1 if after.forced_maker is None else after.forced_maker
    result = after.result
    if result is not None:
        end_party(s, -1 if result.winner is None else result.winner, REASONS.index(result.reason))
        s.forfeiter = forfeiter
        if result.stakes is not None:
            fill_stakes(s.outcome, result.stakes)


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
