"""Standings as a page shows them: every number written out, every tie-break in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from matches.core.house import KIND
from matches.web.wording import ordinal, signed
from tournaments.models import StandingsSnapshot, Tournament
from tournaments.standings.table import Row, TrailStep
from tournaments.web.meetings import Meeting, Side
from tournaments.web.wording import place_taken_words, places, quarter_points, trail_sentence

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

    `both_hands`: one player sits at both hands of a pair.
    """

    name: str
    members: tuple[Member, ...] = ()
    both_hands: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the standings.

    `decided_by` is the criterion that gave the place, `trail` tells how, in words; `form` holds how much the last
    meetings brought, from 0 to 4. `places`: how often the entry came in at each place, at tables of three and four.
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
    head_to_head: str
    difference: str
    decided_by: str
    trail: tuple[str, ...]
    form: tuple[int, ...]
    leads: bool

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
    """The standings. Head to head is a column only where it had something to say.

    Before the first result (`begun` is false) the lines are numbered, for nobody has a place yet. `sides`: how many
    meet at a table; where they are more than two the lines say how often each place was taken.
    """

    lines: tuple[Line, ...]
    has_head_to_head: bool
    begun: bool
    sides: int

    @property
    def is_large(self) -> bool:
        """Whether more than two meet at a table, so that nobody simply beats another."""
        return self.sides > 2

    @property
    def place_heads(self) -> tuple[tuple[str, str], ...]:
        """The places of a table as heads of columns: short and whole."""
        return tuple((ordinal(place), place_taken_words(place)) for place in range(1, self.sides + 1))


def table_of(
    rows: Sequence[Row], entrants: Mapping[str, Entrant], sides: int, meetings: Sequence[Meeting] | None = None
) -> Table:
    """`meetings`: all of the tournament, None where only the published rows are known."""
    sharing = Counter(row.place for row in rows)
    past, begun = _sides_of(meetings or ()), any(row.played for row in rows)
    lines = tuple(
        _line(
            row,
            places(row.place, sharing[row.place]) if begun else str(number),
            entrants.get(row.entry, Entrant(row.entry)),
            past.get(row.entry, ()),
            sides,
        )
        for number, row in enumerate(rows, start=1)
    )
    return Table(
        lines=lines,
        has_head_to_head=any(line.head_to_head for line in lines),
        begun=begun,
        sides=sides,
    )


def _sides_of(meetings: Sequence[Meeting]) -> dict[str, tuple[Side, ...]]:
    """How each entry came in, in order of the rounds."""
    by_entry: dict[str, tuple[Side, ...]] = {}
    for side in (side for meeting in meetings for side in meeting.sides if side.outcome):
        by_entry[side.entry] = (*by_entry.get(side.entry, ()), side)
    return by_entry


def _line(row: Row, place: str, entrant: Entrant, past: Sequence[Side], sides: int) -> Line:
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
        points=quarter_points(row.points),
        head_to_head=_head_to_head(row.trail),
        difference=signed(row.difference),
        decided_by=_decided_by(row.trail),
        trail=tuple(trail_sentence(step) for step in _spoken(row.trail, sides)),
        form=tuple(side.level for side in past[-FORM_SHOWN:]),
        leads=row.place == 1 and row.played > 0,
    )


def _spoken(trail: Sequence[TrailStep], sides: int) -> Sequence[TrailStep]:
    """The steps that say something: tables of three and four are no meetings of two, and everybody knows it."""
    return [step for step in trail if sides == 2 or step.value is not None]


def _head_to_head(trail: Sequence[TrailStep]) -> str:
    """Points from the meetings of those who were level; empty where nobody was, or not all of them have met."""
    values = (step.value for step in trail if step.criterion == "head_to_head" and step.value is not None)
    return next((quarter_points(value) for value in values), "")


def _decided_by(trail: Sequence[TrailStep]) -> str:
    """The criterion after which nobody was level with the entry any more; empty where the place is shared."""
    return next((step.criterion for step in trail if step.tied_after == 1), "")


def entrants_of(tournament: Tournament) -> dict[str, Entrant]:
    """By the entry's public id. One query."""
    rows = tournament.entries.order_by("number", "members__position").values_list(
        *("public_id", "name", "members__player__name", "members__player__public_id"),
        *("members__agent__kind", "members__agent__label"),
    )
    return {
        entry: _entrant(name, tuple(_member(*member) for _, _, *member in group if member[1]), tournament.hands)
        for (entry, name), group in groupby(rows, key=lambda row: row[:2])
    }


def _member(name: str, player: str, kind: str, label: str) -> Member:
    return Member(name, player, label if kind == KIND else "")


def _entrant(name: str, members: tuple[Member, ...], hands: int) -> Entrant:
    return Entrant(name, members, both_hands=len(members) < hands)


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
        table=table_of(rows, known, sides),
        moved_since=rows != list(live),
    )


def row_of(line: Mapping[str, Any]) -> Row:
    """A line of a snapshot as the value that it was published from."""
    lists = {"places": tuple(line["places"]), "trail": tuple(TrailStep(**step) for step in line["trail"])}
    return Row(**{field: line[field] for field in Row.__slots__} | lists)
