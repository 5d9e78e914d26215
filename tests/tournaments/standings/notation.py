"""Meetings as they stand on paper: round, who met, places, scores.

`1 A-B 1:2 300:200` A beat B in round 1, card points 300 to 200; `2 A-B-C 1:1:3` A and B shared the first place;
`1 A&C-B&D 1:2` A and C were partners; `3 A-B +:-` B did not come; `3 A-B -:-` nobody came; `4 A bye`, `4 A half_bye`,
`4 A zero_bye`; `1 A-B x` the meeting was annulled.
"""

from __future__ import annotations

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import BYES, Entrant, Kind, Meeting
from tournaments.standings.points import STANDARD, Scheme, bye_points, points_of
from tournaments.standings.table import Cell, Row, explain, standings


def number(name: str) -> int:
    return ord(name) - ord("A") + 1


def name(number: int) -> str:
    return chr(ord("A") + number - 1)


def entrants(names: str, **carried: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number(one), carried=carried.get(one, 0)) for one in names)


def meetings(*lines: str, scheme: Scheme = STANDARD) -> tuple[Meeting, ...]:
    return tuple(_meeting(*line.split(), scheme=scheme) for line in lines)


def _meeting(round_number: str, who: str, told: str, scores: str = "", *, scheme: Scheme) -> Meeting:
    one, seats = int(round_number), [side.split("&") for side in who.split("-")]
    sides = tuple(side for _ in seats[0] for side in range(len(seats))) if len(seats[0]) > 1 else ()
    seated = tuple(number(side[hand]) for hand in range(len(seats[0])) for side in seats)
    if told in BYES:
        return Meeting(one, seated, (bye_points(Kind(told), scheme),), Kind(told))
    if told == "x":
        return Meeting(one, seated, (0,) * len(seated), Kind.ANNULLED)
    if set(told) <= set("+-:"):
        absent = [seat for seat, mark in enumerate(told.split(":")) if mark == "-"]
        points = points_of(Kind.FORFEIT, (1,) * len(seated), (), (), absent, scheme, sides)
        return Meeting(
            one, seated, points, Kind.FORFEIT, sides=sides, absent=frozenset(seated[seat] for seat in absent)
        )
    places = _each(told, len(seats[0]))
    counted = _each(scores, len(seats[0])) if scores else ()
    points = points_of(Kind.PLAYED, places, counted, counted, (), scheme, sides)
    return Meeting(one, seated, points, places=places, scores=counted, parties=counted, sides=sides)


def _each(text: str, hands: int) -> tuple[int, ...]:
    return tuple(map(int, text.split(":"))) * hands


def ranked(
    names: str,
    lines: tuple[Meeting, ...],
    *criteria: str,
    rounds: int | None = None,
    is_round_robin: bool = False,
    scheme: Scheme = STANDARD,
    seed: bytes = b"",
    **carried: int,
) -> tuple[Row, ...]:
    """By points, then the criteria; all rounds with a meeting are closed unless `rounds` says otherwise."""
    closed = max((one.round for one in lines), default=0) if rounds is None else rounds
    asked = ("points", *criteria)
    return standings(entrants(names, **carried), lines, asked, Lots(seed), closed, is_round_robin, scheme)


def told(who: str, criterion: str, names: str, lines: tuple[Meeting, ...], *criteria: str, **options: bool) -> Cell:
    """One cell of the same with its parts."""
    closed = max(one.round for one in lines)
    is_round_robin = options.get("is_round_robin", False)
    asked = ("points", *criteria)
    return explain(number(who), criterion, entrants(names), lines, asked, Lots(b""), closed, is_round_robin)


def order(rows: tuple[Row, ...]) -> str:
    """`1A 2B 2C`."""
    return " ".join(f"{row.place}{name(row.number)}" for row in rows)


def values(rows: tuple[Row, ...], criterion: str) -> dict[str, int | None]:
    return {name(row.number): row.values[row.criteria.index(criterion)] for row in rows}
