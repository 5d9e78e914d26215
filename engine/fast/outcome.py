"""`Outcome`: what an ended deal writes, with nothing waiting before it (R19, R25, R43-R51, R55, R56, R58)."""

from __future__ import annotations

from typing import Final, final

from engine.fast.counting import closing_count, points_by_side, tricks_of
from engine.fast.deal import (
    CLOSED,
    FALSE_CLOSE,
    JACKPOT,
    OFFER_ACCEPTED,
    PLAYED,
    SURRENDERED,
    FastDeal,
)
from engine.fast.ints import i64
from engine.fast.terms import (
    BAIT_FINE_THEN_EACH,
    BAIT_TO_HALVES,
    BEAT_SUM,
    FALSE_CLOSE_LOSE,
    HANG_FORCED,
    HANG_TO_DEFENDERS,
    JACKPOT_PRIZE_PARTY,
    SHORT_BAIT,
    Terms,
)

MADE: Final = 0
BAIT: Final = 1
HANG: Final = 2
"""`verdict`: the place of the verdict in `engine.scoring.Verdict`."""

_OFFERED: Final = 50


@final
class Outcome:
    """What a deal writes, by side; -1 stands for nobody and nothing.

    `pool`: points that the deal leaves waiting, for the sides of the mask `pool_sides`; where they are held for a
    forced deal (`held`), each side's own points are, and `pool` is their sum (R48). `baits`: counted with this deal,
    eight bits a side. `stake0`..`stake3`: what each side wins in Short. `winner`: the side that wins the party by this
    deal whatever the totals.
    """

    def __init__(self) -> None:
        self.point0: i64 = 0
        self.point1: i64 = 0
        self.point2: i64 = 0
        self.point3: i64 = 0
        self.wrote0: i64 = 0
        self.wrote1: i64 = 0
        self.wrote2: i64 = 0
        self.wrote3: i64 = 0
        self.fine0: i64 = 0
        self.fine1: i64 = 0
        self.fine2: i64 = 0
        self.fine3: i64 = 0
        self.stake0: i64 = 0
        self.stake1: i64 = 0
        self.stake2: i64 = 0
        self.stake3: i64 = 0
        self.baits: i64 = 0
        self.verdict: i64 = -1
        self.pool: i64 = 0
        self.pool_sides: i64 = 0
        self.held: i64 = 0
        self.winner: i64 = -1

    def clear(self, baits: i64) -> None:
        """Nobody writes, nothing is decided; `baits` as before the deal."""
        self.set_points(0)
        self.set_written(0)
        self.fine0 = 0
        self.fine1 = 0
        self.fine2 = 0
        self.fine3 = 0
        self.stake0 = 0
        self.stake1 = 0
        self.stake2 = 0
        self.stake3 = 0
        self.baits = baits
        self.verdict = -1
        self.pool = 0
        self.pool_sides = 0
        self.held = 0
        self.winner = -1

    def set_points(self, packed: i64) -> None:
        """Points by side from 16 bits a side."""
        self.point0 = packed & 0xFFFF
        self.point1 = (packed >> 16) & 0xFFFF
        self.point2 = (packed >> 32) & 0xFFFF
        self.point3 = packed >> 48

    def set_written(self, packed: i64) -> None:
        """What is written by side from 16 bits a side."""
        self.wrote0 = packed & 0xFFFF
        self.wrote1 = (packed >> 16) & 0xFFFF
        self.wrote2 = (packed >> 32) & 0xFFFF
        self.wrote3 = packed >> 48

    def write(self, side: i64, points: i64) -> None:
        """One side writes this."""
        if side == 0:
            self.wrote0 = points
        elif side == 1:
            self.wrote1 = points
        elif side == 2:
            self.wrote2 = points
        else:
            self.wrote3 = points

    def fine(self, side: i64, points: i64) -> None:
        """One side pays this, whatever else it pays."""
        if side == 0:
            self.fine0 += points
        elif side == 1:
            self.fine1 += points
        elif side == 2:
            self.fine2 += points
        else:
            self.fine3 += points

    def stake_from_each(self, sides: i64, winner: i64, units: i64) -> None:
        """One side wins so many units from every other, or pays them if the number is negative (R58)."""
        self.stake0 = (sides - 1) * units if winner == 0 else -units
        self.stake1 = (sides - 1) * units if winner == 1 else -units
        if sides > 2:
            self.stake2 = (sides - 1) * units if winner == 2 else -units
        if sides > 3:
            self.stake3 = (sides - 1) * units if winner == 3 else -units


