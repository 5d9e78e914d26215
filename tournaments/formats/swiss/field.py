"""What the pairing of a round looks at: who is there, their points, whom each has met, who floated, who had a bye."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.formats.meetings import Entrant, Kind, Meeting, Position, points_by_number
from tournaments.formats.swiss.acceleration import virtual_points
from tournaments.formats.swiss.settings import Settings


@dataclass(frozen=True, slots=True)
class Side:
    """One side that is there. `points`: its pairing score, quarter points, virtual ones included.

    `met`: the last round in which it met each. `matches`: how many it has played. `has_floated`: whether it met one of
    another score in the round before. `had_bye`: the round in which it got full points without playing, 0 if never.
    `firsts`: the rounds in which it sat first, of those in `seated`.
    """

    number: int
    points: int
    met: Mapping[int, int]
    matches: int
    has_floated: bool
    had_bye: int
    firsts: frozenset[int]
    seated: frozenset[int]


@dataclass(frozen=True, slots=True)
class Field:
    """The sides that are there, best first: by points, then by number."""

    sides: tuple[Side, ...]
    by_number: Mapping[int, Side]

    @property
    def numbers(self) -> list[int]:
        return [side.number for side in self.sides]

    def points(self, number: int) -> int:
        return self.by_number[number].points

    def order(self, number: int) -> tuple[int, int]:
        """Sorts the better first (FIDE C.04.6 art. 3.5.3)."""
        return -self.by_number[number].points, number


def field_of(position: Position, settings: Settings) -> Field:
    """The field of the round that is to be drawn."""
    history = _History(position, settings)
    sides = sorted((history.side(one) for one in position.there), key=lambda side: (-side.points, side.number))
    return Field(tuple(sides), {side.number: side for side in sides})


class _History:
    """What the meetings say of each, read once for all.

    Met is who was played, be it annulled later: one does not play a second time, while a meeting that was forfeited,
    or annulled before it was played, may still take place (FIDE C.04.2 art. 3.5).
    """

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position, self.settings = position, settings
        self.met: dict[int, dict[int, int]] = defaultdict(dict)
        self.seats: dict[int, dict[int, bool]] = defaultdict(dict)
        self.had_bye: dict[int, int] = {}
        for meeting in sorted(position.meetings, key=lambda meeting: meeting.round):
            self._read(meeting)
        self.points = points_by_number(position.entrants, position.meetings)
        self.virtual = virtual_points(position, settings, position.round)
        self.floated = self._floated()

    def _read(self, meeting: Meeting) -> None:
        if meeting.kind is Kind.PLAYED or (meeting.kind is Kind.ANNULLED and meeting.places):
            for seat, number in enumerate(meeting.entrants):
                self.seats[number][meeting.round] = seat == 0
                self.met[number].update({other: meeting.round for other in meeting.entrants if other != number})
        elif meeting.kind is Kind.BYE or meeting.kind is Kind.FORFEIT:
            self.had_bye.update({one: meeting.round for one in meeting.entrants if one not in meeting.absent})

    def _floated(self) -> frozenset[int]:
        """Who played one of another pairing score in the round before (FIDE C.04.6 art. 1.5)."""
        before = self.position.round - 1
        earlier = [meeting for meeting in self.position.meetings if meeting.round < before]
        points = points_by_number(self.position.entrants, earlier)
        virtual = virtual_points(self.position, self.settings, before)
        scores = {number: points[number] + virtual.get(number, 0) for number in points}
        played = (one for one in self.position.meetings if one.round == before and one.kind is Kind.PLAYED)
        return frozenset(
            number
            for meeting in played
            for number in meeting.entrants
            if len({scores.get(other, 0) for other in meeting.entrants}) > 1
        )

    def side(self, entrant: Entrant) -> Side:
        number, seats = entrant.number, self.seats[entrant.number]
        return Side(
            number=number,
            points=self.points[number] + self.virtual.get(number, 0),
            met=self.met[number],
            matches=len(seats),
            has_floated=number in self.floated,
            had_bye=self.had_bye.get(number, 0),
            firsts=frozenset(played for played, first in seats.items() if first),
            seated=frozenset(seats),
        )
