"""A document's values, read as strictly as whatever reads them again: nothing is taken in that a page cannot show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

from django.core.exceptions import FieldError, ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, models
from django.utils.dateparse import parse_datetime

from engine import EngineError
from matches.core.names import NameRefused
from tournaments.errors import TournamentError
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Position
from tournaments.formats.positions import canonical, format_draw, format_position, parse_draw, parse_position
from tournaments.formats.registry import FORMATS
from tournaments.services.publishing import digest
from tournaments.standings.criteria import CRITERIA, DIRECT_ENCOUNTER
from tournaments.standings.table import Row

MOST = 2**31 - 1
Given = Mapping[str, Any]
Written = TypeVar("Written", bound=models.Model)

_WRONG = (
    *(ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError, StopIteration),
    *(FieldError, ValidationError, ObjectDoesNotExist, DatabaseError, EngineError, NameRefused),
)
_LOTS = re.compile(r"(?:[0-9a-f]{64})?", re.ASCII)
_COUNTS = ("number", "place", "played", "wins", "draws", "losses", "points")
_SUMS = ("card_points_for", "card_points_against", "difference")
_STEP = {"criterion", "value", "tied_before", "tied_after"}
_KNOWN = {*CRITERIA, DIRECT_ENCOUNTER}
_OF_OLD = {"head_to_head", "difference"}
"""What criteria were called in snapshots that have them in the trail alone."""


@contextmanager
def at(place: str) -> Iterator[None]:
    """Tells where in the document something is wrong."""
    try:
        yield
    except TournamentError as refusal:
        raise refusal if refusal.code in ("bad_document", "slug_taken") else refused(f"{place}: {refusal}") from refusal
    except KeyError as missing:
        raise refused(f"{place}: {missing.args[0]} is missing.") from missing
    except _WRONG as wrong:
        raise refused(f"{place}: {' '.join(str(wrong).split())[:300]}") from wrong


def refused(text: str) -> TournamentError:
    return TournamentError("bad_document", f"The document cannot be taken in. {text} Nothing is saved.")


def columns(model: type[models.Model], names: Sequence[str], given: Given) -> dict[str, Any]:
    """These columns as the database has them; raises KeyError for one that is missing, ValueError."""
    return {name: _read(model._meta.get_field(name), given[name]) for name in names}


def _read(field: Any, value: Any) -> Any:
    if isinstance(field, models.DateTimeField):
        return moment(value)
    kinds = {models.CharField: str, models.TextField: str, models.IntegerField: int, models.BooleanField: bool}
    kind = next((kind for of, kind in kinds.items() if isinstance(field, of)), None)
    if value is not None and kind is not None and type(value) is not kind:
        expected = {str: "a text", int: "a whole number", bool: "true or false"}[kind]
        raise ValueError(f"{field.name}: expected {expected}, not {value!r}.")
    return value


def moment(value: Any) -> datetime | None:
    if value is None:
        return None
    told = parse_datetime(value) if isinstance(value, str) else None
    if told is None or told.tzinfo is None:
        raise ValueError(f"expected a time with its zone, such as 2026-11-30T10:00:00+02:00, not {value!r}.")
    return told


def cleaned(row: Written) -> Written:
    """The same row, if its own columns can be so; whom it belongs to is not looked at. Raises ValidationError."""
    row.clean_fields(exclude={field.name for field in row._meta.fields if field.is_relation})
    return row


def expect(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise ValueError(otherwise)


def are_whole(*values: Any) -> bool:
    return all(type(value) is int and abs(value) <= MOST for value in values)


def may_be_whole(*values: Any) -> bool:
    """The same, where nothing may stand too."""
    return all(value is None or are_whole(value) for value in values)


def check_lots(lots: str) -> None:
    expect(bool(_LOTS.fullmatch(lots)), f"lots: expected 64 hexadecimal digits, not {lots!r}.")


def check_reasons(written: Any) -> None:
    """A list of lists: a code, then numbers and texts."""
    expect(isinstance(written, list), f"reasons: expected a list, not {written!r}.")
    for one in written:
        is_reason = isinstance(one, list) and bool(one) and isinstance(one[0], str) and bool(one[0])
        expect(
            is_reason and all(isinstance(value, str) or are_whole(value) for value in one[1:]),
            f"reasons: expected a code and its values, not {one!r}.",
        )


def check_draw(written: Given, numbers: Collection[int]) -> None:
    """A draw among these numbers, written as `format_draw` writes it."""
    for reasons in (written["reasons"], written["departures"], *(table["reasons"] for table in written["tables"])):
        check_reasons(reasons)
    draw = parse_draw(written)
    expect(canonical(format_draw(draw)) == canonical(written), "draw: it is not written as draws are.")
    for table in draw.tables:
        _check_table(table.entrants, numbers)
        expect(are_whole(*table.sides) and may_be_whole(table.group), "draw: sides and groups are whole numbers.")
        expect(len(table.sides) in (0, len(table.entrants)), "draw: every seat has a side, or none has.")


def _check_table(entrants: Sequence[Any], numbers: Collection[int]) -> None:
    expect(are_whole(*entrants) and bool(entrants), f"expected the numbers at a table, not {entrants!r}.")
    expect(set(entrants) <= set(numbers), f"{entrants!r}: not all of them are in the stage.")


def check_kept(kept: Given, lots: str, seats: int) -> None:
    """What a round was drawn from, written as `format_position` writes it."""
    expect(set(kept) == {"format", "version", "settings", "position"}, "position: it has other parts.")
    expect(are_whole(kept["version"]), "position: version: expected a whole number.")
    FORMATS[kept["format"]].read_settings(kept["settings"])
    position = parse_position(kept["position"], Lots(bytes.fromhex(lots)))
    expect(
        canonical(format_position(position)) == canonical(kept["position"]), "position: it is not written as they are."
    )
    expect(position.seats == seats, f"position: {position.seats} at a table, and here it is {seats}.")
    expect(all(map(are_whole, _numbers_in(position))), "position: it has other things than whole numbers.")
    expect(all(isinstance(one, str) for entrant in position.entrants for one in entrant.shields), "position: shields")
    numbers = {one.number for one in position.entrants}
    for meeting in position.meetings:
        _check_table(meeting.entrants, numbers)
        expect(len(meeting.points) == len(meeting.entrants), "position: everybody at a table has points.")


def _numbers_in(position: Position) -> Iterator[Any]:
    yield from (position.round, position.rounds, position.seats, position.win, position.draw)
    for one in position.entrants:
        yield from (one.number, one.rating, one.joined, 0 if one.left is None else one.left, one.carried, *one.away)
    for met in position.meetings:
        yield from (met.round, *met.points, *met.places, *met.scores, *met.parties, *met.sides, *met.absent)


def check_changes(changes: Given, numbers: Collection[int]) -> None:
    """What an organiser put in the place of a draw."""
    expect(set(changes) == {"tables", "difference", "reason", "by"}, "changes: it has other parts.")
    for table in (*changes["tables"], *changes["difference"]):
        _check_table(table, numbers)
    expect(isinstance(changes["reason"], str), "changes: reason: expected a text.")
    expect(changes["by"] is None or isinstance(changes["by"], str), "changes: by: expected a name, or nobody.")


def check_seeded(reason: Any) -> None:
    """Why an entry came to its place in a stage."""
    expect(isinstance(reason, dict), f"reason: expected an object, not {reason!r}.")
    for name, value in reason.items():
        if name in ("reasons", "apart"):
            check_reasons(value)
        else:
            expect(name in ("place", "group") and are_whole(value), f"reason: {name}: {value!r} is none.")


def check_rows(rows: Any, sha256: str, entries: Collection[str]) -> None:
    """Rows of published standings: of these entries, in the shape that they were published in, with their digest."""
    expect(isinstance(rows, list), "rows: expected a list.")
    for row in rows:
        expect(isinstance(row, dict), f"rows: expected objects, not {row!r}.")
        _check_row(row)
        expect(row["entry"] in entries, f"rows: {row['entry']} is no entry of the document.")
    expect(digest(rows) == sha256, "sha256 is not that of the rows.")


def _check_row(row: Given) -> None:
    is_old = "criteria" not in row
    if not is_old:
        expect(set(row) == {*Row.__slots__, "name", "trail"}, f"rows: {sorted(row)} are other columns than they have.")
        _check_criteria(row)
    counts = [row[name] for name in _COUNTS if not (is_old and name == "number")]
    expect(are_whole(*counts, *(row[name] for name in _SUMS)), "rows: expected whole numbers.")
    expect(isinstance(row["name"], str) and row["place"] >= 1, "rows: expected a name, and places from 1.")
    expect(isinstance(row["places"], list) and are_whole(*row["places"]), "rows: places: expected whole numbers.")
    expect(may_be_whole(row.get("group")), "rows: group: expected a whole number, or none.")
    _check_trail(row["trail"], _KNOWN | _OF_OLD if is_old else _KNOWN)


def _check_criteria(row: Given) -> None:
    criteria, values, level = row["criteria"], row["values"], row["level"]
    expect(all(isinstance(one, list) for one in (criteria, values, level)), "rows: expected lists of what was asked.")
    expect(set(criteria) <= _KNOWN, f"rows: {criteria!r} are not all criteria.")
    expect(may_be_whole(*values) and are_whole(*level), "rows: values: expected whole numbers.")
    expect(len(values) == len(criteria) == len(level) - 1, "rows: every criterion has its value.")


def _check_trail(trail: Any, known: Collection[str]) -> None:
    expect(isinstance(trail, list), "rows: trail: expected a list.")
    for step in trail:
        expect(isinstance(step, dict) and set(step) == _STEP, f"rows: trail: {step!r} is no step.")
        expect(step["criterion"] in known, f"rows: trail: {step['criterion']!r} is no criterion.")
        expect(
            may_be_whole(step["value"]) and are_whole(step["tied_before"], step["tied_after"]),
            "rows: trail: whole numbers.",
        )
