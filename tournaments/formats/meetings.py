"""What a draw is made from and what it makes: entrants, the meetings there were, the tables that there will be.

Plain values, the same for every format and for the standings. Entrants are known by their pairing numbers, from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tournaments.formats.lots import Lots


class Kind(StrEnum):
    """How a meeting came to its points; the kind decides what tie-breaks make of it (FIDE C.07 art. 16)."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """not played: those in `absent` lost it, the others won; all absent is a double forfeit"""
    BYE = "bye"
    """allocated by the draw: full points, nobody opposite"""
    HALF_BYE = "half_bye"
    """asked for beforehand; or a further one in what is drawn ahead"""
    ZERO_BYE = "zero_bye"
    """asked for, or away without a word"""
    ANNULLED = "annulled"
    """stands in the cross table and counts for nothing"""


BYES = frozenset({Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE})


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entry as a draw sees it. A better seed has a lower number.

    `shields`: owners and clubs; two entrants that share one are kept apart where the stage protects. `joined`: the
    first round that it can be paired in; `left`: the first that it no longer can. `carried`: quarter points brought
    from an earlier stage. `away`: rounds for which it asked for a bye, which are not its to be paired in.
    """

    number: int
    rating: int = 0
    shields: frozenset[str] = frozenset()
    joined: int = 1
    left: int | None = None
    carried: int = 0
    away: frozenset[int] = frozenset()

    def is_there(self, round_number: int) -> bool:
        """Whether it can be paired in this round."""
        return (
            self.joined <= round_number
            and (self.left is None or round_number < self.left)
            and round_number not in self.away
        )


@dataclass(frozen=True, slots=True)
class Meeting:
    """One table of a round that is over, or one entrant's bye. All tuples are parallel to `entrants`, in seat order.

    `points`: quarter points by the tournament's scheme (a win is 4 by default), carried ones not among them. `places`:
    from 1, equal ones shared; empty where nothing was played. `scores`: what the result was decided by (card points,
    parties or stakes); `parties`: parties won. `sides`: empty where each is a side of his own, else who sits with whom
    (individual pairs: 0 1 0 1). `absent`: numbers of those who forfeited.
    """

    round: int
    entrants: tuple[int, ...]
    points: tuple[int, ...]
    kind: Kind = Kind.PLAYED
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    parties: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()

    @property
    def is_bye(self) -> bool:
        return self.kind in BYES

    def side(self, index: int) -> int:
        return self.sides[index] if self.sides else index


@dataclass(frozen=True, slots=True)
class Reason:
    """Why, as a code and the numbers that go with it; the pages have the words."""

    code: str
    values: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a draw, in seat order; one entrant alone has a bye of this kind.

    `sides` as in `Meeting`. `group` is the number of its group, from 1, in stages that have groups.
    """

    entrants: tuple[int, ...]
    kind: Kind = Kind.PLAYED
    sides: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A round's tables, best first, byes last. `reasons`: what was decided for the round as a whole.

    `departures`: the format's own rules that could not be kept; empty in a draw by the rules.
    """

    tables: tuple[Table, ...]
    reasons: tuple[Reason, ...] = ()
    departures: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """All that a draw of one more round may look at. `round`: the one to be drawn, from 1, of `rounds`.

    `seats`: how many meet at a full table (2 where sides meet two by two). `win`, `draw`: quarter points.
    """

    entrants: tuple[Entrant, ...]
    meetings: tuple[Meeting, ...] = ()
    round: int = 1
    rounds: int = 1
    lots: Lots = field(default_factory=lambda: Lots(b""))
    seats: int = 2
    win: int = 4
    draw: int = 2

    @property
    def there(self) -> tuple[Entrant, ...]:
        """Those who can be paired now, by number."""
        return tuple(sorted((one for one in self.entrants if one.is_there(self.round)), key=lambda one: one.number))


class NoDraw(Exception):
    """There is no draw by the rules and the policy of the stage; the text says what the organiser can do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def points_by_number(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> dict[int, int]:
    """Quarter points of each, carried ones included."""
    sums = {one.number: one.carried for one in entrants}
    for meeting in meetings:
        for number, points in zip(meeting.entrants, meeting.points, strict=True):
            if number in sums and meeting.kind is not Kind.ANNULLED:
                sums[number] += points
    return sums
