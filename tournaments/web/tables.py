"""Standings and cross table as a page shows them: every number written out, every tie-break in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from matches.core.lifecycle import MatchStatus
from tournaments.models import StandingsSnapshot, Tournament
from tournaments.standings.table import Row, TrailStep
from tournaments.web.meetings import Meeting, Side
from tournaments.web.wording import half_points, places, signed, trail_sentence

FORM_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who stands behind an entry: the name in this tournament and the player's public id."""

    name: str
    player: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the standings.

    `decided_by` is the criterion that gave the place, `trail` tells how, in words; `form` holds the last outcomes.
    """

    entry: str
    place: str
    name: str
    player: str
    played: int
    wins: int
    draws: int
    losses: int
    points: str
    head_to_head: str
    difference: str
    decided_by: str
    trail: tuple[str, ...]
    form: tuple[str, ...]
    leads: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The standings. Head to head is a column only where it had something to say.

    Before the first result (`begun` is false) the lines are numbered, for nobody has a place yet.
    """

    lines: tuple[Line, ...]
    has_head_to_head: bool
    begun: bool


def table_of(rows: Sequence[Row], entrants: Mapping[str, Entrant], meetings: Sequence[Meeting] = ()) -> Table:
    sharing = Counter(row.place for row in rows)
    forms, begun = _forms(meetings), any(row.played for row in rows)
    lines = tuple(
        _line(
            row,
            places(row.place, sharing[row.place]) if begun else str(number),
            entrants.get(row.entry, Entrant(row.entry, "")),
            forms.get(row.entry, ()),
        )
        for number, row in enumerate(rows, start=1)
    )
    return Table(
        lines=lines,
        has_head_to_head=any(line.head_to_head for line in lines),
        begun=begun,
    )


def _forms(meetings: Sequence[Meeting]) -> dict[str, tuple[str, ...]]:
    """Each entry's last outcomes in order of the rounds."""
    outcomes: dict[str, tuple[str, ...]] = {}
    for side in (side for meeting in meetings for side in meeting.sides if side.outcome):
        outcomes[side.entry] = (*outcomes.get(side.entry, ()), side.outcome)[-FORM_SHOWN:]
    return outcomes


def _line(row: Row, place: str, entrant: Entrant, form: tuple[str, ...]) -> Line:
    return Line(
        entry=row.entry,
        place=place,
        name=entrant.name,
        player=entrant.player,
        played=row.played,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        points=half_points(row.points),
        head_to_head=_head_to_head(row.trail),
        difference=signed(row.difference),
        decided_by=_decided_by(row.trail),
        trail=tuple(trail_sentence(step) for step in row.trail),
        form=form,
        leads=row.place == 1 and row.played > 0,
    )


def _head_to_head(trail: Sequence[TrailStep]) -> str:
    """Points from the meetings of those who were level; empty where nobody was, or not all of them have met."""
    values = (step.value for step in trail if step.criterion == "head_to_head" and step.value is not None)
    return next((half_points(value) for value in values), "")


def _decided_by(trail: Sequence[TrailStep]) -> str:
    """The criterion after which nobody was level with the entry any more; empty where the place is shared."""
    return next((step.criterion for step in trail if step.tied_after == 1), "")


def entrants_of(tournament: Tournament) -> dict[str, Entrant]:
    """By the entry's public id. One query."""
    rows = tournament.entries.order_by("number").values_list("public_id", "name", "agent__player__public_id")
    return {entry: Entrant(name, player or "") for entry, name, player in rows}


@dataclass(frozen=True, slots=True)
class Published:
    """A snapshot as a page shows it."""

    number: int
    published_at: datetime
    matches_counted: int
    matches_total: int
    sha256: str
    table: Table
    moved_since: bool


def published(snapshot: StandingsSnapshot, entrants: Mapping[str, Entrant], live: Sequence[Row]) -> Published:
    """`moved_since`: whether the live table differs by now from what was published."""
    rows = [row_of(line) for line in snapshot.rows]
    known = {
        line["entry"]: Entrant(line["name"], entrants.get(line["entry"], Entrant("", "")).player)
        for line in snapshot.rows
    }
    return Published(
        number=snapshot.number,
        published_at=snapshot.published_at,
        matches_counted=snapshot.matches_counted,
        matches_total=snapshot.matches_total,
        sha256=snapshot.sha256,
        table=table_of(rows, known),
        moved_since=rows != list(live),
    )


def row_of(line: Mapping[str, Any]) -> Row:
    """A line of a snapshot as the value that it was published from."""
    values = {field: line[field] for field in Row.__slots__ if field != "trail"}
    return Row(**values, trail=tuple(TrailStep(**step) for step in line["trail"]))


@dataclass(frozen=True, slots=True)
class Cell:
    """Where two entries meet in the cross table, seen from the line's entry; `state` is also the diagonal's `self`."""

    state: str
    mark: str = ""
    score: str = ""
    match_id: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class CrossLine:
    place: str
    name: str
    player: str
    points: str
    cells: tuple[Cell, ...]


def cross_table(table: Table, meetings: Sequence[Meeting]) -> tuple[CrossLine, ...]:
    """Everybody against everybody, in the order of the standings."""
    by_pair: dict[tuple[str, str], Cell] = {}
    for meeting in meetings:
        if len(meeting.sides) == 2:
            first, second = meeting.sides
            by_pair[first.entry, second.entry] = _cell(meeting, first, second)
            by_pair[second.entry, first.entry] = _cell(meeting, second, first)
    order = [line.entry for line in table.lines]
    return tuple(
        CrossLine(line.place, line.name, line.player, line.points, _cells(line.entry, order, by_pair))
        for line in table.lines
    )


def _cells(entry: str, order: Sequence[str], by_pair: Mapping[tuple[str, str], Cell]) -> tuple[Cell, ...]:
    return tuple(Cell("self") if other == entry else by_pair.get((entry, other), Cell("none")) for other in order)


def _cell(meeting: Meeting, own: Side, other: Side) -> Cell:
    state = own.outcome if meeting.state == MatchStatus.FINISHED else meeting.state
    score = "" if own.points is None else f"{own.points}:{other.points}"
    label = (
        f"{own.name} – {other.name}: {own.mark} {score}".rstrip()
        if score
        else (f"{own.name} – {other.name}: {meeting.state_words}")
    )
    return Cell(state, own.mark, score, meeting.match_id, label)
