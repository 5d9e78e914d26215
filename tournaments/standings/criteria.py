"""The criteria that standings are ordered by: what each counts, in what unit, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Entrant, Kind, Meeting
from tournaments.standings.encounter import AVERAGES
from tournaments.standings.legs import Category, Leg, Outcome, legs_of
from tournaments.standings.opposition import PER_TABLE, Cut, Shares, adjusted, cuts, kept, shares
from tournaments.standings.points import QUARTERS, STANDARD, Scheme
from tournaments.standings.tally import others

POINTS = "points"
DIRECT_ENCOUNTER = "direct_encounter"
LOT = "lot"
LESS_IS_BETTER = frozenset({"first_seats", LOT})
"""Fewer first seats count as more: who had the better seat less often had the harder way."""

UNIT: Mapping[str, int] = MappingProxyType(
    {
        POINTS: QUARTERS,
        "buchholz": QUARTERS * PER_TABLE,
        "buchholz_cut1": QUARTERS * PER_TABLE,
        "buchholz_cut2": QUARTERS * PER_TABLE,
        "buchholz_median": QUARTERS * PER_TABLE,
        "buchholz_median2": QUARTERS * PER_TABLE,
        "sonneborn_berger": QUARTERS * QUARTERS * PER_TABLE,
        "sonneborn_berger_cut1": QUARTERS * QUARTERS * PER_TABLE,
        DIRECT_ENCOUNTER: QUARTERS * AVERAGES,
        "wins": 1,
        "games_won": 1,
        "first_seats": 1,
        "progressive": QUARTERS,
        "progressive_cut1": QUARTERS,
        "point_difference": 1,
        "points_for": 1,
        "parties_won": 1,
        LOT: 1,
    }
)
"""How many of a value make one point (a win of the usual scheme), a product of two points, a place, or one of whatever
is counted."""


@dataclass(frozen=True, slots=True)
class Part:
    """One number behind a value: the value is the sum of the parts that are not cut.

    `round`: 0 for points brought along. `score`: the opponents', in the unit of `buchholz`, where that counts.
    `points`: the entrant's own in that round, in quarters. `category` tells a game from the kinds of unplayed rounds.
    """

    round: int
    value: int
    opponents: tuple[int, ...] = ()
    category: Category = Category.GAME
    points: int = 0
    score: int | None = None
    cut: Cut | None = None


class Event:
    """All that criteria look at. `rounds`: how many there were so far, an open one with results among them.

    `seats`: how many sides met at the largest table.
    """

    def __init__(
        self,
        entrants: Sequence[Entrant],
        meetings: Sequence[Meeting],
        closed_rounds: int,
        is_round_robin: bool,
        scheme: Scheme = STANDARD,
        lots: Lots | None = None,
    ) -> None:
        self.numbers = tuple(sorted(one.number for one in entrants))
        self.carried = {one.number: one.carried for one in entrants}
        self.is_round_robin = is_round_robin
        self.scheme = scheme
        self.lots = lots
        self.seats = max((_sides(one) for one in meetings if one.kind is Kind.PLAYED), default=0)
        self.rounds = max(closed_rounds, max((one.round for one in meetings), default=0))
        self.legs = legs_of(self.numbers, meetings, closed_rounds, is_round_robin)

    @cached_property
    def own(self) -> dict[int, int]:
        """Quarter points from meetings, without those that were carried."""
        return {number: sum([leg.points for leg in legs]) for number, legs in self.legs.items()}

    @cached_property
    def scores(self) -> dict[int, int]:
        """What each one's score is worth to those who met him."""
        if self.is_round_robin:
            return self.own
        return {number: adjusted(legs, self.own[number], self.scheme) for number, legs in self.legs.items()}

    @cached_property
    def shares(self) -> dict[int, Shares]:
        """What each round adds to Buchholz and Sonneborn-Berger."""
        rounds, swiss = self.rounds, self.is_round_robin
        return {
            number: shares(self.legs[number], self.own[number], self.scores, self.scheme, rounds, swiss)
            for number in self.numbers
        }

    def order(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """By lot; without a seed by number."""
        if self.lots is None or not self.lots.seed:
            return tuple(sorted(numbers))
        return self.lots.order("standings", numbers)


def _sides(meeting: Meeting) -> int:
    return len(set(meeting.sides)) or len(meeting.entrants)


Values = Callable[[Event], dict[int, int]]
Parts = Callable[[Event, int], tuple[Part, ...]]


@dataclass(frozen=True, slots=True)
class Criterion:
    """`values`: of all entrants; `parts`: the numbers behind one of them."""

    values: Values
    parts: Parts


def _summed(of: Callable[[Leg], int]) -> Criterion:
    """A sum over what was played."""

    def values(event: Event) -> dict[int, int]:
        return {number: sum([of(leg) for leg in event.legs[number] if leg.is_played]) for number in event.numbers}

    def parts(event: Event, number: int) -> tuple[Part, ...]:
        played = [leg for leg in event.legs[number] if leg.is_played]
        return tuple(Part(leg.round, of(leg), leg.opponents, leg.category, leg.points) for leg in played)

    return Criterion(values, parts)


def _counted(counts: Callable[[Leg], bool]) -> Criterion:
    """A count of legs, of which only those that count are told."""

    def values(event: Event) -> dict[int, int]:
        return {number: sum(map(counts, event.legs[number])) for number in event.numbers}

    def parts(event: Event, number: int) -> tuple[Part, ...]:
        counted = filter(counts, event.legs[number])
        return tuple(Part(leg.round, 1, leg.opponents, leg.category, leg.points) for leg in counted)

    return Criterion(values, parts)


def _points(event: Event) -> dict[int, int]:
    return {number: event.own[number] + event.carried[number] for number in event.numbers}


def _parts_of_points(event: Event, number: int) -> tuple[Part, ...]:
    legs = event.legs[number]
    told = tuple(Part(leg.round, leg.points, leg.opponents, leg.category, leg.points) for leg in legs)
    return (Part(0, event.carried[number]), *told) if event.carried[number] else told


def _of_shares(of: Callable[[Shares], Sequence[int]], lowest: int = 0, highest: int = 0) -> Criterion:
    """A sum over what the rounds add, but for the cut ones."""

    def values(event: Event) -> dict[int, int]:
        return {number: total(event.shares[number]) for number in event.numbers}

    def total(added: Shares) -> int:
        return kept(added, of(added), lowest, highest) if lowest else sum(of(added))

    def parts(event: Event, number: int) -> tuple[Part, ...]:
        added = event.shares[number]
        each = of(added)
        cut = cuts(added, each, lowest, highest)
        return tuple(
            Part(leg.round, each[index], leg.opponents, leg.category, leg.points, added.scores[index], cut.get(index))
            for index, leg in enumerate(added.legs)
        )

    return Criterion(values, parts)


def _buchholz(lowest: int = 0, highest: int = 0) -> Criterion:
    return _of_shares(lambda added: added.scores, lowest, highest)


def _sonneborn_berger(lowest: int = 0) -> Criterion:
    return _of_shares(lambda added: added.products, lowest)


def _progressive(cut_first: bool) -> Criterion:
    """The totals after every round, added up (7.5); without the one after the first (14.1.1.c)."""

    def parts(event: Event, number: int) -> tuple[Part, ...]:
        by_round = {leg.round: leg for leg in event.legs[number]}
        total, told = 0, []
        for one in range(1, event.rounds + 1):
            leg = by_round.get(one)
            total += leg.points if leg else 0
            cut = Cut.FIRST if cut_first and one == 1 else None
            told.append(Part(one, total, leg.opponents if leg else (), points=leg.points if leg else 0, cut=cut))
        return tuple(told)

    def values(event: Event) -> dict[int, int]:
        return {number: total(event.legs[number], event.rounds) for number in event.numbers}

    def total(legs: Sequence[Leg], rounds: int) -> int:
        whole = sum([leg.points * (rounds - leg.round + 1) for leg in legs])
        return whole - sum([leg.points for leg in legs if leg.round == 1]) if cut_first else whole

    return Criterion(values, parts)


def is_win(leg: Leg) -> bool:
    """All that could be had, with or without playing (7.1): alone at the top, or the bye that the draw gave."""
    if leg.outcome is Outcome.WON:
        return True
    return leg.category is Category.ALLOCATED and leg.meeting is not None and leg.meeting.kind is Kind.BYE


def is_game_won(leg: Leg) -> bool:
    """Alone at the top of what was played (7.2)."""
    return leg.is_played and leg.outcome is Outcome.WON


def score_for(leg: Leg) -> int:
    """What the result was decided by: card points, parties or stakes."""
    return leg.meeting.scores[leg.seat] if leg.meeting and leg.meeting.scores else 0


def difference(leg: Leg) -> int:
    """Scores against each of the other sides, added up."""
    if leg.meeting is None or not leg.meeting.scores:
        return 0
    theirs, sides = others(leg.meeting, leg.seat)
    return sides * leg.meeting.scores[leg.seat] - theirs


def _parties(leg: Leg) -> int:
    return leg.meeting.parties[leg.seat] if leg.meeting and leg.meeting.parties else 0


def _is_first_seat(leg: Leg) -> bool:
    return leg.is_played and leg.seat == 0


def _lots(event: Event) -> dict[int, int]:
    return {number: drawn for drawn, number in enumerate(event.order(event.numbers), start=1)}


CRITERIA: Mapping[str, Criterion] = MappingProxyType(
    {
        POINTS: Criterion(_points, _parts_of_points),
        "buchholz": _buchholz(),
        "buchholz_cut1": _buchholz(lowest=1),
        "buchholz_cut2": _buchholz(lowest=2),
        "buchholz_median": _buchholz(lowest=1, highest=1),
        "buchholz_median2": _buchholz(lowest=2, highest=2),
        "sonneborn_berger": _sonneborn_berger(),
        "sonneborn_berger_cut1": _sonneborn_berger(lowest=1),
        "wins": _counted(is_win),
        "games_won": _counted(is_game_won),
        "first_seats": _counted(_is_first_seat),
        "progressive": _progressive(cut_first=False),
        "progressive_cut1": _progressive(cut_first=True),
        "point_difference": _summed(difference),
        "points_for": _summed(score_for),
        "parties_won": _summed(_parties),
        LOT: Criterion(_lots, lambda event, number: ()),
    }
)
"""All but direct encounter, which looks at those who are level and not at each by himself."""
