"""Writing a played deal: made, bait or hang, waiting points, fines (R44-R51).

Works on plain values, so that a score sheet kept by hand is added up by the same code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.rules import BaitFineThen, BaitTo, Beat, Hang, HangRepeat, HangTo, Rules


class Verdict(StrEnum):
    """What became of the maker's game (R45-R47)."""

    MADE = "made"
    BAIT = "bait"
    HANG = "hang"


class PoolFrom(StrEnum):
    """What made a pool of waiting points (protocol §3)."""

    HANG = "hang"
    BAIT = "bait"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Pool:
    """Points that wait for the side among the eligible that writes most (R49)."""

    points: int
    eligible: tuple[int, ...]
    source: PoolFrom


Pools = tuple[Pool, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A deal as written: by side what was written, fined and how many baits there are now; what waits after it."""

    verdict: Verdict
    written: tuple[int, ...]
    waiting: Pools
    fines: tuple[int, ...]
    baits: tuple[int, ...]


def verdict_of(rules: Rules, maker: int, points: Sequence[int]) -> Verdict:
    """Whether the maker's side has more than every other, or than their sum (R44)."""
    own = rules.side_of(maker)
    others = [count for side, count in enumerate(points) if side != own]
    to_beat = sum(others) if rules.beat is Beat.SUM else max(others)
    if points[own] == to_beat:
        return Verdict.HANG
    return Verdict.MADE if points[own] > to_beat else Verdict.BAIT


def shares(rules: Rules, points: int, sides: Sequence[int]) -> tuple[int, ...]:
    """Points split equally among sides; what does not divide goes one each to the first of them (R46)."""
    each, left = divmod(points, len(sides))
    out = [0] * rules.sides
    for place, side in enumerate(sides):
        out[side] = each + (place < left)
    return tuple(out)


def write_deal(
    rules: Rules, maker: int, points: Sequence[int], trickless: Sequence[int], waiting: Pools, baits: Sequence[int]
) -> Written:
    """A played deal from its deal points, by all of R44-R51.

    `trickless`: sides that took no trick; `waiting`, `baits`: as before the deal.
    """
    verdict = verdict_of(rules, maker, points)
    bait_side = rules.side_of(maker) if verdict is Verdict.BAIT else None
    baits = tuple(count + (side == bait_side) for side, count in enumerate(baits))
    fines = bait_fines(rules, bait_side, baits)
    fines = tuple(fine + rules.no_tricks_fine * (side in trickless) for side, fine in enumerate(fines))
    if verdict is Verdict.HANG and rules.hang is Hang.FORCED:
        return Written(verdict, (0,) * rules.sides, _held_on(points, waiting), fines, baits)
    held, waiting = _held_and_others(rules, waiting)
    own, new_pool = _own_writing(rules, maker, points, held, verdict)
    if verdict is Verdict.HANG:
        won, waiting = _after_hang(rules, maker, waiting, new_pool)
    else:
        won, waiting = _settled(rules, own, waiting)
        waiting += new_pool
    return Written(verdict, _sum(own, won), waiting, fines, baits)


def _sum(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(left, right, strict=True))


def _held_and_others(rules: Rules, waiting: Pools) -> tuple[tuple[int, ...], Pools]:
    """The points held by side for a forced deal, and the other pools (R48)."""
    held = [0] * rules.sides
    for pool in waiting:
        if pool.source is PoolFrom.HELD:
            held[pool.eligible[0]] = pool.points
    return tuple(held), tuple(pool for pool in waiting if pool.source is not PoolFrom.HELD)


def _held_on(points: Sequence[int], waiting: Pools) -> Pools:
    """What waits when nobody writes: each side's own, with what it held, after the other pools (R48)."""
    held = {pool.eligible[0]: pool.points for pool in waiting if pool.source is PoolFrom.HELD}
    others = tuple(pool for pool in waiting if pool.source is not PoolFrom.HELD)
    own = (Pool(held.get(side, 0) + count, (side,), PoolFrom.HELD) for side, count in enumerate(points))
    return (*others, *own)


def _own_writing(
    rules: Rules, maker: int, points: Sequence[int], held: Sequence[int], verdict: Verdict
) -> tuple[tuple[int, ...], Pools]:
    """What each side writes before waiting points, and the pool the deal makes (R45-R48)."""
    of_all = _sum(points, held)
    if verdict is Verdict.MADE:
        return of_all, ()
    if verdict is Verdict.BAIT:
        return given_up(rules, maker, of_all, points)
    own = rules.side_of(maker)
    eligible = range(rules.sides) if rules.hang_to is HangTo.ALL else sorted(rules.others_after(maker))
    writing = tuple(0 if side == own else count for side, count in enumerate(points))
    return writing, _pool(points[own], tuple(eligible), PoolFrom.HANG)


def given_up(rules: Rules, seat: int, points: Sequence[int], deciding: Sequence[int]) -> tuple[tuple[int, ...], Pools]:
    """What is written when a seat's side writes 0 and its points go to others, and the pool that makes (R46).

    `deciding`: by what the highest of the others is found. Equal ones leave the points waiting, all of them (R48).
    """
    own, others = rules.side_of(seat), rules.others_after(seat)
    writing = tuple(0 if side == own else count for side, count in enumerate(points))
    if rules.bait_to is BaitTo.HALVES:
        return _sum(writing, shares(rules, points[own], others)), ()
    most = max(deciding[side] for side in others)
    highest = tuple(side for side in sorted(others) if deciding[side] == most)
    if len(highest) > 1:
        return writing, _pool(points[own], highest, PoolFrom.BAIT)
    return _sum(writing, shares(rules, points[own], highest)), ()


def _pool(points: int, eligible: tuple[int, ...], source: PoolFrom) -> Pools:
    """A pool as a tuple of one; a pool of 0 is not made (R49)."""
    return (Pool(points, eligible, source),) if points else ()


def _settled(rules: Rules, own: Sequence[int], waiting: Pools) -> tuple[tuple[int, ...], Pools]:
    """Waiting points won in a deal that is no hang, and the pools that wait on (R49, R50's queue)."""
    won, left = [0] * rules.sides, []
    for place, pool in enumerate(waiting):
        winner = unique_highest(own, pool.eligible) if _is_due(rules, waiting, place) else None
        if winner is None:
            left.append(pool)
        else:
            won[winner] += pool.points
    return tuple(won), tuple(left)


def _is_due(rules: Rules, waiting: Pools, place: int) -> bool:
    """Under `queue` only the oldest hang pool is settled by a deal; a bait's pool always is (R50)."""
    if rules.hang_repeat is not HangRepeat.QUEUE or waiting[place].source is not PoolFrom.HANG:
        return True
    return all(older.source is not PoolFrom.HANG for older in waiting[:place])


def _after_hang(rules: Rules, maker: int, waiting: Pools, new: Pools) -> tuple[tuple[int, ...], Pools]:
    """Points released by a hang, and what waits after it (R50)."""
    nothing = (0,) * rules.sides
    older = tuple(pool for pool in waiting if pool.source is PoolFrom.HANG)
    if not older:
        return nothing, waiting + new
    if rules.hang_repeat is HangRepeat.SPLIT_DEFENDERS:
        points = sum(pool.points for pool in waiting + new)
        return shares(rules, points, rules.others_after(maker)), ()
    if rules.hang_repeat is HangRepeat.RELEASE_FIRST:
        points = sum(pool.points for pool in older)
        return shares(rules, points, [rules.side_of(maker)]), tuple(p for p in waiting if p not in older) + new
    if rules.hang_repeat is HangRepeat.SUM:
        return nothing, _joined(waiting, new)
    return nothing, waiting + new


def _joined(waiting: Pools, new: Pools) -> Pools:
    """The new pool added to a hang pool with the same eligible, or after the others (R50's sum)."""
    for pool in new:
        alike = [old for old in waiting if old.source is pool.source and old.eligible == pool.eligible]
        if alike:
            more = Pool(alike[0].points + pool.points, pool.eligible, pool.source)
            return tuple(more if old is alike[0] else old for old in waiting)
    return waiting + new


def bait_fines(rules: Rules, bait_side: int | None, baits: Sequence[int]) -> tuple[int, ...]:
    """What each side pays for a bait of that side, which is counted in `baits` already (R51)."""
    fined = bait_side is not None and _is_fined(rules, baits[bait_side])
    return tuple(rules.bait_fine * (fined and side == bait_side) for side in range(rules.sides))


def _is_fined(rules: Rules, bait: int) -> bool:
    """Whether a side's bait with this number costs anything (R51)."""
    first = rules.bait_fine_from
    if first is None or bait < first:
        return False
    return rules.bait_fine_then is BaitFineThen.EACH or (bait - first) % 3 == 0


def unique_highest(points: Sequence[int], sides: Sequence[int]) -> int | None:
    """The one of these sides that has most, None if several have."""
    most = max(points[side] for side in sides)
    highest = [side for side in sides if points[side] == most]
    return highest[0] if len(highest) == 1 else None
