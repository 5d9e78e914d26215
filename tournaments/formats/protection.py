"""Seeds of a bracket, changed so that two of one owner or club meet as late as can be.

Nobody leaves his tier: 1, 2, 3-4, 5-8, 9-16 and so on. As far as a bracket goes the seeds of one tier are of one
strength: if the better seed always wins, all of them lose in the same round.

Reasons: `shields_apart (seed, seed before)`: this seed changed places within its tier; `shields_meet (shield, seed,
seed, round)`: the first two of a shield who can meet, and in which round of the full bracket.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from tournaments.formats.bracket_building import seed_order, size_of
from tournaments.formats.meetings import Entrant, Reason

MOST_FOR_STARTS, MOST_STARTS = 64, 48
"""Above so many entrants one start is enough, since there is much to choose from in every tier; and how many starts."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """`order`: numbers of the entrants, the first seed first."""

    order: tuple[int, ...]
    reasons: tuple[Reason, ...] = ()


def seeded(entrants: Sequence[Entrant], protect: bool, pools: Sequence[int] | None = None) -> Seeded:
    """The entrants by number; with `protect` those who share a shield are exchanged within their tiers.

    As few pairs as can be meet in the first round, then as few in the second, and so on. The search exchanges two at a
    time for as long as that helps, the nearest of equally good ones; up to 64 entrants from many orders of the first
    eight seeds, up to eight from all of them, so that there it finds the best there is. `pools`: by seed, within what
    seeds are exchanged instead of within tiers.
    """
    ordered = sorted(entrants, key=lambda one: one.number)
    if not protect or len(ordered) < 4:
        return Seeded(tuple(one.number for one in ordered))
    pools = pools or [seed.bit_length() for seed in range(len(ordered))]
    best = min((_searched(ordered, pools, start) for start in starts(pools)), key=_Seating.worth)
    return Seeded(tuple(ordered[index].number for index in best.at), tuple(_reasons(ordered, best)))


def starts(pools: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Orders of all seeds, from 0, from which to search; the first is that of their strength."""
    count = len(pools)
    orders = ((*first, *range(len(first), count)) for first in _orders_within(pools[:8]))
    if count <= 8:
        return orders
    return islice(orders, MOST_STARTS if count <= MOST_FOR_STARTS else 1)


def _orders_within(pools: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of these seeds in which nobody leaves his pool, the first by strength; as permutations would come."""

    def orders(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == len(pools):
            yield chosen
            return
        for entrant, pool in enumerate(pools):
            if entrant not in chosen and pool == pools[len(chosen)]:
                yield from orders((*chosen, entrant))

    return orders(())


def _searched(ordered: Sequence[Entrant], pools: Sequence[int], start: Sequence[int]) -> _Seating:
    seating = _Seating(ordered, pools, start)
    improving = True
    while improving:
        improving = False
        for entrant in range(len(ordered)):
            improving |= seating.improve(entrant)
    return seating


class _Seating:
    """Who has which seed. Entrants and seeds are counted from 0; `at`: by seed the entrant, `seed`: the reverse.

    `weights`: by round of meeting; a pair that meets earlier outweighs all that meet later. `costs`: by shield and line
    of the bracket, what all who bear it weigh to one who would sit on that line.
    """

    def __init__(self, ordered: Sequence[Entrant], pools: Sequence[int], start: Sequence[int]) -> None:
        self.at, self.pools = list(start), pools
        self.seed = sorted(range(len(start)), key=start.__getitem__)
        self.shields = [tuple(sorted(one.shields)) for one in ordered]
        self.size = size_of(len(ordered))
        self.line = lines_of(self.size)
        rounds, pairs = self.size.bit_length() - 1, len(ordered) ** 2 * max(map(len, self.shields)) + 1
        self.weights: list[int] = [0, *(pairs ** (rounds - number) for number in range(1, rounds + 1))]
        self.costs = {shield: [0] * self.size for borne in self.shields for shield in borne}
        for entrant, borne in enumerate(self.shields):
            for shield in borne:
                self._weigh(shield, self.line[self.seed[entrant]], 1)

    def _weigh(self, shield: str, sitting: int, sign: int) -> None:
        costs, weights = self.costs[shield], self.weights
        for line in range(self.size):
            costs[line] += sign * weights[(line ^ sitting).bit_length()]

    def worth(self) -> tuple[int, int, list[int]]:
        """The lower the better: what all pairs weigh, how far seeds have moved, and then the order itself."""
        met = sum(self._cost(entrant, self.line[seed]) for seed, entrant in enumerate(self.at))
        return met, sum(abs(seed - entrant) for seed, entrant in enumerate(self.at)), self.at

    def _cost(self, entrant: int, line: int) -> int:
        return sum(self.costs[shield][line] for shield in self.shields[entrant])

    def improve(self, entrant: int) -> bool:
        """Exchanges this entrant with the one of its pool with whom that spares most; False where nothing does."""
        here = self.seed[entrant]
        if not self._cost(entrant, self.line[here]):
            return False
        best, chosen = 0, here
        pool = [seed for seed in range(len(self.at)) if self.pools[seed] == self.pools[here] and seed != here]
        for there in sorted(pool, key=lambda seed: (abs(seed - here), seed)):
            spared = self._spared(here, there)
            if spared > best:
                best, chosen = spared, there
        if best:
            self._exchange(here, chosen)
        return best > 0

    def _spared(self, here: int, there: int) -> int:
        """What the exchange of two seeds spares; neither is met on the line that it leaves."""
        one, other = self.at[here], self.at[there]
        if self.shields[one] == self.shields[other]:
            return 0
        old, new = self.line[here], self.line[there]
        unshared = len({*self.shields[one]} ^ {*self.shields[other]})
        before = self._cost(one, old) + self._cost(other, new)
        after = self._cost(one, new) + self._cost(other, old)
        return before - after + unshared * self.weights[(old ^ new).bit_length()]

    def _exchange(self, here: int, there: int) -> None:
        for seed, other in ((here, there), (there, here)):
            for shield in self.shields[self.at[seed]]:
                self._weigh(shield, self.line[seed], -1)
                self._weigh(shield, self.line[other], 1)
        self.at[here], self.at[there] = self.at[there], self.at[here]
        self.seed[self.at[here]], self.seed[self.at[there]] = here, there


def lines_of(size: int) -> list[int]:
    """By seed, from 0: its line in the full bracket, from the top.

    Two lines meet in the round that is the length, in bits, of their exclusive or.
    """
    order = seed_order(size)
    return sorted(range(size), key=order.__getitem__)


def _reasons(ordered: Sequence[Entrant], seating: _Seating) -> list[Reason]:
    moved = [
        Reason("shields_apart", (seed + 1, entrant + 1)) for seed, entrant in enumerate(seating.at) if seed != entrant
    ]
    bearers: dict[str, list[int]] = defaultdict(list)
    for seed, entrant in enumerate(seating.at):
        for shield in ordered[entrant].shields:
            bearers[shield].append(seed)
    meet = []
    for shield in sorted(bearers):
        pairs = [
            ((seating.line[one] ^ seating.line[other]).bit_length(), one, other)
            for one, other in combinations(bearers[shield], 2)
        ]
        if pairs:
            number, one, other = min(pairs)
            meet.append(Reason("shields_meet", (shield, one + 1, other + 1, number)))
    return [*moved, *meet]
