"""Positions and draws as JSON: stored with every round, so that anybody can draw it again and compare the bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.formats.brackets import Bracket, Nobody, Place, Seed, Source
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Meeting, Position, Reason, Table


def canonical(written: object) -> bytes:
    """The bytes that are compared: JSON, keys sorted, no spaces, UTF-8."""
    return json.dumps(written, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def format_position(position: Position) -> dict[str, Any]:
    """All of a position but its lots, which are stored beside it."""
    return {
        "entrants": [_written_entrant(one) for one in position.entrants],
        "meetings": [_written_meeting(one) for one in position.meetings],
        "round": position.round,
        "rounds": position.rounds,
        "seats": position.seats,
        "win": position.win,
        "draw": position.draw,
    }


def parse_position(written: Mapping[str, Any], lots: Lots) -> Position:
    return Position(
        entrants=tuple(_entrant(one) for one in written["entrants"]),
        meetings=tuple(_meeting(one) for one in written["meetings"]),
        lots=lots,
        **{name: written[name] for name in ("round", "rounds", "seats", "win", "draw")},
    )


def _written_entrant(one: Entrant) -> dict[str, Any]:
    """What differs from an entrant that was there from the beginning; thousands of them are stored."""
    written = {
        "number": one.number,
        "rating": one.rating,
        "shields": sorted(one.shields),
        "joined": one.joined,
        "left": one.left,
        "carried": one.carried,
        "away": sorted(one.away),
    }
    usual = {"rating": 0, "shields": [], "joined": 1, "left": None, "carried": 0, "away": []}
    return {name: value for name, value in written.items() if name not in usual or usual[name] != value}


def _entrant(written: Mapping[str, Any]) -> Entrant:
    sets = {name: frozenset(written.get(name, ())) for name in ("shields", "away")}
    return Entrant(**{**written, **sets})


def _written_meeting(one: Meeting) -> dict[str, Any]:
    written: dict[str, Any] = {
        "round": one.round,
        "entrants": list(one.entrants),
        "points": list(one.points),
        "kind": one.kind.value,
        "absent": sorted(one.absent),
    }
    lists = {name: list(getattr(one, name)) for name in ("places", "scores", "parties", "sides")}
    return {name: value for name, value in {**written, **lists}.items() if value or name in ("entrants", "points")}


def _meeting(written: Mapping[str, Any]) -> Meeting:
    lists = {
        name: tuple(written.get(name, ())) for name in ("entrants", "points", "places", "scores", "parties", "sides")
    }
    return Meeting(
        round=written["round"],
        kind=Kind(written["kind"]),
        absent=frozenset(written.get("absent", ())),
        **lists,
    )


def format_draw(draw: Draw) -> dict[str, Any]:
    return {
        "tables": [_written_table(table) for table in draw.tables],
        "reasons": format_reasons(draw.reasons),
        "departures": format_reasons(draw.departures),
    }


def parse_draw(written: Mapping[str, Any]) -> Draw:
    return Draw(
        tables=tuple(_table(one) for one in written["tables"]),
        reasons=parse_reasons(written["reasons"]),
        departures=parse_reasons(written["departures"]),
    )


def _written_table(table: Table) -> dict[str, Any]:
    return {
        "entrants": list(table.entrants),
        "kind": table.kind.value,
        "sides": list(table.sides),
        "reasons": format_reasons(table.reasons),
        "group": table.group,
    }


def _table(written: Mapping[str, Any]) -> Table:
    return Table(
        entrants=tuple(written["entrants"]),
        kind=Kind(written["kind"]),
        sides=tuple(written["sides"]),
        reasons=parse_reasons(written["reasons"]),
        group=written["group"],
    )


def format_reasons(reasons: Sequence[Reason]) -> list[list[Any]]:
    """A reason is a list: its code, then its values."""
    return [[one.code, *one.values] for one in reasons]


def parse_reasons(written: Sequence[Sequence[Any]]) -> tuple[Reason, ...]:
    return tuple(Reason(str(code), tuple(values)) for code, *values in written)


def format_bracket_round(bracket: Bracket, number: int) -> dict[str, Any]:
    """One round of a bracket: its matches with where each seat is filled from."""
    return {
        "matches": [
            {
                "number": match.number,
                "part": match.part.value,
                "sources": [_written_source(source) for source in match.sources],
                "conditional_on": match.conditional_on,
                "decides": list(match.decides),
            }
            for match in bracket.matches
            if match.round == number
        ]
    }


def _written_source(source: Source) -> list[Any]:
    match source:
        case Seed(number):
            return ["seed", number]
        case Place(of, place):
            return ["place", of, place]
        case Nobody():
            return ["nobody"]
