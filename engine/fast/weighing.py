"""What actions are worth in a world: each is tried on a copy of the deal, which is then played or solved to its end."""

from __future__ import annotations

from typing import Final, final

from engine.fast.bits import points_in, points_of, popcount
from engine.fast.chance import Chance
from engine.fast.counting import LAST_TRICK
from engine.fast.deal import ALL_PASS, PLAY, PLAYED, REDEALT, FastDeal, came, copy_into, hand
from engine.fast.greedy import greedy_code
from engine.fast.hidden import Hidden
from engine.fast.ints import i64
from engine.fast.outcome import HANG, Outcome, count
from engine.fast.rollout import rollout, worth
from engine.fast.sequences import holds_sequence
from engine.fast.solver import Solver
from engine.fast.step import step
from engine.fast.terms import BOTH_REACH_LAST_TRICK, BOTH_REACH_MAKER
from engine.fast.worlds import CERTAIN, GOING_ON, draw

_CARDS: Final = 17
_PARTY: Final = 1600
"""What the party is worth instead of the points of the deal, in quarters of a point: more than any deal."""
_NOBODY: Final = -(1 << 60)
"""Less than any total."""


@final
class Weighing:
    """Sums over worlds: `codes` are the actions that are weighed, `sums` what they came to in so many `worlds`.

    `baits`: by side before the deal, eight bits each, for R51; `waiting`: points that wait for whoever writes most
    (R49); `side`: whose worth is counted.
    `deal` is the world at hand; `tried` and `outcome` are there to be used again.
    """

    def __init__(self, h: Hidden, codes: list[int], side: i64, baits: i64, waiting: i64) -> None:
        self.codes: list[int] = codes
        self.sums: list[int] = [0 for _ in codes]
        self.worlds: i64 = 0
        self.side: i64 = side
        self.baits: i64 = baits
        self.waiting: i64 = waiting
        self.deal: FastDeal = FastDeal(h.terms)
        self.tried: FastDeal = FastDeal(h.terms)
        self.outcome: Outcome = Outcome()


def weigh(w: Weighing, h: Hidden, chance: Chance, tries: i64) -> bool:
    """Plays every action out in one more world, if it is found in this call; False if there is none to be found."""
    found = draw(h, chance, w.deal, tries)
    if found < CERTAIN:
        return found == GOING_ON
    for place, code in enumerate(w.codes):
        copy_into(w.deal, w.tried)
        step(w.tried, code)
        rollout(w.tried, chance)
        w.sums[place] = int(w.sums[place] + value(w))
    w.worlds += 1
    return True


def value(w: Weighing) -> i64:
    """What the deal that was tried is worth: its points, or the party if it is won or lost by them (R52-R54)."""
    d = w.tried
    count(d, w.outcome, w.baits)
    points = worth(d, w.outcome, w.side)
    taker: i64 = -1
    if w.waiting > 0 and d.end == PLAYED and w.outcome.verdict != HANG:
        taker = most_written(w.outcome, d.terms.sides)
    if taker >= 0:
        points += 4 * w.waiting if taker == w.side else -4 * w.waiting // (d.terms.sides - 1)
    if d.terms.short >= 0 or d.terms.deals >= 0:
        return points
    winner: i64 = w.outcome.winner
    if winner < 0:
        winner = ahead(d, w.outcome, taker, w.waiting)
    if winner < 0:
        return points
    return _PARTY if winner == w.side else -_PARTY


def most_written(o: Outcome, sides: i64) -> i64:
    """The side that takes what waits, -1 if several write the most (R49); decided: all sides are eligible."""
    best: i64 = -1
    most: i64 = -1
    side: i64 = 0
    while side < sides:
        points = gained(o, side) + fined(o, side)
        if points == most:
            best = -1
        elif points > most:
            best = side
            most = points
        side += 1
    return best


def ahead(d: FastDeal, o: Outcome, taker: i64, waiting: i64) -> i64:
    """The side that wins the party by this deal, -1 if it goes on; `taker` has so many waiting points (R52-R54)."""
    t = d.terms
    if d.end == ALL_PASS or d.end == REDEALT or (t.hang_blocks_end and o.verdict == HANG):
        return -1
    favoured: i64 = -1
    if t.both_reach == BOTH_REACH_LAST_TRICK and d.end == PLAYED:
        favoured = d.leader & t.side_mask
    elif t.both_reach == BOTH_REACH_MAKER and d.maker >= 0:
        favoured = d.maker & t.side_mask
    winner: i64 = -1
    first: i64 = _NOBODY
    second: i64 = _NOBODY
    side: i64 = 0
    while side < t.sides:
        total: i64 = d.totals[side] + gained(o, side) + (waiting if side == taker else 0)
        if side == favoured and total >= t.target:
            return side
        if total > first:
            winner = side
            second = first
            first = total
        elif total > second:
            second = total
        side += 1
    if first > second and (first >= t.target or (0 <= t.lead_limit <= first - second)):
        return winner
    return -1


