"""All who are not yet paired when a bracket is to be made."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from tournaments.formats.swiss.matching import NOBODY, Apart, can_all_meet, is_sure


@dataclass(frozen=True, slots=True)
class Rest:
    """Numbers, best first. `residents`: the score group whose bracket it is.

    `groups`: those with lower scores, by score; the first is the score group that follows the residents', and may be
    empty. `floated`: who floated in the round before; empty in the last two rounds, where [C7] does not hold.
    `most_apart`: the most that anybody may not meet.
    """

    residents: Sequence[int]
    groups: Sequence[Sequence[int]]
    apart: Apart
    floated: Set[int]
    most_apart: int

    @property
    def lower(self) -> list[int]:
        return [number for group in self.groups for number in group]

    @property
    def following(self) -> Sequence[int]:
        return self.groups[0] if self.groups else ()

    def can_meet(self, *groups: Sequence[int], but: Set[int] = NOBODY) -> bool:
        """Whether all of these groups can be paired, those aside who are in `but` (all of whom are of the groups)."""
        size = sum(map(len, groups)) - len(but)
        if size % 2 == 0 and is_sure(size, self.most_apart):
            return True
        return can_all_meet([number for group in groups for number in group if number not in but], self.apart)
