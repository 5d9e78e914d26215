"""One more round of a Swiss at tables of three or four: who sits with whom, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.formats.meetings import Draw, Kind, NoDraw, Position, Reason, Table
from tournaments.formats.seating import best_order
from tournaments.formats.tables_swiss.grouping import Tables, by_score, sitting_out
from tournaments.formats.tables_swiss.history import History, history_of
from tournaments.formats.tables_swiss.planning import planned, searched
from tournaments.formats.tables_swiss.repair import brought_nearer, repaired
from tournaments.formats.tables_swiss.rules import Division, Settings, divided, why_not
from tournaments.formats.tables_swiss.seats import seatable
from tournaments.formats.tables_swiss.weights import TROUBLE, Weights

MOST_PLANNED = 64
MOST_SEARCHED = 160
"""Beyond, swaps of those in trouble find strangers of about the same score."""


@dataclass(frozen=True, slots=True)
class Company:
    """Those at one table, the highest score first, by number."""

    numbers: tuple[int, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """A round before anybody has a seat: tables with the best scores first."""

    companies: tuple[Company, ...]
    byes: tuple[Table, ...]
    reasons: tuple[Reason, ...]
    departures: tuple[Reason, ...]
    history: History

    def draw(self, tables: Sequence[Table]) -> Draw:
        """The round, when everybody has a seat."""
        return Draw((*tables, *self.byes), self.reasons, self.departures)


def draw_next(position: Position, settings: Settings) -> Draw:
    """The next round; raises NoDraw where no table fills. Seats go by how often each had them."""
    grouped = grouped_by_score(position, settings)
    seats = grouped.history.seats
    return grouped.draw([Table(best_order(one.numbers, seats), reasons=one.reasons) for one in grouped.companies])


def grouped_by_score(position: Position, settings: Settings) -> Grouped:
    """Tables by score with as few repeated meetings as can be, and who sits out; raises NoDraw."""
    there = len(position.there)
    if (told := why_not(there, settings, position.seats)) is not None:
        raise NoDraw("too_few", told)
    history = history_of(position, protects=settings.protect)
    division = divided(there, position.seats, settings.short_tables)
    natural = by_score(history, division, position.seats, history.full_byes, history.short)
    tables = seatable(_mended(natural, position, history, division), history, Weights(history))
    out = sitting_out(history, division.out, history.full_byes)
    return Grouped(
        companies=tuple(_companies(natural, tables, history, position.seats)),
        byes=tuple(_bye(one, history) for one in out),
        reasons=_of_round(division, position, history),
        departures=tuple(_second_byes(out, history)),
        history=history,
    )


def _mended(natural: Tables, position: Position, history: History, division: Division) -> Tables:
    """What is played instead of the tables by score alone, in their order."""
    weights = Weights(history)
    lots = position.lots.of("tables", position.round)
    if _is_planned(position, history):
        rounds = max(1, position.rounds - position.round + 1)
        return planned(history, division, position.seats, rounds, lots)
    tables = repaired(natural, weights)
    if len(history.numbers) > MOST_SEARCHED:
        return tables
    if tables != natural or _is_troubled(tables, weights):
        tables = searched(tables, history, lots)
    return brought_nearer(tables, weights)


def _is_planned(position: Position, history: History) -> bool:
    """Whether the field is so small that a round must leave something to those that follow.

    That is where all rounds together use up half of all the meetings that there are. The first round leaves the same
    whatever it is.
    """
    field = len(history.numbers)
    used = position.rounds * (position.seats - 1)
    return any(history.met) and field <= MOST_PLANNED and 2 * used >= field - 1


def _is_troubled(tables: Tables, weights: Weights) -> bool:
    return any(weights.pair(one, other) >= TROUBLE for table in tables for one, other in combinations(table, 2))


def _companies(natural: Tables, tables: Tables, history: History, seats: int) -> Iterator[Company]:
    """Best scores first, short tables where their scores put them."""
    by_natural = {one: number for number, table in enumerate(natural) for one in table}
    scores = [sorted(-history.points[one] for one in table) for table in tables]
    for number in sorted(range(len(tables)), key=lambda number: (scores[number], min(tables[number]))):
        table = sorted(tables[number], key=lambda one: (-history.points[one], one))
        moved = [one for one in table if by_natural[one] != number]
        reasons = tuple(_reasons(table, moved, history, seats))
        yield Company(tuple(history.numbers[one] for one in table), reasons)


def _reasons(table: Sequence[int], moved: Sequence[int], history: History, seats: int) -> Iterator[Reason]:
    highest, lowest = history.points[table[0]], history.points[table[-1]]
    yield Reason("score_group", (highest,)) if highest == lowest else Reason("scores", (highest, lowest))
    if len(table) < seats:
        yield Reason("short_table", (len(table),))
    if len(moved) < len(table):
        yield from (Reason("moved", (history.numbers[one],)) for one in moved)
    for one, other in combinations(table, 2):
        pair = (history.numbers[one], history.numbers[other])
        if times := history.times(one, other):
            yield Reason("met_before", (*pair, times))
        if history.share_a_shield(one, other):
            yield Reason("same_shield", pair)


def _bye(one: int, history: History) -> Table:
    reason = Reason("sits_out", (history.full_byes[one], history.points[one]))
    return Table((history.numbers[one],), Kind.BYE, reasons=(reason,))


def _second_byes(out: Sequence[int], history: History) -> Iterator[Reason]:
    for one in out:
        if before := history.full_byes[one]:
            yield Reason("second_bye", (history.numbers[one], before))


def _of_round(division: Division, position: Position, history: History) -> tuple[Reason, ...]:
    reasons = (Reason("divided", (division.full, division.short, division.out)),)
    return (*reasons, Reason("planned", (position.rounds,))) if _is_planned(position, history) else reasons
