"""Judges a round that somebody has drawn: which absolute criteria it breaks, and its vector of criteria.

Written from the text of FIDE C.04.6 alone, for draws of any origin: it sees the position and who meets whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from typing import Any

import rustworkx

from tests.tournaments.swiss.by_the_book import Pair, c10, identifier
from tournaments.formats.meetings import Kind, Position

Vector = tuple[Any, ...]
"""Compared from the left; less is better."""


class Judge:
    """What a position says of a draw of its round. `scores` without acceleration, quarter points."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.there = {one.number for one in position.entrants if one.is_there(position.round)}
        self.met = {
            frozenset(pair)
            for meeting in position.meetings
            if meeting.kind is Kind.PLAYED
            for pair in combinations(meeting.entrants, 2)
        }
        self.scores = self._scores(position.round)
        self.floated = self._floated() if position.round <= position.rounds - 2 else frozenset()

    def _scores(self, before: int) -> dict[int, int]:
        scores = {one.number: one.carried for one in self.position.entrants}
        for meeting in self.position.meetings:
            if meeting.round < before and meeting.kind is not Kind.ANNULLED:
                for number, points in zip(meeting.entrants, meeting.points, strict=True):
                    scores[number] += points
        return scores

    def _floated(self) -> frozenset[int]:
        last = self.position.round - 1
        scores = self._scores(last)
        played = (one for one in self.position.meetings if one.round == last and one.kind is Kind.PLAYED)
        return frozenset(
            number for one in played if len({scores[number] for number in one.entrants}) > 1 for number in one.entrants
        )

    def had_bye(self, number: int) -> bool:
        """[C2] a bye with full points, or a win by forfeit."""
        return any(
            number in meeting.entrants
            and (meeting.kind is Kind.BYE or (meeting.kind is Kind.FORFEIT and number not in meeting.absent))
            for meeting in self.position.meetings
        )

    # Absolute criteria

    def broken(self, draw: Iterable[Sequence[int]]) -> list[str]:
        """What of [C1], [C2] and completeness this draw breaks; nothing if it is legal."""
        tables = [tuple(table) for table in draw]
        seated = sorted(number for table in tables for number in table)
        faults = [] if seated == sorted(self.there) else [f"seated {seated}, there are {sorted(self.there)}"]
        faults += [f"{table} meet again" for table in tables if frozenset(table) in self.met]
        byes = [table[0] for table in tables if len(table) == 1]
        if len(byes) > len(self.there) % 2:
            faults.append(f"byes to {byes}")
        return faults + [f"{number} has a second bye" for number in byes if self.had_bye(number)]

    # The vector

    def vector(self, draw: Iterable[Sequence[int]]) -> Vector:
        """The bye by art. 3.4, then bracket after bracket from the top by art. 2.3, 3.5.4 and 3.6.3."""
        tables = [tuple(sorted(table)) for table in draw]
        byes = [table[0] for table in tables if len(table) == 1]
        pairs = [(table[0], table[1]) for table in tables if len(table) == 2]
        return tuple(self._bye(number) for number in byes), tuple(self._brackets(pairs, set(byes)))

    def _bye(self, number: int) -> Vector:
        matches = sum(1 for one in self.position.meetings if number in one.entrants and one.kind is Kind.PLAYED)
        return self.scores[number], -matches, -number

    def _brackets(self, pairs: list[Pair], gone: set[int]) -> Iterator[Vector]:
        by_score = sorted(self.there, key=lambda number: (-self.scores[number], number))
        groups = [list(group) for _, group in groupby(by_score, lambda number: self.scores[number])]
        for place, group in enumerate(groups):
            residents = {number for number in group if number not in gone}
            bracket = [pair for pair in pairs if residents & set(pair)]
            members = {number for pair in bracket for number in pair}
            gone |= members
            rest = [[number for number in lower if number not in gone] for lower in groups[place + 1 :]]
            if members:
                yield self._bracket(bracket, sorted(members - residents, key=by_score.index), groups, rest)

    def _bracket(
        self, bracket: list[Pair], floaters: list[int], groups: list[list[int]], rest: list[list[int]]
    ) -> Vector:
        gaps = sorted((-self.scores[number] for number in floaters), reverse=True)
        order = [(-self.scores[number], number) for number in floaters]
        return (
            len(floaters),  # [C4]
            tuple(gaps),  # [C5]
            not self._follows(rest),  # [C6]
            len(self.floated & set(floaters)),  # [C7]
            tuple(order),  # art. 3.5.4
            c10(bracket, set(floaters), self.floated),  # [C10]
            identifier(bracket),  # art. 3.6.3
        )

    def _follows(self, rest: list[list[int]]) -> bool:
        following, below = (rest[0], [number for group in rest[1:] for number in group]) if rest else ([], [])
        if not following:
            return True
        return any(
            self._can_meet([*following, *more]) and self._can_meet([one for one in below if one not in more])
            for more in combinations(below, len(following) % 2)
        )

    def _can_meet(self, numbers: list[int]) -> bool:
        graph = rustworkx.PyGraph()
        graph.add_nodes_from(numbers)
        places = combinations(range(len(numbers)), 2)
        graph.add_edges_from([(a, b, 1) for a, b in places if frozenset((numbers[a], numbers[b])) not in self.met])
        return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True)) == len(numbers)

    def can_be_paired(self) -> bool:
        """Whether any legal pairing of the round exists."""
        numbers = sorted(self.there)
        if len(numbers) % 2 == 0:
            return self._can_meet(numbers)
        entitled = (number for number in numbers if not self.had_bye(number))
        return any(self._can_meet([one for one in numbers if one != number]) for number in entitled)
