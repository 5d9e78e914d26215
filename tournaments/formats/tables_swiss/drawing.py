"""One more round of a Swiss at tables of three or four, and why it is as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.formats.meetings import Draw, Kind, NoDraw, Position, Reason, Table
from tournaments.formats.seating import best_order
from tournaments.formats.tables_swiss.grouping import Tables, by_score, sitting_out
from tournaments.formats.tables_swiss.history import History, history_of
from tournaments.formats.tables_swiss.planning import freed, planned
from tournaments.formats.tables_swiss.repair import repaired
from tournaments.formats.tables_swiss.rules import Division, Settings, divided, why_not
from tournaments.formats.tables_swiss.weights import TROUBLE, Weights

MOST_PLANNED = 64
MOST_FREED = 512
"""Fields in which nobody is worth a search: swaps find strangers."""


def draw_next(position: Position, settings: Settings) -> Draw:
    """The next round: tables by score, with as few repeated meetings as can be; raises NoDraw where none fills.

    Seats go by how often each had them. Reasons: see the package.
    """
    there = len(position.there)
    if (told := why_not(there, settings, position.seats)) is not None:
        raise NoDraw("too_few", told)
    history = history_of(position, protects=settings.protect)
    division = divided(there, position.seats, settings.short_tables)
    natural, tables = seated_by(position, history, division)
    out = sitting_out(history, division.out, history.full_byes)
    return Draw(
        tables=(*_tables(natural, tables, history, position.seats), *_byes(out, history)),
        reasons=_of_round(division, position, is_planned(position, history)),
        departures=_second_byes(out, history),
    )


def seated_by(position: Position, history: History, division: Division) -> tuple[Tables, Tables]:
    """The tables by score alone, and those that are played, in the same order."""
    natural = by_score(history, division, position.seats, history.full_byes, history.short)
    weights = Weights(history)
    lots = position.lots.of("tables", position.round)
    if is_planned(position, history):
        rounds = max(1, position.rounds - position.round + 1)
        return natural, planned(history, division, position.seats, rounds, lots)
    tables = repaired(natural, weights)
    if len(history.numbers) <= MOST_FREED and _is_troubled(tables, weights):
        tables = freed(tables, history, lots)
    return natural, tables


def is_planned(position: Position, history: History) -> bool:
    """Whether the field is so small that a round must leave something to those that follow.

    That is where all rounds together use up half of all meetings that there are. The first round leaves the same
    whatever it is.
    """
    field = len(history.numbers)
    used = position.rounds * (position.seats - 1)
    return any(history.met) and field <= MOST_PLANNED and 2 * used >= field - 1


def _is_troubled(tables: Tables, weights: Weights) -> bool:
    return any(weights.pair(one, other) >= TROUBLE for table in tables for one, other in combinations(table, 2))


def _tables(natural: Tables, tables: Tables, history: History, seats: int) -> Iterator[Table]:
    """Best scores first, short tables where their scores put them."""
    by_natural = {one: number for number, table in enumerate(natural) for one in table}
    scores = [sorted(-history.points[one] for one in table) for table in tables]
    order = sorted(range(len(tables)), key=lambda number: (scores[number], min(tables[number])))
    for number in order:
        table = sorted(tables[number], key=lambda one: (-history.points[one], one))
        moved = [one for one in table if by_natural[one] != number]
        seated = best_order([history.numbers[one] for one in table], history.seats)
        yield Table(seated, reasons=tuple(_reasons(table, moved, history, seats)))


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


def _byes(out: Sequence[int], history: History) -> Iterator[Table]:
    for one in out:
        reason = Reason("sits_out", (history.full_byes[one], history.points[one]))
        yield Table((history.numbers[one],), Kind.BYE, reasons=(reason,))


def _second_byes(out: Sequence[int], history: History) -> tuple[Reason, ...]:
    before = history.full_byes
    return tuple(Reason("second_bye", (history.numbers[one], before[one])) for one in out if before[one])


def _of_round(division: Division, position: Position, is_planned: bool) -> tuple[Reason, ...]:
    of_field = Reason("divided", (division.full, division.short, division.out))
    return (of_field, Reason("planned", (position.rounds,))) if is_planned else (of_field,)
