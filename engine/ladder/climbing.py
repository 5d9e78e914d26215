"""One table's ladder: every pair of bots on duplicate boards, and whether each step up is significant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

from engine.ladder.boards import Board, Duel, board_rules
from engine.ladder.elo import Tally, elo_difference, tally_of
from engine.ladder.estimates import LEVEL, Estimate, mean_of
from engine.ladder.places import Pair, places
from engine.ladder.playing import Crew, play_boards

LOOKS: Final = 5
"""How often a step is looked at before it is given up: at the boards asked for, then at twice as many each time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be measured.

    `boards`: of every pair; neighbours play on, twice as many in all each time and at most `2**(LOOKS-1)` times as
    many, as long as `until_significant` asks for it and their step is not.
    """

    bots: tuple[str, ...]
    boards: int
    seed: str
    deals: int
    until_significant: bool

    @property
    def level(self) -> float:
        """How sure a step must be to be called significant: whoever may look often must be surer each time.

        So what is no step is called one with a chance below 5 %, whenever the playing stops (Bonferroni).
        """
        return 1 - (1 - LEVEL) / LOOKS if self.until_significant else LEVEL


@dataclass(frozen=True, slots=True)
class Step:
    """Two bots that have met, `bots[1]` the one that should be stronger; figures are its advantage, at 95 %.

    `significant`: both points and Elo lie above 0 at the plan's level.
    """

    bots: Pair
    tally: Tally
    deals: int
    points: Estimate
    elo: Estimate
    significant: bool


@dataclass(frozen=True, slots=True)
class Ladder:
    """A table's bots by strength: `elo` above the first, `steps` between neighbours, `leaps` between all others."""

    rules: str
    plan: Plan
    elo: dict[str, Estimate]
    steps: tuple[Step, ...]
    leaps: tuple[Step, ...]

    @property
    def climbs(self) -> bool:
        """Whether every step is significant."""
        return all(step.significant for step in self.steps)


def climb(crew: Crew, rules: str, plan: Plan, told: Callable[[Step], None] = lambda step: None) -> Ladder:
    """Measures a table's ladder; `told` hears of every pair when it has been played."""
    met: dict[Pair, list[Board]] = {}
    steps = {}
    for bots in combinations(plan.bots, 2):
        met[bots[::-1]], steps[bots] = _measured(crew, rules, plan, bots)
        told(steps[bots])
    neighbours = list(pairwise(plan.bots))
    return Ladder(
        rules,
        plan,
        places(plan.bots, met),
        tuple(steps[bots] for bots in neighbours),
        tuple(step for bots, step in steps.items() if bots not in neighbours),
    )


def _measured(crew: Crew, rules: str, plan: Plan, bots: Pair) -> tuple[list[Board], Step]:
    """The boards of a pair, the stronger as the first of the duel, and what they show."""
    duel = Duel(rules, (bots[1], bots[0]), plan.seed, plan.deals)
    neighbours = bots in pairwise(plan.bots)
    boards: list[Board] = []
    for count in _counts(plan, neighbours):
        boards += play_boards(crew, duel, range(len(boards), count))
        step = step_of(duel, boards, plan.level)
        if step.significant:
            break
    return boards, step


def _counts(plan: Plan, neighbours: bool) -> Iterator[int]:
    """How many boards there are to be at each look."""
    looks = LOOKS if plan.until_significant and neighbours else 1
    return (plan.boards << look for look in range(looks))


def step_of(duel: Duel, boards: Sequence[Board], level: float) -> Step:
    """What boards show of a duel whose first bot should be the stronger."""
    points, tally = [board.points for board in boards], tally_of(boards)
    surely = min(mean_of(points, level).low, elo_difference(tally, level).low) > 0
    deals = len(boards) * len(boards[0].margins) * (board_rules(duel.rules, duel.deals).deals or 1)
    bots = (duel.bots[1], duel.bots[0])
    return Step(bots, tally, deals, mean_of(points), elo_difference(tally), surely)
