"""Standings as a page shows them: every number written out, every tie-break in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from matches.core.house import KIND
from matches.web.wording import ordinal
from tournaments.formats.lifecycle import EntryStatus
from tournaments.models import Entry, StandingsSnapshot, Tournament
from tournaments.standings.encounter import AVERAGES
from tournaments.standings.table import Cell, Row
from tournaments.standings.values import format_value
from tournaments.web.criteria_words import CRITERIA
from tournaments.web.meetings import Meeting, Side
from tournaments.web.wording import ENTRY_STATUS, place_taken_words, places, points_words, trail_sentence

FORM_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Member:
    """A player of an entry. `house`: the version, such as `greedy@1`, if it is a house program; else empty."""

    name: str
    player: str
    house: str = ""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who stands behind an entry: the name in this tournament and its one or two players.

    `both_hands`: one player sits at both hands of a pair. `gone`: how it left, if it plays no more.
    """

    name: str
    members: tuple[Member, ...] = ()
    both_hands: bool = False
    gone: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A tie-break's column: its code, its head, and what that stands for."""

    code: str
    head: str
    title: str


@dataclass(frozen=True, slots=True)
class ValueOf:
    """What a tie-break says of a line; `decided`: it gave the place."""

    code: str
    value: str
    decided: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the standings. `values` are parallel to the table's columns.

    `decided_by` is the criterion that gave the place, `trail` tells how, in words; `form` holds how much the last
    meetings brought, from 0 to 4. `places`: how often the entry came in at each place, at tables of three and four.
    `is_in_play`: the bracket has not decided its place yet.
    """

    entry: str
    place: str
    name: str
    members: tuple[Member, ...]
    both_hands: bool
    played: int
    wins: int
    draws: int
    losses: int
    places: tuple[int, ...]
    points: str
    values: tuple[ValueOf, ...]
    decided_by: str
    trail: tuple[str, ...]
    form: tuple[int, ...]
    leads: bool
    gone: str = ""
    is_in_play: bool = False

    @property
    def player(self) -> str:
        """The only player's public id; empty for an entry of two."""
        return self.members[0].player if len(self.members) == 1 else ""

    @property
    def house(self) -> str:
        """The versions of an entry that only house programs play for: an anchor. Empty for all others."""
        labels = [member.house for member in self.members]
        return " & ".join(labels) if all(labels) else ""

    @property
    def is_named_by_members(self) -> bool:
        """Whether the name says no more than the names of the two players."""
        return len(self.members) > 1 and self.name == " & ".join(member.name for member in self.members)


@dataclass(frozen=True, slots=True)
class Table:
    """The standings. A tie-break is a column unless another column says the same, or it had nothing to say.

    `group`: of which group, 0 if of all. `has_points`: false where a bracket gives the places. Before the first result
    (`begun` is false) the lines are numbered, for nobody has a place yet. `sides`: how many meet at a table; where they
    are more than two the lines say how often each place was taken.
    """

    lines: tuple[Line, ...]
    columns: tuple[Column, ...]
    begun: bool
    sides: int
    group: int = 0
    has_points: bool = True

    @property
    def is_large(self) -> bool:
        """Whether more than two meet at a table, so that nobody simply beats another."""
        return self.sides > 2

    @property
    def place_heads(self) -> tuple[tuple[str, str], ...]:
        """The places of a table as heads of columns: short and whole."""
        return tuple((ordinal(place), place_taken_words(place)) for place in range(1, self.sides + 1))


def tables_of(
    rows: Sequence[Row], entrants: Mapping[str, Entrant], sides: int, meetings: Sequence[Meeting] | None = None
) -> tuple[Table, ...]:
    """One table for each group, or one for all; rows of nobody's group come with the last."""
    groups = sorted({row.group for row in rows if row.group})
    if not groups:
        return (table_of(rows, entrants, sides, meetings),)
    rest = [row for row in rows if not row.group]
    tables = [table_of([row for row in rows if row.group == one], entrants, sides, meetings, one) for one in groups]
    return (*tables, table_of(rest, entrants, sides, meetings)) if rest else tuple(tables)


def table_of(
    rows: Sequence[Row],
    entrants: Mapping[str, Entrant],
    sides: int,
    meetings: Sequence[Meeting] | None = None,
    group: int = 0,
) -> Table:
    """`meetings`: all of the tournament, None where only the published rows are known."""
    past, begun = _sides_of(meetings or ()), any(row.played for row in rows)
    has_points = not rows or bool(rows[0].criteria)
    columns = columns_of(rows) if has_points else ()
    told = _places(rows) if has_points or sides > 2 else _places_of_bracket(rows)
    lines = tuple(
        _line(
            row,
            told[row.place] if begun else str(number),
            entrants.get(row.entry, Entrant(row.entry)),
            past.get(row.entry, ()),
            sides,
            columns,
        )
        for number, row in enumerate(rows, start=1)
    )
    return Table(lines=lines, columns=columns, begun=begun, sides=sides, group=group, has_points=has_points)


def _places(rows: Sequence[Row]) -> dict[int, str]:
    """By place how it is written."""
    sharing = Counter(row.place for row in rows)
    return {place: places(place, count) for place, count in sharing.items()}


def _places_of_bracket(rows: Sequence[Row]) -> dict[int, str]:
    """The same where a bracket decides them: others may still come to share a place, down to the next below.

    Nobody shares the first in the end: those who do are still in play, and nothing is written.
    """
    taken = sorted({row.place for row in rows})
    ends = dict(zip(taken, [*(place - 1 for place in taken[1:]), len(rows)], strict=True))
    told = {place: places(place, end - place + 1) for place, end in ends.items()}
    return told | ({1: ""} if sum(row.place == 1 for row in rows) > 1 else {})


