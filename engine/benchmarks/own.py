"""The engine itself: random play by the reference, by steps from Python, and in batches."""

from __future__ import annotations

import random
from typing import Final

import engine.fast
from engine.batch import play_deals
from engine.benchmarks.figures import Measure, timed
from engine.presets import rules_of
from engine.rules import Rules
from engine.stepping import Stepper
from engine.table import PartySetup, apply, legal_actions, start

TABLES: Final = ("moscow/2", "site/3", "house/4", "klabor/pairs")
"""Two, three, four and pairs: bidding, declarations, bella, scoring, all the rights that they give."""

_LONG: Final = 50
"""Deals of a party that is stepped through. Where a number of deals is agreed nobody may close (R71)."""


def core() -> str:
    return "compiled" if engine.fast.COMPILED else "plain"


def reference(name: str) -> Measure:
    """Frozen values in plain Python, one of the legal actions at random."""
    rules = rules_of(name, {"deals": _LONG})

    def work(n: int) -> None:
        rng = random.Random(n)
        table = start(PartySetup(rules, rng.randbytes(32)))
        for _ in range(n):
            dealt = table.deal.number
            while not table.over and table.deal.number == dealt:
                table = apply(table, rng.choice(legal_actions(table)))
            if table.over:
                table = start(PartySetup(rules, rng.randbytes(32)))

    return Measure("reference", name, "plain", timed(work))


def stepped(name: str) -> Measure:
    """A loop in Python that asks what is legal and says what is done; views are not asked for."""
    rules = rules_of(name, {"deals": _LONG})
    return Measure("step", name, core(), timed(lambda n: step_through(rules, n)))


def step_through(rules: Rules, n: int) -> int:
    """Plays `n` deals by steps, each legal action equally likely; gives how many steps those were."""
    chance, parties = random.Random(n).random, 0
    party, steps = Stepper(rules, parties), 0
    while n > 0:
        legal = party.legal
        party.step(legal[int(chance() * len(legal))])
        steps += 1
        if party.deal_over:
            n -= 1
            if party.over:
                parties += 1
                party = Stepper(rules, parties)
    return steps


def batch(name: str, policy: str = "random") -> Measure:
    """`play_deals`, results included."""
    rules = rules_of(name)
    what = "batch" if policy == "random" else f"batch, {policy}"
    return Measure(what, name, core(), timed(lambda n: play_deals(rules, n, n, policy)))


def own_measures() -> list[Measure]:
    measures = [batch(name) for name in TABLES] + [stepped(name) for name in TABLES]
    return measures + [batch(name, "greedy") for name in TABLES]


def reference_measures() -> list[Measure]:
    return [reference(name) for name in TABLES]
