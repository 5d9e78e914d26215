"""One round of a Swiss, bracket by bracket from the top, and why each table is as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from tournaments.formats.meetings import Draw, Kind, Position, Reason, Table
from tournaments.formats.swiss.acceleration import last_accelerated, virtual_in
from tournaments.formats.swiss.bracket import pairs_of
from tournaments.formats.swiss.bye import bye_order
from tournaments.formats.swiss.field import Field, Side, field_of
from tournaments.formats.swiss.matching import NOBODY
from tournaments.formats.swiss.rest import Rest
from tournaments.formats.swiss.seating import seated
from tournaments.formats.swiss.settings import Acceleration, Settings
from tournaments.formats.swiss.terms import Terms, terms_of
from tournaments.formats.swiss.upfloaters import upfloaters_of

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bracket:
    """One bracket, paired. `points`: those of its residents."""

    points: int
    members: tuple[int, ...]
    upfloaters: tuple[int, ...]
    pairs: tuple[Pair, ...]


def draw_next(position: Position, settings: Settings) -> Draw:
    """The tables of the position's round; raises NoDraw where there are none by the rules and the stage's policy."""
    field = field_of(position, settings)
    terms = terms_of(position, settings, field)
    brackets = list(brackets_of(position, field, terms))
    tables = [table for bracket in brackets for table in _tables(position, settings, field, terms, bracket)]
    tables.sort(key=lambda table: _order(field, table))
    if terms.bye:
        tables.append(_bye(field, terms, terms.bye))
    return Draw(tuple(tables), tuple(_of_round(position, settings)), tuple(_departures(field, tables)))


def brackets_of(position: Position, field: Field, terms: Terms) -> Iterator[Bracket]:
    """The brackets from the top (FIDE C.04.6 art. 3.3.2). The last two rounds do not look at who floated before."""
    is_late = position.round > position.rounds - 2
    floated = NOBODY if is_late else frozenset(side.number for side in field.sides if side.has_floated)
    most_apart = max((len(others) for others in terms.apart.values()), default=0)
    bye = terms.bye.number if terms.bye else 0
    scores = [(points, [one.number for one in group]) for points, group in groupby(field.sides, lambda one: one.points)]
    groups = [[number for number in group if number != bye] for _, group in scores]
    for level, (points, _) in enumerate(scores):
        if not groups[level]:
            continue
        upfloaters = upfloaters_of(Rest(groups[level], groups[level + 1 :], terms.apart, floated, most_apart))
        _take(groups, level + 1, frozenset(upfloaters))
        members = (*groups[level], *upfloaters)
        pairs = pairs_of(members, frozenset(upfloaters), floated, terms.apart)
        yield Bracket(points, members, upfloaters, tuple(pairs))


def _take(groups: list[list[int]], start: int, taken: Set[int]) -> None:
    """Removes those who float up from their score groups."""
    left = len(taken)
    for level in range(start, len(groups)):
        if not left:
            return
        kept = [number for number in groups[level] if number not in taken]
        left -= len(groups[level]) - len(kept)
        groups[level] = kept


def _order(field: Field, table: Table) -> tuple[int, int, int]:
    """Tables by the higher score, the sum of both, the better one's number (FIDE C.04.2 art. 3.6)."""
    better, other = sorted(table.entrants, key=field.order)
    return -field.points(better), -field.points(better) - field.points(other), better


# Reasons


def _tables(position: Position, settings: Settings, field: Field, terms: Terms, bracket: Bracket) -> Iterator[Table]:
    numbers = sorted(bracket.members)
    half = len(numbers) // 2
    expected = {numbers[place]: numbers[(place + half) % len(numbers)] for place in range(len(numbers))}
    for a, b in bracket.pairs:
        order, first_seat = seated(field, a, b, position.lots, balanced=settings.first_seat)
        reasons = [*_scores(field, bracket, a, b), *_avoided(field, terms, expected, (a, b)), first_seat]
        yield Table(order, reasons=tuple(reasons))


def _scores(field: Field, bracket: Bracket, a: int, b: int) -> Iterator[Reason]:
    if field.points(a) == field.points(b):
        yield Reason("score_group", (field.points(a),))
    for one, other in ((a, b), (b, a)):
        if one in bracket.upfloaters:
            yield Reason("floated_up", (one, field.points(one), bracket.points))
        if field.points(one) > field.points(other):
            yield Reason("floated_down", (one, field.points(one), field.points(other)))


def _avoided(field: Field, terms: Terms, expected: dict[int, int], pair: Pair) -> Iterator[Reason]:
    """Why somebody does not meet the one opposite in the other half; and that a shield could not keep two apart."""
    for one in pair:
        other = expected[one]
        if other in pair:
            continue
        if other in field.by_number[one].met:
            yield Reason("rematch_avoided", (one, other, field.by_number[one].met[other]))
        elif other in terms.shielded.get(one, NOBODY):
            yield Reason("protected", (one, other))
    a, b = pair
    if terms.is_given_up(a, b):
        yield Reason("protection_given_up", (a, b))


def _bye(field: Field, terms: Terms, bye: Side) -> Table:
    """The bye, and why those before him in its order have not got it."""
    passed_over = []
    for side in bye_order(field):
        if side is bye:
            break
        code = "bye_had_before" if side.had_bye else "bye_leaves_no_pairing"
        passed_over.append(Reason(code, (side.number, side.had_bye) if side.had_bye else (side.number,)))
    reasons = Reason("bye", (bye.points, bye.matches)), *passed_over[:MOST_PASSED_OVER]
    return Table((bye.number,), Kind.BYE, reasons=reasons)


MOST_PASSED_OVER = 12
"""So many who might have had the bye before are named."""


def _of_round(position: Position, settings: Settings) -> Iterator[Reason]:
    if settings.acceleration is Acceleration.BAKU and (points := virtual_in(position.rounds, position.round)):
        yield Reason("accelerated", (last_accelerated(position), points))


def _departures(field: Field, tables: Sequence[Table]) -> Iterator[Reason]:
    for table in tables:
        one = field.by_number[table.entrants[0]]
        if len(table.entrants) == 1:
            if one.had_bye:
                yield Reason("second_bye", (one.number, one.had_bye))
        elif (other := table.entrants[1]) in one.met:
            yield Reason("rematch", (one.number, other, one.met[other]))
