"""The other half of a standings page: who beat whom, or at tables of three and four what each round brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from matches.core.lifecycle import MatchStatus
from matches.web.wording import ordinal
from tournaments.web.meetings import Meeting, Side
from tournaments.web.tables import Line, Table


@dataclass(frozen=True, slots=True)
class Cell:
    """A meeting seen from its line's entry; `state` is also `self` on the diagonal, `bye`, or `none`.

    `level`: what it brought, from 0 to 4; `score`: points against points, or the place.
    """

    state: str
    mark: str = ""
    level: int = 0
    score: str = ""
    match_id: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class CrossLine:
    place: str
    name: str
    points: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Cross:
    """`columns`: for each its short head and the whole of it. `by_round`: columns are rounds, not opponents."""

    by_round: bool
    columns: tuple[tuple[str, str], ...]
    lines: tuple[CrossLine, ...]


def cross_of(table: Table, meetings: Sequence[Meeting]) -> Cross | None:
    """The cross table of a drawn tournament; None before the draw."""
    if not meetings:
        return None
    return _by_round(table, meetings) if table.is_large else _everybody(table, meetings)


def _everybody(table: Table, meetings: Sequence[Meeting]) -> Cross:
    """Everybody against everybody, in the order of the standings."""
    by_pair: dict[tuple[str, str], Cell] = {}
    for meeting in meetings:
        if len(meeting.sides) == 2:
            first, second = meeting.sides
            by_pair[first.entry, second.entry] = _against(meeting, first, second)
            by_pair[second.entry, first.entry] = _against(meeting, second, first)
    return Cross(
        by_round=False,
        columns=tuple((str(number), line.name) for number, line in enumerate(table.lines, start=1)),
        lines=tuple(_cross_line(line, _pair_cells(line.entry, table, by_pair)) for line in table.lines),
    )


def _cross_line(line: Line, cells: tuple[Cell, ...]) -> CrossLine:
    return CrossLine(line.place, line.name, line.points, cells)


def _pair_cells(entry: str, table: Table, by_pair: Mapping[tuple[str, str], Cell]) -> tuple[Cell, ...]:
    return tuple(
        Cell("self") if line.entry == entry else by_pair.get((entry, line.entry), Cell("none")) for line in table.lines
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
    cells = {(side.entry, one.round_number): _at_table(one, side) for one in meetings for side in one.sides}
    return Cross(
        by_round=True,
        columns=tuple((str(number), _("Round %(number)s") % {"number": number}) for number in rounds),
        lines=tuple(
            _cross_line(line, tuple(cells.get((line.entry, number), Cell("none")) for number in rounds))
            for line in table.lines
        ),
    )


def _at_table(meeting: Meeting, own: Side) -> Cell:
    if meeting.state == "bye":
        return Cell("bye", label=_("%(name)s sits out") % {"name": own.name})
    others = ", ".join(side.name for side in meeting.sides if side is not own)
    place = ordinal(own.place) if own.place else ""
    told = f"{own.mark} ({place})" if place else meeting.state_words
    return Cell(
        state="decided" if meeting.state == MatchStatus.FINISHED else meeting.state,
        mark=own.mark,
        level=own.level,
        score=place,
        match_id=meeting.match_id,
        label=f"{own.name} – {others}: {told}",
    )