def count(d: FastDeal, o: Outcome, baits: i64 = 0) -> None:
    """Fills `o` with what the ended deal writes.

    `baits`: by side before the deal, eight bits each. Nothing waits before the deal; where something does,
    `engine.scoring.write_deal` goes on from the points.
    """
    o.clear(baits)
    if d.terms.short >= 0:
        _count_short(d, o)
    elif d.end == PLAYED:
        points = points_by_side(d, d.leader & d.terms.side_mask)
        o.set_points(points)
        _write(d, o, points)
    elif d.end == OFFER_ACCEPTED:
        o.write(d.maker & d.terms.side_mask, _OFFERED)
    elif d.end == CLOSED:
        _count_closed(d, o)
    elif d.end == FALSE_CLOSE:
        _count_false_close(d, o)
    elif d.end == JACKPOT:
        if d.terms.jackpot_prize == JACKPOT_PRIZE_PARTY and d.terms.deals < 0:
            o.winner = d.ender & d.terms.side_mask
        else:
            o.write(d.ender & d.terms.side_mask, d.terms.target)


def _most_of_others(t: Terms, own: i64, points: i64) -> i64:
    """What the maker's side has to beat (R44)."""
    most: i64 = 0
    side: i64 = 0
    while side < t.sides:
        if side != own:
            theirs: i64 = (points >> (side << 4)) & 0xFFFF
            if t.beat == BEAT_SUM:
                most += theirs
            elif theirs > most:
                most = theirs
        side += 1
    return most


def verdict_of(d: FastDeal, points: i64) -> i64:
    """Whether the maker's side has more than every other, or than their sum (R44)."""
    own: i64 = d.maker & d.terms.side_mask
    mine: i64 = (points >> (own << 4)) & 0xFFFF
    to_beat: i64 = _most_of_others(d.terms, own, points)
    if mine == to_beat:
        return HANG
    return MADE if mine > to_beat else BAIT


def _write(d: FastDeal, o: Outcome, points: i64) -> None:
    """A played deal from its deal points (R44-R51)."""
    t = d.terms
    own: i64 = d.maker & t.side_mask
    mine: i64 = (points >> (own << 4)) & 0xFFFF
    without: i64 = points - (mine << (own << 4))
    o.verdict = verdict_of(d, points)
    if o.verdict == MADE:
        o.set_written(points)
    elif o.verdict == BAIT:
        o.baits += 1 << (own << 3)
        o.set_written(without + _given_up(d, o, own, mine, points))
        if _is_fined(t, (o.baits >> (own << 3)) & 255):
            o.fine(own, t.bait_fine)
    elif t.hang == HANG_FORCED:
        o.held = 1
        o.pool = o.point0 + o.point1 + o.point2 + o.point3
        o.pool_sides = (1 << t.sides) - 1
    else:
        o.set_written(without)
        _leave(o, mine, _others(t, own) if t.hang_to == HANG_TO_DEFENDERS else (1 << t.sides) - 1)
    if t.no_tricks_fine:
        _fine_trickless(d, o)


def _others(t: Terms, own: i64) -> i64:
    """The mask of all sides but one."""
    return ((1 << t.sides) - 1) & ~(1 << own)


def _leave(o: Outcome, points: i64, sides: i64) -> None:
    """Points wait for these sides; a pool of 0 is not made (R49)."""
    if points:
        o.pool = points
        o.pool_sides = sides


def _given_up(d: FastDeal, o: Outcome, own: i64, mine: i64, points: i64) -> i64:
    """What the others get of a bait, 16 bits a side, or the pool it makes (R46)."""
    t = d.terms
    if t.bait_to == BAIT_TO_HALVES:
        return shares(t, mine, d.maker)
    most: i64 = -1
    highest: i64 = 0
    side: i64 = 0
    while side < t.sides:
        theirs: i64 = (points >> (side << 4)) & 0xFFFF
        if side != own and theirs >= most:
            highest = 1 << side if theirs > most else highest | 1 << side
            most = theirs
        side += 1
    if highest & (highest - 1):
        _leave(o, mine, highest)
        return 0
    side = 0
    while highest >> side != 1:
        side += 1
    return mine << (side << 4)


