"""A tournament of two sides at a table as TRF, FIDE's tournament report file, which pairing programs read.

Pure. A player's colour in the file is his seat: white is the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tournaments.formats.meetings import Entrant, Kind, Meeting, points_by_number
from tournaments.standings.points import STANDARD, Scheme

SIDES = 2
LONGEST_NAME = 33
MOST_PLAYERS = 9_999
LONGEST_POINTS = 4
_BYE_CODES = {Kind.BYE: "U", Kind.HALF_BYE: "H", Kind.ZERO_BYE: "Z"}
_NOT_PAIRED = "0000 - Z"


class NoTrf(ValueError):
    """The form has no place for this tournament; the text says why."""

    code = "no_trf"


@dataclass(frozen=True, slots=True)
class TrfHeading:
    """The head of the file. `system`: the format in words."""

    name: str
    city: str
    system: str
    arbiter: str
    start: date | None
    end: date | None
    rounds: int


def format_trf(
    heading: TrfHeading,
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    names: Mapping[int, str],
    places: Mapping[int, int],
    scheme: Scheme = STANDARD,
) -> str:
    """The whole file, lines ended by a line feed. `names`, `places` by number; `scheme`: how the tournament counts.

    Raises NoTrf for larger tables, more than 9 999 players, points that are not 1, ½, 0, and sums of them that the form
    has no room for.
    Source: FIDE C.04 Annex 2, Tournament Report File.
    """
    if any(len(meeting.entrants) > SIDES for meeting in meetings):
        raise NoTrf("TRF knows two sides at a table only: take the document in JSON instead.")
    if any(one.number > MOST_PLAYERS for one in entrants):
        raise NoTrf(f"TRF has room for {MOST_PLAYERS} players.")
    if scheme != STANDARD:
        raise NoTrf("TRF knows 1, ½ and 0 points alone: take the document in JSON instead.")
    cells = _cells(meetings)
    points = points_by_number(entrants, meetings)
    if long := next((told for told in map(format_points, points.values()) if len(told) > LONGEST_POINTS), None):
        raise NoTrf(f"TRF has no room for {long} points: take the document in JSON instead.")
    last = max((meeting.round for meeting in meetings), default=0)
    lines = _head(heading, len(entrants))
    for one in sorted(entrants, key=lambda one: one.number):
        rounds = [cells.get((one.number, number), _NOT_PAIRED) for number in range(1, last + 1)]
        lines.append(_player(one, names[one.number], points[one.number], places.get(one.number, 0), rounds))
    return "".join(f"{line}\n" for line in lines)


def _head(heading: TrfHeading, players: int) -> list[str]:
    told = {
        "012": _one_line(heading.name),
        "022": _one_line(heading.city),
        "042": _day(heading.start),
        "052": _day(heading.end),
        "062": str(players),
        "092": heading.system,
        "102": _one_line(heading.arbiter),
        "142": str(heading.rounds),
        "XXR": str(heading.rounds),
    }
    return [f"{code} {value}" for code, value in told.items() if value]


def _player(one: Entrant, name: str, points: int, place: int, rounds: Sequence[str]) -> str:
    """Columns of the form: 5-8 number, 15-47 name, 49-52 rating, 81-84 points, 86-89 place, from 92 the rounds."""
    line = f"001 {one.number:>4}      {_one_line(name)[:LONGEST_NAME]:<33} {one.rating or '':>4}"
    line = f"{line:<80}{format_points(points):>4} {place or '':>4}"
    return line + "".join(f"  {cell}" for cell in rounds)


def format_points(quarters: int) -> str:
    """Quarter points as the form has them: 14 is 3.5, a quarter .25."""
    whole, rest = divmod(abs(quarters), 4)
    return f"{'-' if quarters < 0 else ''}{whole}.{ {0: '0', 1: '25', 2: '5', 3: '75'}[rest] }"


def _cells(meetings: Sequence[Meeting]) -> dict[tuple[int, int], str]:
    cells: dict[tuple[int, int], str] = {}
    for meeting in meetings:
        if meeting.kind is Kind.ANNULLED:
            continue
        for index, number in enumerate(meeting.entrants):
            cells[number, meeting.round] = _cell(meeting, index)
    return cells


def _cell(meeting: Meeting, index: int) -> str:
    """Opponent, colour and result in eight columns."""
    if meeting.is_bye:
        return f"0000 - {_BYE_CODES[meeting.kind]}"
    opponent = meeting.entrants[1 - index]
    if meeting.kind is Kind.FORFEIT:
        return f"{opponent:>4} - {'-' if meeting.entrants[index] in meeting.absent else '+'}"
    return f"{opponent:>4} {'wb'[index]} {_result(meeting, index)}"


def _result(meeting: Meeting, index: int) -> str:
    own, other = meeting.points[index], meeting.points[1 - index]
    if own == other:
        return "="
    return "1" if own > other else "0"


def _day(day: date | None) -> str:
    return day.strftime("%Y/%m/%d") if day else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
