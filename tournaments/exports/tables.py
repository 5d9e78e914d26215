"""Standings and cross tables as sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.exports.spreadsheet import Cell, Sheet
from tournaments.exports.trf import format_points
from tournaments.formats.meetings import Kind, Meeting
from tournaments.models import Stage, Tournament
from tournaments.services.history import meetings_of
from tournaments.services.ranking import live_standings, stage_standings
from tournaments.standings.criteria import POINTS
from tournaments.standings.table import Row
from tournaments.standings.values import format_value

_BYES = {Kind.BYE: "bye", Kind.HALF_BYE: "half-point bye", Kind.ZERO_BYE: "zero-point bye"}


def standings_sheet(tournament: Tournament, stage: Stage | None = None) -> Sheet:
    """The table as it stands: of one stage, or of the whole tournament."""
    rows = stage_standings(stage) if stage else live_standings(tournament)
    entries = {one["public_id"]: one for one in tournament.entries.values("public_id", "name", "club", "rating")}
    criteria = [one for one in (rows[0].criteria if rows else ()) if one != POINTS]
    has_groups = any(row.group for row in rows)
    heads = ["Place", *(["Group"] if has_groups else []), "Name", "Club", "Rating", "Played", "Won", "Drawn", "Lost"]
    heads += ["Points", *(one.replace("_", " ").capitalize() for one in criteria), "For", "Against", "Difference"]
    return Sheet(
        title="Standings",
        heads=tuple(heads),
        rows=tuple(_line(row, entries[row.entry], criteria, has_groups) for row in rows),
    )


def _line(row: Row, entry: Mapping[str, Any], criteria: Sequence[str], has_groups: bool) -> tuple[Cell, ...]:
    said = dict(zip(row.criteria, row.values, strict=True))
    return (
        row.place,
        *((row.group,) if has_groups else ()),
        entry["name"],
        entry["club"],
        entry["rating"],
        row.played,
        row.wins,
        row.draws,
        row.losses,
        format_points(row.points),
        *(format_value(one, said.get(one)) for one in criteria),
        row.card_points_for,
        row.card_points_against,
        row.difference,
    )


def cross_sheet(stage: Stage) -> Sheet:
    """Round by round whom everybody met, by their numbers in the stage, and what it brought.

    `4: 1` is a point against number 4; where several sit at a table all of them are told, where partners change the
    partner after a plus.
    """
    rows, meetings = stage_standings(stage), meetings_of(stage)
    names = dict(stage.stage_entries.values_list("number", "entry__name"))
    rounds = max((meeting.round for meeting in meetings), default=0)
    cells = _cells(meetings)
    lines: list[tuple[Cell, ...]] = [
        (
            row.place,
            row.number,
            names[row.number],
            format_points(row.points),
            *("; ".join(cells.get((row.number, number), ())) for number in range(1, rounds + 1)),
        )
        for row in rows
    ]
    heads = ("Place", "Number", "Name", "Points", *(f"Round {number}" for number in range(1, rounds + 1)))
    return Sheet(title="Cross table", heads=heads, rows=tuple(lines))


def _cells(meetings: Sequence[Meeting]) -> dict[tuple[int, int], list[str]]:
    """By number and round; in a bracket nobody has two in one round, in what was drawn by hand he may."""
    cells: dict[tuple[int, int], list[str]] = {}
    for meeting in meetings:
        for index, number in enumerate(meeting.entrants):
            cells.setdefault((number, meeting.round), []).append(_cell(meeting, index))
    return cells


def _cell(meeting: Meeting, index: int) -> str:
    points = format_points(meeting.points[index])
    if meeting.is_bye:
        return f"{_BYES[meeting.kind]}: {points}"
    others = [one for one in range(len(meeting.entrants)) if one != index]
    partner = [f"+{meeting.entrants[one]}" for one in others if meeting.side(one) == meeting.side(index)]
    against = [str(meeting.entrants[one]) for one in others if meeting.side(one) != meeting.side(index)]
    told = {Kind.FORFEIT: " forfeit", Kind.ANNULLED: " annulled"}.get(meeting.kind, "")
    return f"{' '.join([*partner, ', '.join(against)])}: {points}{told}"
