"""Small fields: a round is drawn together with those that will follow, so that it leaves them strangers to meet.

The plan is made anew each round, from what was really played; only its first round counts. It begins as rounds drawn
one after the other and is then mended as a whole by a tabu search, several times, with lots for chance; the best is
taken: least repeated, then least repeated in this round, then nearest scores. The same lots give the same plan.
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
from tournaments.formats.tables_swiss.weights import SHIELD, Weights

TRIALS = 4
SWAPS_TRIED_ALONE = 6_000
"""For each round by itself."""
SWAPS_TRIED_TOGETHER = 30_000
"""For all rounds of a plan."""
MOST_PASSES = 10


def planned(history: History, division: Division, seats: int, rounds: int, lots: Lots) -> Tables:
    """The tables of this round, the first of so many. Lowers no score's tables without sparing a meeting."""
    weights = Weights(history)
    found: list[tuple[tuple[int, int, int], Tables]] = []
    for trial in range(TRIALS):
        chance = Chance(lots, "trial", trial)
        sheet = _one_after_another(history, division, seats, rounds, chance)
        mended(sheet, range(rounds), chance, SWAPS_TRIED_TOGETHER)
        _brought_together(sheet, weights)
        tables = sheet.rounds[0]
        found.append(((sheet.cost, *_costs_now(tables, weights)), tables))
        if sheet.cost == 0:
            break
    return min(found, key=lambda one: one[0])[1]


def freed(tables: Tables, history: History, lots: Lots) -> Tables:
    """One round's tables with as few repetitions as a search can reach, where swaps one by one are at their end."""
    sheet, chance = Sheet(history), Chance(lots, "alone")
    sheet.append(tables)
    mended(sheet, [0], chance, SWAPS_TRIED_TOGETHER)
    _brought_together(sheet, Weights(history))
    return sheet.rounds[0]


def _one_after_another(history: History, division: Division, seats: int, rounds: int, chance: Chance) -> Sheet:
    sheet = Sheet(history)
    byes, short = list(history.full_byes), list(history.short)
    for number in range(rounds):
        out = sitting_out(history, division.out, byes)
        if number == 0:
            tables = by_score(history, division, seats, byes, short)
        else:
            tables = _at_random(history, division, seats, out, short, chance)
        sheet.append(tables)
        mended(sheet, [number], chance, SWAPS_TRIED_ALONE)
        for one in out:
            byes[one] += 1
        for table in sheet.rounds[number]:
            for one in table:
                short[one] += len(table) < seats
    return sheet


def _at_random(
    history: History, division: Division, seats: int, out: list[int], short: list[int], chance: Chance
) -> Tables:
    """A later round's tables: the scores that it will be drawn by are not known."""
    playing = [one for one in range(len(short)) if one not in out]
    small = at_short_tables(history, playing, division.short * (seats - 1), short)
    large = chance.shuffled([one for one in playing if one not in small])
    return [
        *(large[at : at + seats] for at in range(0, len(large), seats)),
        *(small[at : at + seats - 1] for at in range(0, len(small), seats - 1)),
    ]


def _brought_together(sheet: Sheet, weights: Weights) -> None:
    """Swaps in this round that bring scores nearer and repeat nothing for it, now or later."""
    playing = [one for table in sheet.rounds[0] for one in table]
    for _ in range(MOST_PASSES):
        before = sheet.copy_of_rounds()[0]
        for one, other in combinations(playing, 2):
            _swapped_if_nearer(sheet, weights, one, other)
        if before == sheet.rounds[0]:
            return


def _swapped_if_nearer(sheet: Sheet, weights: Weights, one: int, other: int) -> None:
    at = sheet.at[0]
    here, there = sheet.rounds[0][at[one]], sheet.rounds[0][at[other]]
    if here is there or len(here) != len(there):
        return
    points, mates, theirs = weights.points, [x for x in here if x != one], [x for x in there if x != other]
    nearer = (points[one] - points[other]) * (sum(points[x] for x in theirs) - sum(points[x] for x in mates))
    if nearer <= 0:  # the squares of the scores cancel out, what is left of the distances is this product
        return
    more = sheet.more_after(one, other, mates, theirs)
    if more <= 0:
        sheet.swap(0, one, other, more)


def _costs_now(tables: Tables, weights: Weights) -> tuple[int, int]:
    """What this round repeats, and how far its scores lie apart."""
    costs = [weights.pair(one, other) for table in tables for one, other in combinations(table, 2)]
    whole = sum(costs)
    return whole // SHIELD, whole % SHIELD
