"""Small fields: a round is drawn together with those that will follow, so that it leaves them strangers to meet.

The plan is made anew each round, from what was really played; only its first round counts. It begins as rounds drawn
one after the other: this one by score, then those to come. First only these are mended by a tabu search; if something
is still repeated, all of them together, several times, with lots for chance. The best is taken: least repeated, then
least repeated in this round, then nearest scores. The same lots give the same plan.
"""

from __future__ import annotations

from itertools import combinations

from tournaments.formats.lots import Lots
from tournaments.formats.tables_swiss.chance import Chance
from tournaments.formats.tables_swiss.grouping import Tables, at_short_tables, by_score, sitting_out
from tournaments.formats.tables_swiss.history import History
from tournaments.formats.tables_swiss.rules import Division
from tournaments.formats.tables_swiss.search import mended
from tournaments.formats.tables_swiss.sheet import Sheet
from tournaments.formats.tables_swiss.together import brought_together
from tournaments.formats.tables_swiss.weights import SHIELD, Weights

MOST_TRIALS = 10
EFFORT = 240
"""Trials by entrants: a larger field leaves more strangers, and takes longer."""
FARTHEST_AHEAD = 6
"""How many rounds a plan has at most: what comes later has time."""
STEPS_ALONE = 300
"""For each round by itself."""
STEPS_TOGETHER = 150
"""For all rounds of a plan."""


def planned(history: History, division: Division, seats: int, rounds: int, lots: Lots) -> Tables:
    """The tables of this round, the first of so many that are left."""
    rounds = min(rounds, FARTHEST_AHEAD)
    weights = Weights(history)
    found: list[tuple[tuple[int, int, int], Tables]] = []
    for trial in range(max(2, min(MOST_TRIALS, EFFORT // len(history.numbers)))):
        chance = Chance(lots, "trial", trial)
        sheet = _one_after_another(history, division, seats, rounds, chance)
        is_by_score = trial == 0
        mended(sheet, range(1 if is_by_score else 0, rounds), chance, STEPS_TOGETHER)
        if not is_by_score:
            brought_together(sheet, weights, chance)
        found.append(((sheet.cost, *_costs_now(sheet.rounds[0], weights)), sheet.rounds[0]))
        if sheet.cost == 0:
            break
    return min(found, key=lambda one: one[0])[1]


def searched(tables: Tables, history: History, lots: Lots) -> Tables:
    """This round alone: as few repetitions and scores as near as a search can reach from these tables."""
    sheet, chance = Sheet(history), Chance(lots, "alone")
    sheet.append(tables)
    mended(sheet, [0], chance, STEPS_TOGETHER)
    brought_together(sheet, Weights(history), chance)
    return sheet.rounds[0]


def _one_after_another(history: History, division: Division, seats: int, rounds: int, chance: Chance) -> Sheet:
    sheet = Sheet(history)
    byes, short = list(history.full_byes), list(history.short)
    sheet.append(by_score(history, division, seats, byes, short))
    mended(sheet, [0], chance, STEPS_ALONE)
    brought_together(sheet, Weights(history), chance)
    for number in range(1, rounds):
        _note_seats(sheet.rounds[-1], seats, byes, short)
        sheet.append(_at_random(history, division, seats, byes, short, chance))
        mended(sheet, [number], chance, STEPS_ALONE)
    return sheet


def _note_seats(tables: Tables, seats: int, byes: list[int], short: list[int]) -> None:
    """Counts who sat out in a planned round, and who sat at its short tables."""
    sizes = {one: len(table) for table in tables for one in table}
    for one in range(len(byes)):
        byes[one] += one not in sizes
        short[one] += sizes.get(one, seats) < seats


def _at_random(
    history: History, division: Division, seats: int, byes: list[int], short: list[int], chance: Chance
) -> Tables:
    """A later round's tables: the scores that it will be drawn by are not known."""
    out = sitting_out(history, division.out, byes)
    playing = [one for one in range(len(byes)) if one not in out]
    small = at_short_tables(history, playing, division.short * (seats - 1), short)
    large = chance.shuffled([one for one in playing if one not in small])
    return [
        *(large[at : at + seats] for at in range(0, len(large), seats)),
        *(small[at : at + seats - 1] for at in range(0, len(small), seats - 1)),
    ]


def _costs_now(tables: Tables, weights: Weights) -> tuple[int, int]:
    """What this round repeats, and how far its scores lie apart."""
    costs = [weights.pair(one, other) for table in tables for one, other in combinations(table, 2)]
    whole = sum(costs)
    return whole // SHIELD, whole % SHIELD
