"""Points, tie-breaks and places.

Points are counted in quarters, so that whatever places are shared they are whole: a win is 4, a draw 2. Where every
criterion leaves two entries equal they share the place; nothing is decided by the order in which they were entered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

PLACE_POINTS: Mapping[int, tuple[int, ...]] = MappingProxyType({2: (4, 0), 3: (12, 6, 0), 4: (12, 8, 4, 0)})
"""What each place of a meeting of so many brings, in quarter points: 1/0, 3/1½/0, 3/2/1/0."""


def place_points(places: Sequence[int]) -> tuple[int, ...]:
    """The quarter points of a meeting's entries by their places from 1; equal places share what they fill."""
    prizes = PLACE_POINTS[len(places)]
    shared = {place: places.count(place) for place in places}
    return tuple(sum(prizes[place - 1 : place - 1 + shared[place]]) // shared[place] for place in places)


@dataclass(frozen=True, slots=True)
class Score:
    """What one meeting of two to four brought: entries' keys, their quarter points and card points, in seat order."""

    entries: tuple[str, ...]
    points: tuple[int, ...]
    card_points: tuple[int, ...]

    def is_won_by(self, side: int) -> bool:
        """Whether this entry was alone at the top."""
        return self.points[side] == PLACE_POINTS[len(self.entries)][0]

    def is_drawn_by(self, side: int) -> bool:
        """Whether it shared the top."""
        return not self.is_won_by(side) and self.points[side] == max(self.points)

    def place(self, side: int) -> int:
        """Where it came in, from 1; the place after a shared one is left out."""
        return 1 + sum(other > self.points[side] for other in self.points)

    def difference(self, side: int) -> int:
        """Card points against each of the others, added up."""
        return len(self.entries) * self.card_points[side] - sum(self.card_points)


@dataclass(frozen=True, slots=True)
class TrailStep:
    """How one criterion looked at an entry: its value there, and with how many it was tied before and after."""

    criterion: str
    value: int | None
    tied_before: int
    tied_after: int


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings; `points` in quarters, `place` shared by entries that nothing separates.

    `places`: how often it came in first, second, … as far as the largest table of all goes, a shared place counted as
    that place. `card_points_against`: those of all others at the same tables; `difference`: against each of them, added
    up.
    """

    entry: str
    place: int
    played: int
    wins: int
    draws: int
    losses: int
    places: tuple[int, ...]
    points: int
    card_points_for: int
    card_points_against: int
    difference: int
    trail: tuple[TrailStep, ...]


Criterion = Callable[[Sequence[str], Sequence[Score]], dict[str, int] | None]
"""From the tied entries and all scores to a value each (more is better), or None where it has nothing to say."""


def _total(of: Callable[[Score, int], int]) -> Criterion:
    def values(tied: Sequence[str], scores: Sequence[Score]) -> dict[str, int]:
        sums = dict.fromkeys(tied, 0)
        for score in scores:
            for side, entry in enumerate(score.entries):
                if entry in sums:
                    sums[entry] += of(score, side)
        return sums

    return values


points = _total(lambda score, side: score.points[side])
wins = _total(lambda score, side: score.is_won_by(side))
difference = _total(lambda score, side: score.difference(side))


def head_to_head(tied: Sequence[str], scores: Sequence[Score]) -> dict[str, int] | None:
    """Points from the meetings of two tied entries; silent unless each has so met every other.

    Tables of three and four are no such meetings: who else sat there had a part in what they brought.
    Source: FIDE C.07 art. 6 (direct encounter), 6.2.
    """
    group = set(tied)
    among = [score for score in scores if len(score.entries) == 2 and group.issuperset(score.entries)]
    met = {frozenset(score.entries) for score in among}
    if len(met) < len(tied) * (len(tied) - 1) // 2:
        return None
    return points(tied, among)


CRITERIA: tuple[tuple[str, Criterion], ...] = (
    ("points", points),
    ("wins", wins),
    ("head_to_head", head_to_head),
    ("difference", difference),
)


def standings(
    entries: Sequence[str],
    scores: Sequence[Score],
    criteria: Sequence[tuple[str, Criterion]] = CRITERIA,
) -> tuple[Row, ...]:
    """The table, best first. Entries that share a place stand in the order given.

    A criterion that splits a group in two is applied again to each part it left tied before the next one is asked
    (C.07 art. 6.2); for sums that changes nothing.
    """
    trails: dict[str, list[TrailStep]] = {entry: [] for entry in entries}
    groups = _split(list(entries), scores, criteria, trails)
    place, rows = 1, []
    for group in groups:
        rows += [_row(entry, place, scores, trails[entry]) for entry in group]
        place += len(group)
    return tuple(rows)


def _split(
    tied: list[str],
    scores: Sequence[Score],
    criteria: Sequence[tuple[str, Criterion]],
    trails: dict[str, list[TrailStep]],
) -> list[list[str]]:
    """Groups of equals, best first; notes in `trails` what each criterion said."""
    if len(tied) < 2 or not criteria:
        return [tied]
    (name, criterion), rest = criteria[0], criteria[1:]
    values = criterion(tied, scores)
    groups = _by_value(tied, values)
    sizes = {entry: len(group) for group in groups for entry in group}
    for entry in tied:
        value = values[entry] if values is not None else None
        trails[entry].append(TrailStep(name, value, len(tied), sizes[entry]))
    again = len(groups) > 1 and criterion is head_to_head
    following = criteria if again else rest
    return [part for group in groups for part in _split(group, scores, following, trails)]


def _by_value(tied: list[str], values: dict[str, int] | None) -> list[list[str]]:
    if values is None:
        return [tied]
    ordered = sorted(tied, key=lambda entry: -values[entry])
    return [list(group) for _, group in groupby(ordered, key=lambda entry: values[entry])]


def _row(entry: str, place: int, scores: Sequence[Score], trail: list[TrailStep]) -> Row:
    own = [(score, score.entries.index(entry)) for score in scores if entry in score.entries]
    wins = sum(score.is_won_by(side) for score, side in own)
    draws = sum(score.is_drawn_by(side) for score, side in own)
    taken = Counter(score.place(side) for score, side in own)
    seats = max((len(score.entries) for score in scores), default=0)
    card_points = sum(score.card_points[side] for score, side in own)
    return Row(
        entry=entry,
        place=place,
        played=len(own),
        wins=wins,
        draws=draws,
        losses=len(own) - wins - draws,
        places=tuple(taken[number] for number in range(1, seats + 1)),
        points=sum(score.points[side] for score, side in own),
        card_points_for=card_points,
        card_points_against=sum(sum(score.card_points) for score, _ in own) - card_points,
        difference=sum(score.difference(side) for score, side in own),
        trail=tuple(trail),
    )
