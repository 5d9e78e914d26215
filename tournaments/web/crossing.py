"""The other half of a standings page: who beat whom, or what each round brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from matches.core.lifecycle import MatchStatus
from matches.web.wording import ordinal
from tournaments.formats.meetings import Kind
from tournaments.web.meetings import Meeting, Side
from tournaments.web.tables import Line, Table
from tournaments.web.wording import BYE

MOST_CELLS = 12_000
"""A larger cross table is no page any more: the exports have it."""
BY_ROUND = frozenset({"swiss", "tables", "tables_swiss", "table_elimination", "whist", "partner_swiss"})
NO_CROSS = frozenset({"single_elimination", "double_elimination"})
_BYE_MARKS = {Kind.BYE: "+", Kind.HALF_BYE: "½", Kind.ZERO_BYE: ""}


@dataclass(frozen=True, slots=True)
class Cell:
    """A meeting seen from its line's entry; `state` is also `self` on the diagonal, `bye`, or `none`.

    `level`: what it brought, from 0 to 4; `score`: points against points, the place, or in a Swiss the opponent's line.
    """

    state: str
    mark: str = ""
    level: int = 0
    score: str = ""
    match_id: str = ""
    label: str = ""


Cells = tuple[Cell, ...]
"""What one line has in one column: usually one, more where two meet several times."""
NONE = (Cell("none"),)


@dataclass(frozen=True, slots=True)
class CrossLine:
    place: str
    name: str
    points: str
    cells: tuple[Cells, ...]
    gone: str = ""


@dataclass(frozen=True, slots=True)
class Cross:
    """`columns`: for each its short head and the whole of it. `by_round`: columns are rounds, not opponents."""

    by_round: bool
    columns: tuple[tuple[str, str], ...]
    lines: tuple[CrossLine, ...]
    group: int = 0
    has_points: bool = True


def crosses_of(tables: Sequence[Table], meetings: Sequence[Meeting], format_name: str) -> tuple[Cross, ...]:
    """The cross tables of a stage, one for each group; none before its draw, of brackets, and of very large fields."""
    if format_name in NO_CROSS:
        return ()
    return tuple(cross for table in tables if (cross := _cross(table, meetings, format_name)))


def _cross(table: Table, meetings: Sequence[Meeting], format_name: str) -> Cross | None:
    of_table = {line.entry for line in table.lines}
    met = [one for one in meetings if any(entry in of_table for side in one.sides for entry, _name in side.entries)]
    by_round = table.is_large or format_name in BY_ROUND
    columns = len({one.round_number for one in met}) if by_round else len(table.lines)
    if not met or columns * len(table.lines) > MOST_CELLS:
        return None
    return _by_round(table, met) if by_round else _everybody(table, met)


def _everybody(table: Table, meetings: Sequence[Meeting]) -> Cross:
    """Everybody against everybody, in the order of the standings."""
    by_pair: dict[tuple[str, str], list[Cell]] = {}
    for meeting in meetings:
        if len(meeting.sides) == 2:
            first, second = meeting.sides
            by_pair.setdefault((first.entry, second.entry), []).append(_against(meeting, first, second))
            by_pair.setdefault((second.entry, first.entry), []).append(_against(meeting, second, first))
    return Cross(
        by_round=False,
        columns=tuple((str(number), line.name) for number, line in enumerate(table.lines, start=1)),
        lines=tuple(_cross_line(line, _pair_cells(line.entry, table, by_pair)) for line in table.lines),
        group=table.group,
        has_points=table.has_points,
    )


def _cross_line(line: Line, cells: tuple[Cells, ...]) -> CrossLine:
    return CrossLine(line.place, line.name, line.points, cells, line.gone)


def _pair_cells(entry: str, table: Table, by_pair: Mapping[tuple[str, str], Sequence[Cell]]) -> tuple[Cells, ...]:
    return tuple(
        (Cell("self"),) if line.entry == entry else tuple(by_pair.get((entry, line.entry), NONE))
        for line in table.lines
    )


def _against(meeting: Meeting, own: Side, other: Side) -> Cell:
    score = "" if own.points is None else f"{own.points}:{other.points}"
    told = f"{own.mark} {score}" if score else meeting.state_words
    return Cell(
        state=own.outcome if meeting.state == MatchStatus.FINISHED else meeting.state,
        mark=own.mark,
        level=own.level,
        score=score,
        match_id=meeting.match_id,
        label=f"{own.name} – {other.name}: {told}",
    )


def _by_round(table: Table, meetings: Sequence[Meeting]) -> Cross:
    """What every round brought everybody, in the order of the standings."""
    rounds = sorted({meeting.round_number for meeting in meetings})
    line_of = {line.entry: number for number, line in enumerate(table.lines, start=1)}
    cells = {
        (entry, one.round_number): _at_table(one, side, line_of)
        for one in meetings
        for side in one.sides
        for entry, _name in side.entries
    }
    return Cross(
        by_round=True,
        columns=tuple((str(number), _("Round %(number)s") % {"number": number}) for number in rounds),
        lines=tuple(
            _cross_line(line, tuple((cells.get((line.entry, number), Cell("none")),) for number in rounds))
            for line in table.lines
        ),
        group=table.group,
        has_points=table.has_points,
    )


def _at_table(meeting: Meeting, own: Side, line_of: Mapping[str, int]) -> Cell:
    if meeting.state == "bye":
        mark = _BYE_MARKS[Kind(meeting.bye)]
        return Cell("bye", mark=mark, label=f"{own.name}: {BYE[Kind(meeting.bye)]}")
    others = [side for side in meeting.sides if side is not own]
    told = f"{own.mark} ({ordinal(own.place)})" if own.place else meeting.state_words
    return Cell(
        state="decided" if meeting.state == MatchStatus.FINISHED else meeting.state,
        mark=own.mark,
        level=own.level,
        score=_beside(own, others, line_of),
        match_id=meeting.match_id,
        label=f"{own.name} – {', '.join(side.name for side in others)}: {told}",
    )


def _beside(own: Side, others: Sequence[Side], line_of: Mapping[str, int]) -> str:
    """Of two sides the opponent's line; at larger tables the place that was taken."""
    if len(others) == 1 and len(own.entries) == 1:
        return str(line_of.get(others[0].entry, ""))
    return ordinal(own.place) if own.place else ""
