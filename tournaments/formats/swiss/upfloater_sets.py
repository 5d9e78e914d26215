"""Which set of lower sides floats up, where more than one must or the simplest will not do (FIDE C.04.6 art. 3.5).

All sets are compared at once: a set is the lower half of the pairs between residents and lower sides in a matching,
and the criteria are the weights. Only as much of the field is looked at as can matter to the choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.formats.swiss.criteria import Criterion, Pair, best_by, bits_of
from tournaments.formats.swiss.matching import BITS_LIMIT, is_sure, may_meet
from tournaments.formats.swiss.rest import Rest

LEAST_WIDTH = 8
"""So many sides' places in the order are decided by one matching, or more."""


def fewest(rest: Rest) -> tuple[int, ...]:
    """The set by [C3], [C4], [C5], [C6], [C7] and the order of art. 3.5.4; best first."""
    choice = _Choice(rest)
    choice.keep_highest_scores()
    choice.keep_followed()
    return choice.first_set()


class _Choice:
    """The choice between sets, narrowed criterion by criterion.

    `pool`: the lower sides that matter. `pairs`: those that may still be made. `criteria`: what is decided so far.
    """

    def __init__(self, rest: Rest) -> None:
        self.rest = rest
        self.pool, self.needed = _pool(rest)
        residents = _residents(rest, len(self.pool))
        self.residents = frozenset(residents)
        self.must = frozenset(residents if not self.needed else [*residents, *self.pool])
        self.pairs = may_meet([*residents, *self.pool], rest.apart)
        self.level = {number: level for level, group in enumerate(rest.groups) for number in group}
        every = len(residents) + len(self.pool)
        self.criteria = [Criterion(self._covered, every), Criterion(self._fewer, len(residents))]

    def _covered(self, a: int, b: int) -> int:
        return (a in self.must) + (b in self.must)

    def _floater(self, a: int, b: int) -> int | None:
        """The lower side of a pair that makes it float up."""
        if (a in self.residents) == (b in self.residents):
            return None
        return b if a in self.residents else a

    def _fewer(self, a: int, b: int) -> int:
        return -(self._floater(a, b) is not None)

    def _best(self, *more: Criterion) -> dict[int, int]:
        return best_by([*self.criteria, *more], self.pairs)

    def _chosen(self, partners: dict[int, int]) -> list[int]:
        """Who floats up in this matching, best first."""
        return [number for number in self.pool if partners.get(number) in self.residents]

    def keep_highest_scores(self) -> None:
        """[C4] as few as can be; [C5] of these those whose lowest score is highest, then the second lowest, …"""
        count = len(self._chosen(self._best()))
        pairs = self.pairs
        for level in sorted({self.level[number] for number in self.pool}):
            self.pairs = [pair for pair in pairs if self.level.get(self._floater(*pair) or 0, -1) <= level]
            partners = self._best()
            if self.must <= partners.keys() and len(self._chosen(partners)) == count:
                break
        used = sorted({self.level[number] for number in self.pool if self.level[number] <= level}, reverse=True)
        self.criteria[1] = Criterion(self._fewer, count)
        self.criteria += [self._fewer_of(level, count) for level in used[:-1]]

    def _fewer_of(self, level: int, count: int) -> Criterion:
        return Criterion(lambda a, b: -(self.level.get(self._floater(a, b) or 0, -1) == level), count)

    def keep_followed(self) -> None:
        """[C6] those sets after which the next score group needs no more upfloaters than its size says, if any."""
        following = frozenset(self.rest.following)
        if not following or not following <= set(self.pool):
            return
        inside = self.residents | following
        kept = Criterion(
            lambda a, b: (a in following) + (b in following) if a in inside and b in inside else 0, len(following)
        )
        partners = self._best(kept)
        left_out = sum(1 for number in following if partners.get(number) not in inside)
        chosen = sum(1 for number in self._chosen(partners) if number in following)
        if left_out == (len(following) - chosen) % 2:
            self.criteria.append(kept)

    def first_set(self) -> tuple[int, ...]:
        """[C7] the fewest who floated before, then the first set in the order of numbers, a part of it at a time."""
        floated = self.rest.floated
        if floated:
            self.criteria.append(Criterion(lambda a, b: -(self._floater(a, b) in floated), self.criteria[1].most))
        able = {self._floater(*pair) for pair in self.pairs}
        open_places = [number for number in self.pool if number in able]
        width = max(BITS_LIMIT - bits_of(self.criteria) - 2, LEAST_WIDTH)
        chosen: list[int] = []
        for start in range(0, len(open_places), width):
            part = open_places[start : start + width]
            chosen = self._chosen(self._best(self._first_of(part)))
            if chosen == [number for number in chosen if number in open_places[: start + width]]:
                break
            self._settle(part, chosen)
        return tuple(chosen)

    def _first_of(self, part: Sequence[int]) -> Criterion:
        value = {number: 1 << place for place, number in enumerate(reversed(part))}
        return Criterion(lambda a, b: value.get(self._floater(a, b) or 0, 0), 1 << len(part))

    def _settle(self, part: Sequence[int], chosen: Sequence[int]) -> None:
        """What is decided of these sides stays so: who floats up meets a resident, who does not meets none."""
        taken, settled = frozenset(chosen), frozenset(part)
        self.pairs = [pair for pair in self.pairs if self._still(pair, settled, taken)]

    def _still(self, pair: Pair, settled: frozenset[int], taken: frozenset[int]) -> bool:
        floater = self._floater(*pair)
        if floater is not None:
            return floater not in settled or floater in taken
        return not any(one in settled and one in taken for one in pair)


def _pool(rest: Rest) -> tuple[list[int], bool]:
    """The lower sides that matter, best first, and whether each of them must then be paired too.

    Where those who are left are many enough to be paired whoever is taken from them, only the best few can matter.
    """
    wanted = len(rest.residents) + rest.most_apart
    groups = [group for group in rest.groups if group]
    lower = sum(map(len, groups))
    if groups and _spares(len(groups[0]) - len(rest.residents), rest):
        return _candidates(groups[0], wanted, rest), False
    next_group = len(rest.following)
    if not _spares(lower - next_group - len(rest.residents) - 1, rest):
        return rest.lower, True
    pool: list[int] = []
    for group in rest.groups:
        pool += group if not pool and group is rest.groups[0] else _candidates(group, wanted, rest)
        if len(pool) >= wanted + next_group:
            break
    return pool, False


def _spares(size: int, rest: Rest) -> bool:
    return size > 0 and is_sure(size, rest.most_apart)


def _candidates(group: Sequence[int], wanted: int, rest: Rest) -> list[int]:
    """The first so many of a score group who did not float before, and the first so many who did.

    Any resident finds one whom it may meet among them, before any that are left away.
    """
    fresh = [number for number in group if number not in rest.floated][:wanted]
    others = [number for number in group if number in rest.floated][:wanted]
    return sorted(fresh + others, key=group.index)


def _residents(rest: Rest, pool: int) -> list[int]:
    """The residents, or so many of them, of the same parity, that any of the pool find partners among them."""
    residents = list(rest.residents)
    enough = pool + 2 * rest.most_apart + 2
    return residents if len(residents) <= enough + 1 else residents[: enough + (len(residents) - enough) % 2]
