"""Round 6 at tables of four, after five of strength-driven results; and what is drawn ahead, whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.bench.pairing.figures import Figure, taken
from tests.tournaments.tables.complete import LOTS, field
from tests.tournaments.tables.playing import Field, meetings_of
from tournaments.formats import round_robin, tables_swiss, whist
from tournaments.formats.meetings import Meeting, Position

ROUNDS = 6
GOALS = {10_000: 2.0}
SETTINGS = tables_swiss.Settings(rounds=ROUNDS)


def figures(quick: bool) -> Iterator[Figure]:
    """Small fields are planned, in their second round longest; large ones are mended, in their last longest."""
    for entrants in (20, 32):
        runs = [partial(tables_swiss.draw_next, position(entrants, seed, 2), SETTINGS) for seed in range(1, 4)]
        yield taken(f"tables of four, round 2 of {entrants}, planned", entrants, runs)
    for entrants in (100, 1_000) if quick else (100, 1_000, 10_000):
        runs = [partial(tables_swiss.draw_next, position(entrants, seed, ROUNDS), SETTINGS) for seed in range(1, 4)]
        yield taken(f"tables of four, round {ROUNDS}", entrants, runs, goal=GOALS.get(entrants))
    yield taken("round robin, whole", 512, [partial(round_robin.draw_all, field(512), round_robin.Settings(), LOTS)])
    yield taken("whist, whole", whist.MOST, [partial(whist.draw_all, field(whist.MOST), whist.Settings(), LOTS)])


def position(entrants: int, seed: int, number: int) -> Position:
    """Before this round, all earlier ones being drawn by this very format and played."""
    players, meetings = Field(entrants, seed), list[Meeting]()
    for before in range(1, number):
        now = Position(field(entrants), tuple(meetings), before, ROUNDS, LOTS, 4)
        meetings += meetings_of(tables_swiss.draw_next(now, SETTINGS), before, players)
    return Position(field(entrants), tuple(meetings), number, ROUNDS, LOTS, 4)
