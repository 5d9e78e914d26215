"""What each round was to each entrant: a game, or one of the unplayed rounds that FIDE C.07 art. 16.2 tells apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from tournaments.formats.meetings import Kind, Meeting


class Category(StrEnum):
    GAME = "game"
    ALLOCATED = "allocated_bye"
    """16.2.1: nobody was left to meet"""
    FORFEIT_WIN = "forfeit_win"
    """16.2.2: the other side did not come"""
    REQUESTED = "requested_bye"
    """16.2.3: asked for, or away, and back for a later round"""
    FORFEIT_LOSS = "forfeit_loss"
    """16.2.4"""
    GONE = "gone"
    """16.2.5: asked for, or away, and never back"""

    @property
    def is_voluntary(self) -> bool:
        """A voluntarily unplayed round (16.1.2): cuts take these first."""
        return self in VOLUNTARY


class Outcome(StrEnum):
    """Of a meeting with somebody, played or not."""

    WON = "won"
    """alone at the top, or the only side that came"""
    DRAWN = "drawn"
    LOST = "lost"
    NONE = "none"
    """there was nobody to meet"""


VOLUNTARY = frozenset({Category.REQUESTED, Category.FORFEIT_LOSS, Category.GONE})
_THERE = frozenset({Category.GAME, Category.ALLOCATED, Category.FORFEIT_WIN})
_GAME, _PLAYED = Category.GAME, Kind.PLAYED
"""A member of an enumeration takes longer to look up than all the rest of a leg."""


class Leg(NamedTuple):
    """One entrant's part in one round; a named tuple, for a large field has a hundred thousand of them.

    `opponents`: those on other sides, in seat order; in a forfeit those who were to be met. `meeting` is None in a
    round that went by without the entrant; `seat` is his there. `is_played`: a forfeit of a round robin is a game
    (C.07 art. 15.2), but nothing was played.
    """

    round: int
    category: Category
    points: int
    opponents: tuple[int, ...]
    outcome: Outcome
    is_played: bool
    meeting: Meeting | None
    seat: int


def legs_of(
    numbers: Iterable[int], meetings: Sequence[Meeting], closed_rounds: int, is_round_robin: bool
) -> dict[int, Sequence[Leg]]:
    """The legs of each entrant in order of the rounds; whoever only occurs in meetings is there too.

    A closed round without any meeting is a zero-point bye, but for a round robin, where a free round is nothing at
    all. Annulled meetings are no legs. Nobody has two meetings in one round.
    """
    legs: dict[int, list[Leg]] = {number: [] for number in sorted(numbers)}
    alone = {number: (number,) for number in legs}
    for meeting in sorted(meetings, key=lambda one: one.round):
        if meeting.kind is _PLAYED and len(meeting.entrants) == 2 and not meeting.absent:
            _add_two(legs, meeting, alone)
        else:
            for number, leg in zip(meeting.entrants, _legs_at(meeting, is_round_robin), strict=False):
                legs.setdefault(number, []).append(leg)
    if is_round_robin:
        return dict(legs)
    annulled = {(number, one.round) for one in meetings if one.kind is Kind.ANNULLED for number in one.entrants}
    return {number: _sorted_out(number, own, closed_rounds, annulled) for number, own in legs.items()}


def _add_two(legs: dict[int, list[Leg]], meeting: Meeting, alone: dict[int, tuple[int]]) -> None:
    """What nearly all meetings of large fields are. `alone`: the tuples of one opponent, each made once."""
    (first, second), (for_first, for_second), one = meeting.entrants, meeting.points, meeting.round
    won, lost = _BY_PLACES[meeting.places]
    for number in meeting.entrants:
        if number not in alone:
            alone[number] = (number,)
            legs.setdefault(number, [])
    legs[first].append(Leg(one, _GAME, for_first, alone[second], won, True, meeting, 0))
    legs[second].append(Leg(one, _GAME, for_second, alone[first], lost, True, meeting, 1))


_BY_PLACES: dict[tuple[int, ...], tuple[Outcome, Outcome]] = {
    (1, 2): (Outcome.WON, Outcome.LOST),
    (1, 1): (Outcome.DRAWN, Outcome.DRAWN),
    (2, 1): (Outcome.LOST, Outcome.WON),
}


def _legs_at(meeting: Meeting, is_round_robin: bool) -> tuple[Leg, ...]:
    """In seat order; none where the meeting counts for nothing."""
    if meeting.kind is Kind.ANNULLED or (meeting.is_bye and is_round_robin and not any(meeting.points)):
        return ()
    return tuple(_leg(meeting, seat, is_round_robin) for seat in range(len(meeting.entrants)))


def _leg(meeting: Meeting, seat: int, is_round_robin: bool) -> Leg:
    number, own = meeting.entrants[seat], meeting.side(seat)
    others = tuple(one for place, one in enumerate(meeting.entrants) if meeting.side(place) != own)
    came = tuple(one for one in others if one not in meeting.absent)
    is_played = meeting.kind is Kind.PLAYED and bool(came) and number not in meeting.absent
    category = _category(meeting, number in meeting.absent, is_played, is_round_robin)
    outcome = _played(meeting, seat) if is_played else _unplayed(meeting, seat)
    opponents = came if is_played else others
    return Leg(meeting.round, category, meeting.points[seat], opponents, outcome, is_played, meeting, seat)


def _category(meeting: Meeting, is_absent: bool, is_played: bool, is_round_robin: bool) -> Category:
    if meeting.is_bye:
        # Nobody can ask for a bye where all rounds were drawn ahead.
        is_allocated = meeting.kind is Kind.BYE or (is_round_robin and meeting.kind is Kind.HALF_BYE)
        return Category.ALLOCATED if is_allocated else Category.REQUESTED
    if is_played or is_round_robin:
        return Category.GAME
    return Category.FORFEIT_LOSS if is_absent else Category.FORFEIT_WIN


def _played(meeting: Meeting, seat: int) -> Outcome:
    if meeting.places[seat] != 1:
        return Outcome.LOST
    own = meeting.side(seat)
    shared = any(place == 1 and meeting.side(other) != own for other, place in enumerate(meeting.places))
    return Outcome.DRAWN if shared else Outcome.WON


def _unplayed(meeting: Meeting, seat: int) -> Outcome:
    """A forfeit is won by the only side that came whole, drawn by those who came with others or without a partner."""
    if meeting.is_bye:
        return Outcome.NONE
    if meeting.entrants[seat] in meeting.absent:
        return Outcome.LOST
    broken = {meeting.side(other) for other, one in enumerate(meeting.entrants) if one in meeting.absent}
    whole = {meeting.side(other) for other in range(len(meeting.entrants))} - broken
    return Outcome.WON if whole == {meeting.side(seat)} else Outcome.DRAWN


def _sorted_out(number: int, own: list[Leg], closed_rounds: int, annulled: set[tuple[int, int]]) -> Sequence[Leg]:
    """With the rounds that went by without the entrant; byes asked for count as gone where he never came back."""
    if len(own) < closed_rounds or annulled:
        seen = {leg.round for leg in own}
        missing = [one for one in range(1, closed_rounds + 1) if one not in seen and (number, one) not in annulled]
        own = sorted(
            [*own, *(Leg(one, Category.REQUESTED, 0, (), Outcome.NONE, False, None, 0) for one in missing)],
            key=lambda leg: leg.round,
        )
    if not own or own[-1].category in _THERE:
        return own
    last = max((leg.round for leg in own if leg.category in _THERE), default=0)
    return tuple(
        leg._replace(category=Category.GONE) if leg.category is Category.REQUESTED and leg.round > last else leg
        for leg in own
    )
