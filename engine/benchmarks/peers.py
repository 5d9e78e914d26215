"""Other libraries with games of this kind, where they are installed (`make bench-peers` installs them).

Their games are not this one: skat deals ten cards to three, euchre five to four, contrée eight to four. What compares
is the rate at which whole deals are played at random, from the same kind of loop.
"""

from __future__ import annotations

import importlib
import random
from typing import Any, Final

from engine.benchmarks.figures import Measure, timed

GAMES: Final = ("skat", "euchre")


def peer_measures() -> list[Measure]:
    """Measures of every peer that is here."""
    measures: list[Measure] = []
    if spiel := _imported("pyspiel"):
        for name in GAMES:
            game = spiel.load_game(name)
            measures += [_spiel_step(spiel, name, game), _spiel_bots(spiel, name, game)]
            measures.append(_spiel_rollouts(spiel, name, game))
    if colver := _imported("colver"):
        measures += [_colver_step(colver), _colver_rollouts(colver)]
    return measures


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _spiel_step(spiel: Any, name: str, game: Any) -> Measure:
    """A loop in Python over its states, chance included."""

    def work(n: int) -> None:
        rng = random.Random(n)
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, weights)[0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(rng.random() * len(legal))])
            state.returns()

    return Measure("step", name, "OpenSpiel", timed(work))


def _spiel_bots(spiel: Any, name: str, game: Any) -> Measure:
    """Whole games in C++, one call each, by its uniformly random bots."""
    bots = [spiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]

    def work(n: int) -> None:
        for number in range(n):
            spiel.evaluate_bots(game.new_initial_state(), bots, number)

    return Measure("game by its bots", name, "OpenSpiel C++", timed(work))


def _spiel_rollouts(spiel: Any, name: str, game: Any) -> Measure:
    """Rollouts in C++ of one state after the deal: all that a search of one visit does. Nothing is dealt."""
    state = game.new_initial_state()
    rng = random.Random(0)
    while state.is_chance_node():
        state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))

    def work(n: int) -> None:
        evaluator = spiel.RandomRolloutEvaluator(n, 1)
        spiel.MCTSBot(game, evaluator, 2.0, 1, 1_000, False, 1, False).step(state)

    return Measure("rollouts", name, "OpenSpiel C++", timed(work))


def _colver_step(colver: Any) -> Measure:
    """A loop in Python over its environment, which makes an observation for every step."""

    def work(n: int) -> None:
        rng, table = random.Random(n), colver.Env.deal(seed=1)
        for _ in range(n):
            table.reset()
            legal, over = table.legal_actions(), False
            while not over:
                _, _, over, legal = table.step(legal[int(rng.random() * len(legal))])

    return Measure("step", "contrée", "colver", timed(work))


def _colver_rollouts(colver: Any) -> Measure:
    """Its native batch: rollouts of one deal, from the first bid on. Nothing is dealt."""
    return Measure("rollouts", "contrée", "colver native", timed(lambda n: colver.Env.deal(seed=1).rollout(n)))
