"""Direct encounter: what those who are level made of the meetings among themselves.

Source: FIDE C.07 (in force 1 March 2026) art. 6. At tables of three and four: by differences of places, if all have
met at equally many tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import lcm

from tournaments.standings.legs import Category, Leg
from tournaments.standings.points import Count, Scheme

AVERAGES = 840
"""Up to eight meetings of the same two have a whole average in parts of so many."""

Groups = tuple[tuple[int, ...], ...]
Meetings = dict[tuple[int, int], list[int]]
"""By the one and the other: what the one brought home from each of their meetings."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """`values`: each one's average results added up, quarters of points (at larger tables of places) in parts of 840.

    `groups`: those who are still level, best first. `brought`: what the one had from each meeting with the other.
    """

    values: Mapping[int, int]
    groups: Groups
    brought: Mapping[tuple[int, int], tuple[int, ...]]


def encounter(
    tied: Sequence[int], legs: Mapping[int, Sequence[Leg]], scheme: Scheme, by_places: bool = False
) -> Encounter | None:
    """Looks at two or more who are level; None where it cannot tell any of them from the others or has no say.

    `by_places`: more than two meet at a table.
    """
    among = _places_among(tied, legs) if by_places else _points_among(tied, legs)
    if not among or not _has_say(tied, among, by_places, scheme):
        return None
    have_met = _have_all_met(tied, among)
    parts = lcm(AVERAGES, *{len(results) for results in among.values()})
    sums = _sums(tied, among, parts)
    groups = _by_sum(tied, sums) if have_met else _certain(tied, among, sums, scheme.win * parts)
    if len(groups) == 1 and not have_met:
        return None
    return Encounter(
        values={number: sums[number] * AVERAGES // parts for number in tied},
        groups=tuple(part for group in groups for part in _again(group, len(tied), legs, scheme, by_places)),
        brought={pair: tuple(results) for pair, results in among.items()},
    )


def _again(
    group: tuple[int, ...], before: int, legs: Mapping[int, Sequence[Leg]], scheme: Scheme, by_places: bool
) -> Groups:
    """Those still level are looked at by themselves, as long as that parts any of them (6.2)."""
    if len(group) == 1 or len(group) == before:
        return (group,)
    found = encounter(group, legs, scheme, by_places)
    return found.groups if found else (group,)


def _points_among(tied: Sequence[int], legs: Mapping[int, Sequence[Leg]]) -> Meetings:
    """Games between the tied, forfeits not among them but in a round robin (6.1.1, 15.2)."""
    group = frozenset(tied)
    among: Meetings = {}
    for number in tied:
        for leg in legs[number]:
            if leg.category is Category.GAME and not group.isdisjoint(leg.opponents):
                for opponent in group.intersection(leg.opponents):
                    among.setdefault((number, opponent), []).append(leg.points)
    return among


def _places_among(tied: Sequence[int], legs: Mapping[int, Sequence[Leg]]) -> Meetings:
    """By how many quarters of a place the one came in before the other; a shared one is the middle of what it fills."""
    group = frozenset(tied)
    among: Meetings = {}
    for number in tied:
        for leg in legs[number]:
            if leg.is_played and leg.meeting and not group.isdisjoint(leg.opponents):
                at = _quarter_places(leg.meeting.entrants, leg.meeting.places)
                for opponent in group.intersection(leg.opponents):
                    among.setdefault((number, opponent), []).append(at[opponent] - at[number])
    return among


def _quarter_places(entrants: Sequence[int], places: Sequence[int]) -> dict[int, int]:
    return {one: 4 * place + 2 * (places.count(place) - 1) for one, place in zip(entrants, places, strict=True)}


def _have_all_met(tied: Sequence[int], among: Meetings) -> bool:
    return len(among) == len(tied) * (len(tied) - 1)


def _has_say(tied: Sequence[int], among: Meetings, by_places: bool, scheme: Scheme) -> bool:
    """Larger tables: all at equally many; where scores are counted, nothing is out of reach until all have met."""
    if by_places:
        return _have_all_met(tied, among) and len({len(results) for results in among.values()}) == 1
    return scheme.count is Count.MATCH or _have_all_met(tied, among)


def _sums(tied: Sequence[int], among: Meetings, parts: int) -> dict[int, int]:
    """Each one's results against each of the others, the average of them where they met more than once (6.1.2)."""
    sums = dict.fromkeys(tied, 0)
    for (number, _), results in among.items():
        sums[number] += parts * sum(results) // len(results)
    return sums


def _by_sum(tied: Sequence[int], sums: Mapping[int, int]) -> Groups:
    ordered = sorted(tied, key=lambda number: -sums[number])
    return tuple(tuple(group) for _, group in groupby(ordered, key=lambda number: sums[number]))


def _certain(tied: Sequence[int], among: Meetings, sums: Mapping[int, int], win: int) -> Groups:
    """Not all have met: whoever stays alone on top whatever the missing games bring is first, and so on (6.3)."""
    met = dict.fromkeys(tied, 0)
    for number, _ in among:
        met[number] += 1
    most = {number: sums[number] + win * (len(tied) - 1 - met[number]) for number in tied}
    rest = sorted(tied, key=lambda number: (-sums[number], -most[number]))
    placed = []
    while len(rest) > 1 and sums[rest[0]] > max(most[other] for other in rest[1:]):
        placed.append((rest.pop(0),))
    return (*placed, tuple(rest))
