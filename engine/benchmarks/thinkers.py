"""What searches: the exact solver of two hands, and how many worlds the house bots look at in their time."""

from __future__ import annotations

import random
import time
from typing import Final

from engine.benchmarks.figures import Figure, Measure, Size, figure_of, measured, share, timed
from engine.benchmarks.own import TABLES, core
from engine.bots import Policy, house, plays
from engine.cards import PACK, mask_of
from engine.fast.solver import Solver
from engine.presets import rules_of
from engine.table import PartySetup, apply, start
from engine.view import View, observe

DEALS: Final = 300
"""Whole deals that are solved in every run."""
BUDGET_MS: Final = 50
_IN_HAND: Final = 9


def thinker_figures(size: Size) -> list[Figure]:
    """Milliseconds of the solver for a whole deal of two, and worlds of each searching bot at each table it plays."""
    measures = [_worlds(bot, name) for bot in ("pimc", "solver") for name in TABLES if plays(bot, rules_of(name))]
    return [*solving(size), *map(_in_budget, measured(measures, size))]


def solving(size: Size) -> list[Figure]:
    """Median and p95 over whole deals, nine cards each, as many trumps of every suit: the median run of each."""
    runs = [_solving_ms(number, max(1, min(DEALS, int(DEALS * size.seconds)))) for number in range(size.runs)]
    parts = {"solver, median deal": 0.5, "solver, p95 deal": 0.95}
    return [
        figure_of(what, "moscow/2", core(), [share(took, part) for took in runs], "ms") for what, part in parts.items()
    ]


def _solving_ms(seed: int, deals: int) -> list[float]:
    rng, solver, took = random.Random(seed), Solver(), []
    for number in range(deals):
        cards = rng.sample(PACK, 2 * _IN_HAND)
        began = time.process_time()
        solver.solve(mask_of(cards[:_IN_HAND]), mask_of(cards[_IN_HAND:]), number % 4, number // 4 % 2)
        took.append(1_000 * (time.process_time() - began))
    return took


def _worlds(bot: str, name: str) -> Measure:
    """Worlds that the bot looks at when it is to lead to the first trick."""
    view = first_lead(name)

    def choose(worlds: int) -> None:
        house(f"{bot}:worlds={worlds}").choose(view, random.Random(1))

    return Measure(bot, name, core(), timed(choose), "worlds/s")


def first_lead(name: str) -> View:
    """What the seat sees that leads first, in a party that `greedy` has bid in: with every card still to choose."""
    bot: Policy = house("greedy")
    rng = random.Random(1)
    table = start(PartySetup(rules_of(name), rng.randbytes(32)))
    while True:
        seat = table.seat_to_act
        assert seat is not None
        view = observe(table, seat)
        if len(view.legal) > 5 and all(action.card is not None for action in view.legal):
            return view
        table = apply(table, bot.choose(view, rng))


def _in_budget(figure: Figure) -> Figure:
    """What is done in a second as what is done in the bots' usual time."""
    value, low, high = (number * BUDGET_MS / 1_000 for number in (figure.value, figure.low, figure.high))
    return Figure(figure.what, figure.on, figure.by, value, low, high, f"worlds in {BUDGET_MS} ms")
