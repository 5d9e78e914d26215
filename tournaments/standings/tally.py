"""What an entrant did, counted: meetings, places, and what they were decided by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tournaments.formats.meetings import Meeting
from tournaments.standings.legs import Leg, Outcome


class Tally(NamedTuple):
    """`met`: meetings with somebody, forfeited ones too, as `won` and `drawn` are; `places`: how often first, second, …
    in what was played. `scored`, `conceded`, `ahead`: what results were decided by: own, that of all other sides, and
    the difference to each of them, added up.
    """

    met: int
    won: int
    drawn: int
    places: tuple[int, ...]
    scored: int
    conceded: int
    ahead: int


def tally_of(legs: Iterable[Leg], seats: int) -> Tally:
    """All in one pass, for large fields have a hundred thousand legs. `seats`: sides at the largest table of all."""
    met, won, drawn, scored, conceded, ahead = 0, 0, 0, 0, 0, 0
    places, victory, draw = [0] * seats, Outcome.WON, Outcome.DRAWN
    for _, _, _, opponents, outcome, is_played, meeting, seat in legs:
        if not opponents or meeting is None:
            continue
        met += 1
        won += outcome is victory
        drawn += outcome is draw
        if is_played:
            places[meeting.places[seat] - 1] += 1
            if scores := meeting.scores:
                theirs, sides = (scores[1 - seat], 1) if len(scores) == 2 else others(meeting, seat)
                scored += scores[seat]
                conceded += theirs
                ahead += sides * scores[seat] - theirs
    return Tally(met, won, drawn, tuple(places), scored, conceded, ahead)


def others(meeting: Meeting, seat: int) -> tuple[int, int]:
    """What the other sides have scored together, and how many they are."""
    if not meeting.sides:
        return sum(meeting.scores) - meeting.scores[seat], len(meeting.scores) - 1
    by_side = dict(zip(meeting.sides, meeting.scores, strict=True))
    return sum(by_side.values()) - by_side[meeting.sides[seat]], len(by_side) - 1
