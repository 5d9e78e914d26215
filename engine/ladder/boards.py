"""Duplicate boards: the same packs and dealers for every seating of two bots.

A board follows from a seed and its number. It is played once for every exposure: with two sides one bot has either;
with more, each bot has every side in turn against the other on all the rest. Suits are relabelled for each (R70).
"""

from __future__ import annotations

import hashlib
import os
import random
from dataclasses import dataclass
from functools import lru_cache

from engine.bots import Policy, house
from engine.presets import rules_of
from engine.rules import Rules
from engine.shuffle import suits_of
from engine.table import PartySetup, apply, start
from engine.view import observe

Sides = tuple[int, ...]
"""Which of two bots, 0 or 1, has each side."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two bots at a table's boards; `deals` a board, of no weight in Short, where a board is a party.

    The same duel and the same number are the same board; a bot with a budget of time may still play it otherwise.
    """

    rules: str
    bots: tuple[str, str]
    seed: str = "0"
    deals: int = 1


@dataclass(frozen=True, slots=True)
class Board:
    """What came of a board: by exposure, how much more the first bot got than the other.

    Units of `margins`: points (stakes in Short) per seat of a side, times `unit`: side against rest, all deals.
    """

    number: int
    margins: tuple[int, ...]
    unit: int

    @property
    def points(self) -> float:
        """Points a deal that the first bot gets more, over all exposures."""
        return sum(self.margins) / (len(self.margins) * self.unit)

    @property
    def verdict(self) -> int:
        """1 if the first bot has won the board, -1 if the other, 0 if it is drawn."""
        total = sum(self.margins)
        return (total > 0) - (total < 0)


def exposures(sides: int) -> tuple[Sides, ...]:
    """Every seating of a board: each bot alone on each side, the other on the rest; with two sides the two."""
    alone = [tuple(int(side != one) for side in range(sides)) for one in range(sides)]
    return tuple(dict.fromkeys([*alone, *(tuple(1 - bot for bot in seating) for seating in alone)]))


@lru_cache(maxsize=64)
def board_rules(preset: str, deals: int) -> Rules:
    """The preset as boards play it: so many deals (R71), and the dealers the same whatever happens (R12, R14).

    One deal has no next dealer but after a pack thrown in, and that is by turns everywhere (R13).
    """
    if rules_of(preset).short is not None:
        return rules_of(preset)
    turns = {"next_dealer": "rotate", "hang_dealer": "next"} if deals > 1 else {}
    return rules_of(preset, {"deals": deals, **turns})


def play_board(duel: Duel, number: int) -> Board:
    """Plays a board from every side with the house bots of the duel."""
    return play_between(duel, _seated(duel.bots[0]), _seated(duel.bots[1]), number)


def play_between(duel: Duel, one: Policy, other: Policy, number: int) -> Board:
    """Plays a board from every side with any two bots, whatever the duel calls them."""
    rules = board_rules(duel.rules, duel.deals)
    margins = [
        margin_of(seating, _paid(duel, rules, (one, other), number, exposure))
        for exposure, seating in enumerate(exposures(rules.sides))
    ]
    return Board(number, tuple(margins), (rules.sides - 1) * (rules.deals or 1))


def seed_of(duel: Duel, number: int) -> bytes:
    """What a board is dealt from (R67)."""
    return hashlib.sha256(os.fsencode(f"{duel.seed}/{number}")).digest()


@lru_cache(maxsize=16)
def _seated(name: str) -> Policy:
    """One bot a process: what it keeps between moves is no part of its answers."""
    return house(name)


def margin_of(seating: Sides, paid: tuple[int, ...]) -> int:
    """The first bot's mean a side less the other's, times how many sides a lone bot plays against."""
    first = sum(points for bot, points in zip(seating, paid, strict=True) if bot == 0)
    second = sum(paid) - first
    return first * sum(seating) - second * (len(seating) - sum(seating))


def _paid(duel: Duel, rules: Rules, bots: tuple[Policy, Policy], number: int, exposure: int) -> tuple[int, ...]:
    """What each side gets when an exposure is played out: points, stakes in Short."""
    seating = exposures(rules.sides)[exposure]
    seed = seed_of(duel, number)
    table = start(PartySetup(rules, seed, suits=suits_of(seed, exposure), first_dealer=0))
    chances = [random.Random(seed + bytes((exposure, seat))) for seat in range(rules.players)]
    while (seat := table.seat_to_act) is not None:
        bot = bots[seating[rules.side_of(seat)]]
        table = apply(table, bot.choose(observe(table, seat), chances[seat]))
    assert table.result is not None
    return table.result.stakes or table.totals
