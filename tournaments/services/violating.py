"""What a draw breaks, whoever made it.

Reasons: `rematch (number, number, round)`; `second_bye (number)`; `shares_shield (number, number)`; `not_seated
(number)`; `not_there (number)`: seated, and gone, late, or sitting this round out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tournaments.formats.lifecycle import SeatState
from tournaments.formats.meetings import Entrant, Kind, Meeting, Reason
from tournaments.formats.registry import FormatKind
from tournaments.models import PairingSeat, Round
from tournaments.services.proposing import position_of
from tournaments.services.stages import format_of

Seated = list[tuple[str, tuple[int, ...]]]
"""Of each table the kind of its bye, if it is one, and who sits there."""


def violations_of(drawn: Round) -> list[Reason]:
    """All of a round that is not yet played; five queries.

    A bracket's own draw brings the same two together again, and seats nobody who is out; so does not an elimination
    at tables.
    """
    kind = format_of(drawn.stage).kind
    position = position_of(drawn.stage, drawn.number)
    tables, earlier = _tables(drawn), position.meetings
    protects = drawn.number <= drawn.stage.protected_rounds
    shared = list(_shared_shields(tables, position.entrants)) if protects else []
    if kind is FormatKind.BRACKET:
        return shared
    return [
        *_rematches(tables, earlier),
        *_second_byes(tables, earlier),
        *shared,
        *_misplaced(tables, position.entrants, drawn.number, eliminates=drawn.stage.format == "table_elimination"),
    ]


def _tables(drawn: Round) -> Seated:
    numbers = dict(drawn.stage.stage_entries.values_list("entry_id", "number"))
    seats = PairingSeat.objects.filter(round=drawn, state=SeatState.FILLED).select_related("pairing")
    tables: dict[int, list[int]] = {}
    byes: dict[int, str] = {}
    for seat in seats.order_by("pairing__number", "seat"):
        tables.setdefault(seat.pairing.number, []).append(numbers[seat.entry_id or 0])
        byes[seat.pairing.number] = seat.pairing.bye
    return [(byes[table], tuple(met)) for table, met in tables.items()]


def _pairs(met: Sequence[int]) -> Iterator[tuple[int, int]]:
    yield from combinations(sorted(met), 2)


def _rematches(tables: Seated, earlier: Iterable[Meeting]) -> Iterator[Reason]:
    met = {pair: one.round for one in earlier if not one.is_bye for pair in _pairs(one.entrants)}
    for _, table in tables:
        yield from (Reason("rematch", (*pair, met[pair])) for pair in _pairs(table) if pair in met)


def _second_byes(tables: Seated, earlier: Iterable[Meeting]) -> Iterator[Reason]:
    had = {number for one in earlier if one.kind is Kind.BYE for number in one.entrants}
    for bye, table in tables:
        if bye == Kind.BYE and table[0] in had:
            yield Reason("second_bye", table)


def _shared_shields(tables: Seated, entrants: Sequence[Entrant]) -> Iterator[Reason]:
    shields = {one.number: one.shields for one in entrants}
    for _, table in tables:
        for one, other in _pairs(table):
            if shields[one] & shields[other]:
                yield Reason("shares_shield", (one, other))


def _misplaced(tables: Seated, entrants: Sequence[Entrant], number: int, *, eliminates: bool) -> Iterator[Reason]:
    there = {one.number for one in entrants if one.is_there(number)}
    seated = {one for bye, table in tables for one in table}
    playing = {one for bye, table in tables for one in table if not bye}
    if not eliminates:
        yield from (Reason("not_seated", (one,)) for one in sorted(there - seated))
    yield from (Reason("not_there", (one,)) for one in sorted(playing - there))