def shares(t: Terms, points: i64, seat: i64) -> i64:
    """Points split among the other sides than the seat's, 16 bits a side; what does not divide goes one each to those
    nearest to its left (R46)."""
    others: i64 = t.sides - 1
    each: i64 = points // others
    left: i64 = points - each * others
    out: i64 = 0
    place: i64 = 1
    while place <= others:
        side: i64 = (seat & t.side_mask) + place
        if side >= t.sides:
            side -= t.sides
        out += (each + (1 if place <= left else 0)) << (side << 4)
        place += 1
    return out


def _is_fined(t: Terms, bait: i64) -> bool:
    """Whether a side's bait with this number costs anything (R51)."""
    if t.bait_fine_from < 0 or bait < t.bait_fine_from:
        return False
    return t.bait_fine_then == BAIT_FINE_THEN_EACH or (bait - t.bait_fine_from) % 3 == 0


def _fine_trickless(d: FastDeal, o: Outcome) -> None:
    side: i64 = 0
    while side < d.terms.sides:
        if not tricks_of(d, side):
            o.fine(side, d.terms.no_tricks_fine)
        side += 1


def _count_closed(d: FastDeal, o: Outcome) -> None:
    """The closer's side writes what it counted and wins (R55)."""
    side: i64 = d.ender & d.terms.side_mask
    points: i64 = closing_count(d, d.ender) << (side << 4)
    o.set_points(points)
    o.set_written(points)
    o.winner = side


def _count_false_close(d: FastDeal, o: Outcome) -> None:
    """The party is lost, or the closer's total is and the others write twice as much (R56)."""
    t = d.terms
    own: i64 = d.ender & t.side_mask
    if t.false_close == FALSE_CLOSE_LOSE:
        o.winner = best_other(d, d.ender)
        return
    total: i64 = d.totals[own]
    gain: i64 = 2 * total if total > 0 else 0
    each: i64 = gain // (t.sides - 1)
    left: i64 = gain - each * (t.sides - 1)
    o.write(own, -total)
    place: i64 = 1
    while place < t.sides:
        side: i64 = own + place if own + place < t.sides else own + place - t.sides
        o.write(side, each + (1 if place <= left else 0))
        place += 1


def best_other(d: FastDeal, seat: i64) -> i64:
    """The other side, of several the one with the highest total, then nearest to the seat's left (R56)."""
    t = d.terms
    own: i64 = seat & t.side_mask
    best: i64 = -1
    most: i64 = 0
    place: i64 = 1
    while place < t.sides:
        side: i64 = own + place if own + place < t.sides else own + place - t.sides
        total: i64 = d.totals[side]
        if best < 0 or total > most:
            best = side
            most = total
        place += 1
    return best


def _count_short(d: FastDeal, o: Outcome) -> None:
    """Stakes (R58, R59)."""
    t = d.terms
    if d.end == SURRENDERED:
        loser: i64 = d.ender & t.side_mask
        o.winner = 1 - loser if t.sides == 2 else -1
        o.stake_from_each(t.sides, loser, -d.stake)
    elif d.end == PLAYED:
        points = points_by_side(d, d.leader & t.side_mask)
        o.set_points(points)
        o.set_written(points)
        if t.short == SHORT_BAIT:
            _for_the_maker(d, o, points)
        else:
            _for_the_highest(d, o, points)


def _for_the_highest(d: FastDeal, o: Outcome, points: i64) -> None:
    """A unique highest side wins one stake from each other (R58)."""
    most: i64 = -1
    side: i64 = 0
    while side < d.terms.sides:
        theirs: i64 = (points >> (side << 4)) & 0xFFFF
        if theirs == most:
            o.winner = -1
        elif theirs > most:
            most = theirs
            o.winner = side
        side += 1
    if o.winner >= 0:
        o.stake_from_each(d.terms.sides, o.winner, d.stake)


def _for_the_maker(d: FastDeal, o: Outcome, points: i64) -> None:
    """Stakes by `short=bait`: a lost game costs two where there is one defender (R58)."""
    own: i64 = d.maker & d.terms.side_mask
    verdict: i64 = verdict_of(d, points)
    if verdict == MADE:
        o.winner = own
        o.stake_from_each(d.terms.sides, own, d.stake)
    elif verdict == BAIT:
        two: bool = d.terms.sides == 2
        o.winner = 1 - own if two else -1
        o.stake_from_each(d.terms.sides, own, -2 * d.stake if two else -d.stake)
