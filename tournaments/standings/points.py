"""What a meeting brings, in quarter points, by the tournament's scheme.

Quarters, so that whatever places are shared everything is whole: with the usual scheme a win is 4 and a draw 2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from tournaments.formats.meetings import BYES, Kind

QUARTERS = 4
PLACE_POINTS: Mapping[int, tuple[int, ...]] = MappingProxyType({2: (4, 0), 3: (12, 6, 0), 4: (12, 8, 4, 0)})
"""What each place of a meeting of so many brings, in quarter points: 1/0, 3/1½/0, 3/2/1/0.

Tables of three and of four have the same mean, so that nobody gains or loses by the size of his table.
"""


class Count(StrEnum):
    """What a tournament counts as points."""

    MATCH = "match"
    """win, draw and loss; at tables of three and four the place"""
    SCORE = "score"
    """what the result was decided by: card points, or stakes"""
    PARTIES = "parties"
    """parties won"""


@dataclass(frozen=True, slots=True)
class Scheme:
    """How meetings become points. `win`, `draw`, `loss`: quarter points of a meeting of two sides.

    Where scores or parties are counted, `win`, `draw` and `loss` are what is given for a round that was not played.
    `sides`: how many meet at a full table; with more than two the place counts, and a bye is worth what a table gives.
    """

    count: Count = Count.MATCH
    win: int = 4
    draw: int = 2
    loss: int = 0
    sides: int = 2

    @property
    def full(self) -> int:
        """What the first place of a full table brings, and a bye allocated by the draw."""
        return PLACE_POINTS[self.sides][0] if self._by_place else self.win

    @property
    def even(self) -> int:
        """What a shared table brings each, and a half-point bye: the draw of FIDE C.07 art. 16."""
        return PLACE_POINTS[self.sides][0] // 2 if self._by_place else self.draw

    @property
    def none(self) -> int:
        """What the last place of a full table brings, and a forfeit."""
        return 0 if self._by_place else self.loss

    @property
    def _by_place(self) -> bool:
        return self.count is Count.MATCH and self.sides > 2


STANDARD = Scheme()


def place_points(places: Sequence[int]) -> tuple[int, ...]:
    """The quarter points of two to four by their places from 1; equal places share what they fill."""
    prizes = PLACE_POINTS[len(places)]
    ranked = [1 + sum(other < place for other in places) for place in places]
    shared = {place: ranked.count(place) for place in ranked}
    return tuple(sum(prizes[place - 1 : place - 1 + shared[place]]) // shared[place] for place in ranked)


def bye_points(kind: Kind, scheme: Scheme) -> int:
    """Quarter points of a bye: as for a win, as for a draw, or none at all."""
    return {Kind.BYE: scheme.full, Kind.HALF_BYE: scheme.even}.get(kind, 0)


def points_of(
    kind: Kind,
    places: Sequence[int],
    scores: Sequence[int],
    parties: Sequence[int],
    absent: Collection[int],
    scheme: Scheme,
    sides: Sequence[int] = (),
) -> tuple[int, ...]:
    """Quarter points per seat; all sequences are parallel to the seats, `absent` holds the seats that forfeited.

    At least one of `places`, `scores` and `sides` must be there, to say how many seats there are. Partners get the
    same. Who was absent gets what a loss brings, and is last where the others played. In a forfeit whoever came shares
    the places before the absent, and one whose partner was absent has what a draw brings: he came, and nothing was
    played.
    """
    if kind in BYES:
        return (bye_points(kind, scheme),)
    seats = max(len(places), len(scores), len(sides))
    if kind is Kind.ANNULLED:
        return (0,) * seats
    side_of = tuple(sides) or tuple(range(seats))
    if kind is Kind.FORFEIT:
        return _forfeited(side_of, frozenset(absent), scheme)
    if scheme.count is not Count.MATCH:
        counted = scores if scheme.count is Count.SCORE else parties
        return tuple(scheme.none if seat in absent else QUARTERS * counted[seat] for seat in range(seats))
    return _by_places(side_of, places, frozenset(absent), scheme)


def _by_places(
    side_of: Sequence[int], places: Sequence[int], absent: frozenset[int], scheme: Scheme
) -> tuple[int, ...]:
    """Who stayed away from a table that was played came in last."""
    last = len(places) + 1
    place_of = {side: last if seat in absent else places[seat] for seat, side in enumerate(side_of)}
    brought = dict(zip(place_of, _prizes(tuple(place_of.values()), scheme), strict=True))
    return tuple(scheme.none if seat in absent else brought[side] for seat, side in enumerate(side_of))


def _prizes(places: tuple[int, ...], scheme: Scheme) -> tuple[int, ...]:
    if len(places) > 2:
        return place_points(places)
    own, other = places
    if own == other:
        return scheme.draw, scheme.draw
    return (scheme.win, scheme.loss) if own < other else (scheme.loss, scheme.win)


def _forfeited(side_of: Sequence[int], absent: frozenset[int], scheme: Scheme) -> tuple[int, ...]:
    broken = {side_of[seat] for seat in absent}
    whole = sorted(set(side_of) - broken)
    each = _share_of_those_who_came(len(set(side_of)), len(whole), scheme)
    return tuple(
        scheme.none if seat in absent else scheme.even if side in broken else each for seat, side in enumerate(side_of)
    )


def _share_of_those_who_came(sides: int, came: int, scheme: Scheme) -> int:
    """At two sides the win; at more the first places, shared."""
    if scheme.count is not Count.MATCH or sides == 2 or not came:
        return scheme.full
    return sum(PLACE_POINTS[sides][:came]) // came
