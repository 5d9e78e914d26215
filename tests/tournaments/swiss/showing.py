"""Plays random events and late positions and says how their draws compare; a few in the suite, all in the proof."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.tournaments.swiss.criteria import Judge
from tests.tournaments.swiss.events import late_position, positions, random_event
from tests.tournaments.swiss.oracle import drawn_by_gacrux
from tournaments.formats.meetings import Position
from tournaments.formats.swiss import Infeasible, Settings, draw_next


@dataclass
class Compared:
    """`same`: rounds that gacrux draws alike; `better`: with a better vector than its. `faults`: what is wrong."""

    rounds: int = 0
    same: int = 0
    better: int = 0
    unpaired: int = 0
    faults: list[str] = field(default_factory=list)


def compared(seeds: Iterable[int], most: int = 60) -> Compared:
    """Every round of these random events, beside gacrux's draw of the same position."""
    seen = Compared()
    for seed in seeds:
        for position in positions(random_event(seed, most=most)):
            _compare(seen, f"event {seed} round {position.round}", position)
    return seen


def _compare(seen: Compared, name: str, position: Position) -> None:
    judge, theirs = Judge(position), drawn_by_gacrux(position)
    seen.rounds += 1
    if not judge.can_be_paired():
        seen.unpaired += 1
        if theirs is not None:
            seen.faults.append(f"{name}: judged to have no pairing, and gacrux has one")
        return
    mine = [table.entrants for table in draw_next(position, Settings()).tables]
    seen.faults += [f"{name}: {fault}" for fault in judge.broken(mine)]
    if theirs is None:
        seen.faults.append(f"{name}: gacrux finds no pairing")
    elif frozenset(map(frozenset, mine)) == theirs:
        seen.same += 1
    elif judge.vector(mine) > judge.vector(theirs):
        seen.faults.append(f"{name}: a worse vector than gacrux's")
    else:
        seen.better += judge.vector(mine) < judge.vector(theirs)


def late_faults(seeds: Iterable[int]) -> tuple[int, list[str]]:
    """How many of these late positions have a legal pairing, and in which of those it was not found.

    They are drawn under the policy that lets sides meet again, so that a needless one would be seen.
    """
    tried, faults = 0, []
    for seed in seeds:
        position = late_position(seed)
        judge = Judge(position)
        if judge.can_be_paired():
            tried += 1
            drawn = draw_next(position, Settings(infeasible=Infeasible.REMATCH))
            faults += [f"position {seed}: {one}" for one in judge.broken(table.entrants for table in drawn.tables)]
            faults += [f"position {seed}: {one.code}" for one in drawn.departures]
    return tried, faults