def columns_of(rows: Sequence[Row]) -> tuple[Column, ...]:
    """The tie-breaks in their order; wins have a column anyway, and direct encounter only where it told."""
    codes = dict.fromkeys(code for row in rows for code in row.criteria)
    told = {code for row in rows for code, value in zip(row.criteria, row.values, strict=True) if value is not None}
    shown = [code for code in codes if code in told and code not in ("points", "wins")]
    return tuple(Column(code, str(CRITERIA[code].head), str(CRITERIA[code].title)) for code in shown)


def _sides_of(meetings: Sequence[Meeting]) -> dict[str, list[Side]]:
    """How each entry came in, in order of the rounds."""
    by_entry: dict[str, list[Side]] = {}
    for side in (side for meeting in meetings for side in meeting.sides if side.outcome):
        for entry, _name in side.entries:
            by_entry.setdefault(entry, []).append(side)
    return by_entry


def _line(row: Row, place: str, entrant: Entrant, past: Sequence[Side], sides: int, columns: Sequence[Column]) -> Line:
    said, decided_by = dict(zip(row.criteria, row.values, strict=True)), _decided_by(row.trail)
    return Line(
        entry=row.entry,
        place=place,
        name=entrant.name,
        members=entrant.members,
        both_hands=entrant.both_hands,
        played=row.played,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        places=(*row.places, *[0] * (sides - len(row.places))),
        points=points_words(row.points),
        values=tuple(
            ValueOf(one.code, format_value(one.code, said.get(one.code)), one.code == decided_by) for one in columns
        ),
        decided_by=decided_by,
        trail=tuple(trail_sentence(step) for step in _spoken(row.trail, sides)),
        form=tuple(side.level for side in past[-FORM_SHOWN:]),
        leads=row.place == 1 and row.played > 0 and bool(place),
        gone=entrant.gone,
        is_in_play=not place,
    )


def _spoken(trail: Sequence[Cell], sides: int) -> Sequence[Cell]:
    """The steps that say something: tables of three and four are no meetings of two, and everybody knows it."""
    return [step for step in trail if sides == 2 or step.value is not None]


def _decided_by(trail: Sequence[Cell]) -> str:
    """The criterion after which nobody was level with the entry any more; empty where the place is shared."""
    return next((step.criterion for step in trail if step.tied_after == 1), "")


def entrants_of(tournament: Tournament) -> dict[str, Entrant]:
    """By the entry's public id. One query."""
    rows = tournament.entries.order_by("number", "members__position").values_list(
        *("public_id", "name", "status", "members__player__name", "members__player__public_id"),
        *("members__agent__kind", "members__agent__label"),
    )
    return {
        entry: _entrant(
            name, tuple(_member(*member) for _, _, _, *member in group if member[1]), tournament.hands, status
        )
        for (entry, name, status), group in groupby(rows, key=lambda row: row[:3])
    }


def members_of(entry: Entry) -> tuple[Member, ...]:
    """An entry's players, in the order of the hands; no query where members, players and agents are prefetched."""
    return tuple(
        _member(one.player.name, one.player.public_id, one.agent.kind, one.agent.label) for one in entry.members.all()
    )


def _member(name: str, player: str, kind: str, label: str) -> Member:
    return Member(name, player, label if kind == KIND else "")


def _entrant(name: str, members: tuple[Member, ...], hands: int, status: str) -> Entrant:
    gone = "" if status == EntryStatus.ACTIVE else str(ENTRY_STATUS[EntryStatus(status)])
    return Entrant(name, members, both_hands=len(members) < hands, gone=gone)


@dataclass(frozen=True, slots=True)
class Published:
    """A snapshot as a page shows it."""

    number: int
    published_at: datetime
    matches_counted: int
    matches_total: int
    sha256: str
    tables: tuple[Table, ...]
    moved_since: bool


def published(
    snapshot: StandingsSnapshot, entrants: Mapping[str, Entrant], live: Sequence[Row], sides: int
) -> Published:
    """`moved_since`: whether the live table differs by now from what was published."""
    rows = [row_of(line) for line in snapshot.rows]
    known = {
        line["entry"]: replace(entrants.get(line["entry"], Entrant("")), name=line["name"]) for line in snapshot.rows
    }
    return Published(
        number=snapshot.number,
        published_at=snapshot.published_at,
        matches_counted=snapshot.matches_counted,
        matches_total=snapshot.matches_total,
        sha256=snapshot.sha256,
        tables=tables_of(rows, known, sides),
        moved_since=rows != list(live),
    )


def row_of(line: Mapping[str, Any]) -> Row:
    """A line of a snapshot as the value that it was published from; older ones have their criteria in the trail."""
    if "criteria" not in line:
        return _older(line)
    told: dict[str, Any] = {field: line[field] for field in Row.__slots__}
    return Row(**told | {name: tuple(value) for name, value in told.items() if isinstance(value, list)})


_RENAMED = {"head_to_head": "direct_encounter", "difference": "point_difference"}


def _older(line: Mapping[str, Any]) -> Row:
    kept = ("entry", "place", "played", "wins", "draws", "losses", "points", "difference")
    trail = line["trail"]
    return Row(
        **{name: line[name] for name in (*kept, "card_points_for", "card_points_against")},
        number=0,
        places=tuple(line["places"]),
        criteria=tuple(_RENAMED.get(step["criterion"], step["criterion"]) for step in trail),
        values=tuple(_in_units(step["criterion"], step["value"]) for step in trail),
        level=(*(step["tied_before"] for step in trail[:1]), *(step["tied_after"] for step in trail)),
    )


def _in_units(criterion: str, value: int | None) -> int | None:
    """Head to head was kept in quarters."""
    return value * AVERAGES if criterion == "head_to_head" and value is not None else value
