"""Standings with five tie-breaks after eleven rounds, with two things in a hundred unplayed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

from tests.bench.pairing.figures import Figure, taken
from tests.tournaments.standings.events import Event, large
from tests.tournaments.standings.oracles import ranked_by_gacrux, ranked_by_tiebreak_core
from tournaments.formats.lots import Lots
from tournaments.standings.table import Row, standings

ROUNDS = 11
GOALS = {10_000: 1.0}
WHAT = "Standings, 11 rounds, 5 tie-breaks"
CRITERIA = ("points", "buchholz_cut1", "buchholz", "sonneborn_berger", "direct_encounter", "games_won")


def figures(quick: bool) -> Iterator[Figure]:
    """Ours and both libraries with the same tie-breaks, in every size."""
    for entrants in (100, 1_000) if quick else (100, 1_000, 10_000):
        found = [large(random.Random(seed), entrants, ROUNDS) for seed in range(1, 4)]
        yield taken(WHAT, entrants, [partial(ranked, one) for one in found], goal=GOALS.get(entrants))
        if entrants == 100 or not quick:
            yield taken(WHAT, entrants, [partial(ranked_by_tiebreak_core, one) for one in found], by="tiebreak-core")
            yield taken(WHAT, entrants, [partial(ranked_by_gacrux, one) for one in found], by="gacrux")


def ranked(event: Event) -> tuple[Row, ...]:
    return standings(event.entrants, event.meetings, CRITERIA, Lots(bytes(32)), event.rounds, False)
