"""Round 5 of a Swiss after four of strength-driven results with 30 % draws, 0.5 % forfeits and 1 % byes asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.bench.pairing.figures import Figure, taken
from tests.tournaments.swiss.events import Event, positions
from tests.tournaments.swiss.oracle import drawn_by_gacrux
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Position
from tournaments.formats.swiss import Settings, draw_next

ROUND = 5
GOALS = {1_000: 0.5, 10_000: 10.0}
WHAT = "Swiss, round 5"
OWNED, OWNED_GOAL = 1_001, 0.5


def figures(quick: bool) -> Iterator[Figure]:
    """Ours in every size; gacrux's colourless engine, in this process, as far as it goes in minutes."""
    for entrants in (100, 1_000) if quick else (100, 1_000, 10_000):
        found = [fifth_round(entrants, seed) for seed in range(1, 4)]
        runs = [partial(draw_next, position, Settings()) for position in found]
        yield taken(WHAT, entrants, runs, goal=GOALS.get(entrants))
        if entrants == 100 or (entrants == 1_000 and not quick):
            theirs = [partial(drawn_by_gacrux, position) for position in (found if entrants == 100 else found[:1])]
            yield taken(WHAT, entrants, theirs, by="gacrux fideteam-nocolor")
    run = partial(draw_next, owned_round(OWNED), Settings(protect=1))
    yield taken("Swiss, odd, 60 % of one owner", OWNED, [run], goal=OWNED_GOAL)


def owned_round(entrants: int) -> Position:
    """The first round of a field most of which would be kept from one another, and cannot all be."""
    owners = ["house" if number < entrants * 0.6 else f"owner {number}" for number in range(entrants)]
    field = tuple(Entrant(number, shields=frozenset({owner})) for number, owner in enumerate(owners, start=1))
    return Position(field, (), 1, 5, Lots(bytes(32)))


def fifth_round(entrants: int, seed: int) -> Position:
    event = Event(seed=seed, sides=entrants, rounds=9, forfeits=0.005, away=0.01, draws=0.3)
    return next(position for position in positions(event) if position.round == ROUND)
