"""What a round is drawn from: who is there, and what was before, by place instead of by number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from tournaments.formats.meetings import Kind, Meeting, Position, points_by_number
from tournaments.formats.seating import SeatCounts, seat_counts


@dataclass(frozen=True, slots=True)
class History:
    """Those who can be paired, in order of their numbers; everything else is parallel to `numbers`.

    `met`: how often each sat with each, by place. `full_byes`: how often each had full points without playing.
    `short`: how often each sat at a table with a seat less. `lots`: the order in which equals sit out.
    """

    numbers: tuple[int, ...]
    points: tuple[int, ...]
    met: tuple[dict[int, int], ...]
    full_byes: tuple[int, ...]
    short: tuple[int, ...]
    shields: tuple[frozenset[str], ...]
    lots: tuple[int, ...]
    seats: SeatCounts

    def times(self, one: int, other: int) -> int:
        return self.met[one].get(other, 0)

    def share_a_shield(self, one: int, other: int) -> bool:
        return not self.shields[one].isdisjoint(self.shields[other])


def history_of(position: Position, *, protects: bool) -> History:
    """Reads a position; without `protects` nobody has a shield."""
    there = position.there
    places = {one.number: place for place, one in enumerate(there)}
    points = points_by_number(there, position.meetings)
    played = [one for one in position.meetings if one.kind is Kind.PLAYED and len(one.entrants) > 1]
    lots = position.lots.of("sitting_out", position.round)
    return History(
        numbers=tuple(places),
        points=tuple(points[one] for one in places),
        met=_met(played, places),
        full_byes=_counted(places, (one for meeting in position.meetings for one in _won_unplayed(meeting))),
        short=_counted(places, (n for one in played if len(one.entrants) < position.seats for n in one.entrants)),
        shields=tuple(one.shields if protects else frozenset() for one in there),
        lots=tuple(lots.drawn("entrant", one) for one in places),
        seats=seat_counts(played),
    )


def _met(played: Iterable[Meeting], places: dict[int, int]) -> tuple[dict[int, int], ...]:
    """Who did not come to his table has met nobody there."""
    met: tuple[dict[int, int], ...] = tuple({} for _ in places)
    for meeting in played:
        sat = [places[one] for one in meeting.entrants if one in places and one not in meeting.absent]
        for one, other in combinations(sat, 2):
            met[one][other] = met[one].get(other, 0) + 1
            met[other][one] = met[other].get(one, 0) + 1
    return met


def _won_unplayed(meeting: Meeting) -> Iterable[int]:
    if meeting.kind is Kind.BYE:
        return meeting.entrants
    if meeting.kind is Kind.FORFEIT:
        return (one for one in meeting.entrants if one not in meeting.absent)
    return ()


def _counted(places: dict[int, int], numbers: Iterable[int]) -> tuple[int, ...]:
    counts = [0] * len(places)
    for one in numbers:
        if one in places:
            counts[places[one]] += 1
    return tuple(counts)
