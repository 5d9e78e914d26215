"""Plays random events and late positions and says how their draws compare; a few in the suite, all in the proof."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

from tests.tournaments.swiss.criteria import Judge
from tests.tournaments.swiss.events import late_position, positions, random_event
from tests.tournaments.swiss.oracle import drawn_by_gacrux
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, Position
from tournaments.formats.swiss import Infeasible, Settings, draw_next
from tournaments.formats.swiss.settings import Acceleration


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


def faults_with_settings(seeds: Iterable[int], most: int = 24) -> tuple[int, list[str]]:
    """How many rounds of these events were drawn under settings by chance, and what is wrong with them.

    They have owners who are kept apart, acceleration, relief, and meetings that were annulled.
    """
    tried, faults = 0, list[str]()
    for seed in seeds:
        chance = random.Random(f"settings {seed}")
        settings = Settings(
            acceleration=chance.choice(list(Acceleration)),
            infeasible=Infeasible.REMATCH,
            protect=chance.choice([0, 1, 3, 9]),
        )
        for position in _with_owners(seed, settings, most):
            tried += 1
            told = f"event {seed} round {position.round}"
            faults += [f"{told}: {one}" for one in _faults_of(position, draw_next(position, settings))]
            shuffled = _shuffled(position, chance)
            if repr(draw_next(shuffled, settings)) != repr(draw_next(position, settings)):
                faults.append(f"{told}: another draw where the same comes in another order")
    return tried, faults


def _with_owners(seed: int, settings: Settings, most: int) -> Iterator[Position]:
    def owned(position: Position) -> Position:
        chance = random.Random(f"owners {seed}")
        owners = chance.choice([2, 4, 12])
        entrants = [_owned(one, f"owner {chance.randrange(owners)}") for one in position.entrants]
        return replace(position, entrants=tuple(entrants), meetings=tuple(_annulled(position.meetings, seed)))

    event = random_event(seed, most=most)
    yield from map(owned, positions(event, settings, lambda position, with_: draw_next(owned(position), with_)))


def _owned(one: Entrant, owner: str) -> Entrant:
    return replace(one, shields=frozenset({owner}))


def _annulled(meetings: Iterable[Meeting], seed: int) -> Iterator[Meeting]:
    """Three in a hundred that were played come to nothing: the same ones in every round."""
    for one in meetings:
        falls = random.Random(f"{seed} {one.round} {one.entrants}").random() < 0.03
        yield replace(one, kind=Kind.ANNULLED) if one.kind is Kind.PLAYED and falls else one


def _shuffled(position: Position, chance: random.Random) -> Position:
    entrants = chance.sample(position.entrants, len(position.entrants))
    return replace(
        position,
        entrants=tuple(entrants),
        meetings=tuple(chance.sample(position.meetings, len(position.meetings))),
    )


def _faults_of(position: Position, drawn: Draw) -> Iterator[str]:
    judge = Judge(position)
    tables = [table.entrants for table in drawn.tables]
    named = [one.code for one in drawn.departures if one.code in ("rematch", "second_bye")]
    if sorted(one for table in tables for one in table) != [one.number for one in position.there]:
        yield "not everybody once"
    if judge.can_be_paired():
        yield from judge.broken(tables)
        yield from (f"{code}, and it was needless" for code in named)
        return
    again = sum(frozenset(pair) in judge.met for table in tables for pair in combinations(table, 2))
    second = sum(len(table) == 1 and judge.had_bye(table[0]) for table in tables)
    if (named.count("rematch"), named.count("second_bye")) != (again, second) or not named:
        yield f"{again} meet again and {second} have a second bye, and {named} are named"
