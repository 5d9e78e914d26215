"""Points, tie-breaks and places.

Half points are doubled: a win is 2, a draw 1. Where every criterion leaves two entries equal they share the place;
nothing is decided by the order in which they were entered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

WIN, DRAW = 2, 1


@dataclass(frozen=True, slots=True)
class Score:
    """What one meeting brought: entries' keys, their match points (doubled) and card points, in seat order."""

    entries: tuple[str, str]
    points: tuple[int, int]
    card_points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TrailStep:
    """How one criterion looked at an entry: its value there, and with how many it was tied before and after."""

    criterion: str
    value: int | None
    tied_before: int
    tied_after: int


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings. `points` is doubled; `place` is shared by entries that nothing separates."""

    entry: str
    place: int
    played: int
    wins: int
    draws: int
    losses: int
    points: int
    card_points_for: int
    card_points_against: int
    trail: tuple[TrailStep, ...]

    @property
    def difference(self) -> int:
        return self.card_points_for - self.card_points_against


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
wins = _total(lambda score, side: score.points[side] == WIN)
difference = _total(lambda score, side: score.card_points[side] - score.card_points[1 - side])


def head_to_head(tied: Sequence[str], scores: Sequence[Score]) -> dict[str, int] | None:
    """Points from the meetings of the tied entries alone; silent unless each has met every other.

    Source: FIDE C.07 art. 6 (direct encounter), 6.2.
    """
    group = set(tied)
    among = [score for score in scores if group.issuperset(score.entries)]
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


def _row(entry: str, place: int, scores: Iterable[Score], trail: list[TrailStep]) -> Row:
    own = [(score, score.entries.index(entry)) for score in scores if entry in score.entries]
    results = [score.points[side] for score, side in own]
    return Row(
        entry=entry,
        place=place,
        played=len(own),
        wins=results.count(WIN),
        draws=results.count(DRAW),
        losses=results.count(0),
        points=sum(results),
        card_points_for=sum(score.card_points[side] for score, side in own),
        card_points_against=sum(score.card_points[1 - side] for score, side in own),
        trail=tuple(trail),
    )