def gained(o: Outcome, side: i64) -> i64:
    """What a side writes, less its fines."""
    if side == 0:
        return o.wrote0 - o.fine0
    if side == 1:
        return o.wrote1 - o.fine1
    return o.wrote2 - o.fine2 if side == 2 else o.wrote3 - o.fine3


def fined(o: Outcome, side: i64) -> i64:
    """What a side is fined."""
    if side == 0:
        return o.fine0
    if side == 1:
        return o.fine1
    return o.fine2 if side == 2 else o.fine3


def solve(w: Weighing, h: Hidden, solver: Solver, chance: Chance, tries: i64) -> bool:
    """Solves every card with open hands in one more world, two players; what is no card is played out.

    False if there is no world, or the solver's limit was reached: then nothing is added.
    """
    found = draw(h, chance, w.deal, tries)
    if found < CERTAIN:
        return found == GOING_ON
    d = w.deal
    solver.values_deal(d)
    if solver.aborted:
        return False
    left = points_left(d)
    for place, packed in enumerate(w.codes):
        code: i64 = packed
        copy_into(d, w.tried)
        if code >= _CARDS:
            settle(w.tried, solver.value_of((code - _CARDS) >> 1), left, (code - _CARDS) & 1)
        else:
            step(w.tried, code)
            rollout(w.tried, chance)
        w.sums[place] = int(w.sums[place] + value(w))
    w.worlds += 1
    return True


def weigh_deep(w: Weighing, h: Hidden, solver: Solver, chance: Chance, tries: i64, depth: i64) -> bool:
    """As `weigh`, in one more world, but the last `depth` cards of each hand are solved, two players.

    False if there is no world.
    """
    found = draw(h, chance, w.deal, tries)
    if found < CERTAIN:
        return found == GOING_ON
    for place, code in enumerate(w.codes):
        copy_into(w.deal, w.tried)
        step(w.tried, code)
        finish(w.tried, solver, depth)
        w.sums[place] = int(w.sums[place] + value(w))
    w.worlds += 1
    return True


def finish(d: FastDeal, solver: Solver, depth: i64) -> None:
    """Plays a deal on as `greedy` until so few cards are left that it can be solved."""
    while d.end < 0:
        if d.phase == PLAY and d.laid == 0 and popcount(d.held) <= 2 * depth and d.done > 1:
            taken = solver.solve_deal(d)
            if not solver.aborted:
                settle(d, taken, points_left(d), 0)
                return
        step(d, greedy_code(d))


def points_left(d: FastDeal) -> i64:
    """Card points of what is in hands and on the table, with the last trick's."""
    on_table: i64 = 0
    at: i64 = 0
    while at < d.laid:
        on_table += points_of((d.trick >> (at << 3)) & 31, d.trump)
        at += 1
    return points_in(d.held, d.trump) + on_table + LAST_TRICK


def settle(d: FastDeal, taken: i64, left: i64, said: i64) -> None:
    """Ends a deal between two in which seat 0 takes so many points of those that are left.

    Decided: what is held is declared while it may be, and bella said; `said`: by the seat to act, with this card. Who
    takes no more points takes no more tricks. Of the points all are right; who took the last trick is not known, and
    seat 0 has it if its points may hold the ten. So sequences that tie on the last trick (R29), and bella that goes
    with its trick (R35), may be counted for the other side than in the line that was solved.
    """
    _declare_all(d)
    _say_bella(d, said)
    last: i64 = 0 if taken >= LAST_TRICK else 1
    mine: i64 = (d.points & 0xFFFF) + taken - (LAST_TRICK if last == 0 else 0)
    theirs: i64 = (d.points >> 16 & 0xFFFF) + left - taken - (LAST_TRICK if last == 1 else 0)
    d.points = mine | theirs << 16
    if taken > 0:
        d.won += 1
    if left > taken:
        d.won += 256
    d.leader = last
    d.laid = 0
    d.end = PLAYED


def _declare_all(d: FastDeal) -> None:
    seat: i64 = 0
    while seat < 2 and not d.forced:
        if not d.comes >> seat & 1 and not d.declared >> seat & 1 and holds_sequence(came(d, seat)):
            d.declared |= 1 << seat
        seat += 1


def _say_bella(d: FastDeal, said: i64) -> None:
    """Bella for who holds it and may still say it; its trick and its cards are taken to be his."""
    pair: i64 = 3 << ((d.trump << 3) + 5)
    seat: i64 = 0
    while seat < 2 and d.bella_seat < 0:
        whole: bool = came(d, seat) & pair == pair and hand(d, seat) & pair != 0
        first: bool = d.terms.bella_when != 2 or not d.comes >> seat & 1
        if whole and first and (said or seat != d.to_act or d.phase != PLAY or hand(d, seat) & pair == pair):
            d.bella_seat = seat
            d.bella_side = seat
            d.bella_own = 2
        seat += 1
