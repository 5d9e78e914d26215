"""Who goes on to the next stage, as which seed, and who is next in line: from standings that are frozen.

A pure function: the same standings and the same rule name the same seeds, whatever happens to anybody later.

Reasons of who goes on: `first_overall (place)`; `place_in_group (group, place)`; `best_of_place (place, points,
games)`: of those who had this place in their groups, by points and then card points a game; `filled_up (group, rank)`:
a group had too few left for its places, and the next in line, of this rank in this group, took one; `crossed (seed
before)`: moved among those of one place, so that those of one group meet as late as can be; `by_order_at_cut (place)`:
the place was shared with somebody who does not go on, and the order of the standings decided. Of who does not: `left
()`, or `in_reserve (rank)`, and `by_order_at_cut` too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tournaments.formats.meetings import Entrant, Reason
from tournaments.formats.protection import seeded
from tournaments.formats.settings import number

MOST = 512


@dataclass(frozen=True, slots=True)
class Take:
    """The rule of a cut. Nothing set: everybody goes on, in the order of the standings.

    `first`: so many overall. `of_each`: so many of each group. `best`: so many of all groups' next place together.
    """

    first: int = number(0, 0, 10_000)
    of_each: int = number(0, 0, MOST)
    best: int = number(0, 0, MOST)


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of frozen standings; lines are given in their order, of which lots may have been the last word.

    `number`: whoever it is, in the numbering of the stage that is over. `place`: overall, or in the group where there
    are groups; shared ones are equal. `points`: quarters; `difference`: card points; both over so many `games`. `left`:
    gone before the cut.
    """

    number: int
    place: int
    group: int | None = None
    points: int = 0
    difference: int = 0
    games: int = 0
    left: bool = False

    @property
    def rate(self) -> tuple[Fraction, Fraction]:
        """Points and difference a game, by which groups of different sizes compare."""
        games = max(1, self.games)
        return Fraction(self.points, games), Fraction(self.difference, games)


@dataclass(frozen=True, slots=True)
class Place:
    """One of those who go on, or who do not, and why."""

    standing: Standing
    reasons: tuple[Reason, ...]

    @property
    def number(self) -> int:
        return self.standing.number


@dataclass(frozen=True, slots=True)
class Cut:
    """`through`: who goes on, the first seed first. `reserves`: next in line first. `out`: who had left before."""

    through: tuple[Place, ...]
    reserves: tuple[Place, ...]
    out: tuple[Place, ...] = ()


def why_not(sizes: Sequence[int], take: Take) -> str | None:
    """What an organiser can do where so many cannot be taken from groups of these sizes (one: no groups); or None."""
    if take.first and (take.of_each or take.best):
        return "Say either how many go on overall, or how many of each group, not both."
    if take.first > sum(sizes):
        return f"{take.first} cannot go on of {sum(sizes)}: let fewer go on."
    if take.of_each > min(sizes):
        return f"{take.of_each} of each group cannot go on: the smallest has {min(sizes)}. Let fewer go on."
    following = sum(size > take.of_each for size in sizes)
    if take.best > following:
        return f"Only {following} groups have a place {take.of_each + 1}: let fewer go on."
    return None


def cut(standings: Sequence[Standing], take: Take, cross: bool = True) -> Cut:
    """Who goes on by this rule.

    Seeds go by rank in the group, then points a game, difference a game and the order of the standings; overall by that
    order alone. With `cross` those who met in a group meet again as late as can be in a bracket: group winners are
    exchanged within tiers of seeds, others with all of their rank. Who left before is passed over, and others move up,
    of other groups too where a group has too few left: as many go on as were announced, if so many are there.
    """
    there = [one for one in standings if not one.left]
    of_groups = bool(take.of_each or take.best)
    ranks = _ranks(there) if of_groups else dict.fromkeys((one.number for one in there), 1)
    through = tuple(_of_groups(there, ranks, take) if of_groups else _overall(there, take))
    rest = _rest(there, through, ranks, of_groups)
    if of_groups and (empty := _announced(standings, take) - len(through)) > 0:
        through += tuple(
            Place(one, (Reason("filled_up", (one.group or 1, ranks[one.number])),)) for one in rest[:empty]
        )
        rest = rest[empty:]
    reserves = tuple(Place(one, (Reason("in_reserve", (rank,)),)) for rank, one in enumerate(rest, start=1))
    tied = _tied_at_the_cut(through, reserves, ranks, of_groups)
    through, reserves = _marked(through, tied), _marked(reserves, tied)
    out = tuple(Place(one, (Reason("left"),)) for one in standings if one.left)
    return Cut(_crossed(through, ranks) if cross and of_groups else through, reserves, out)


def _overall(there: Sequence[Standing], take: Take) -> Iterator[Place]:
    for one in there[: take.first or len(there)]:
        yield Place(one, (Reason("first_overall", (one.place,)),))


def _of_groups(there: Sequence[Standing], ranks: Mapping[int, int], take: Take) -> Iterator[Place]:
    """First all group winners, then all who came second, and so on; then the best of the next place."""
    for rank in range(1, take.of_each + 1):
        for one in _by_rate(one for one in there if ranks[one.number] == rank):
            yield Place(one, (Reason("place_in_group", (one.group or 1, rank)),))
    following = take.of_each + 1
    for one in _by_rate(one for one in there if ranks[one.number] == following)[: take.best]:
        yield Place(one, (Reason("best_of_place", (following, one.points, one.games)),))


def _announced(standings: Iterable[Standing], take: Take) -> int:
    """How many go on if nobody leaves: whom a group that was too small for the rule never had is not made up for."""
    sizes = Counter(one.group for one in standings).values()
    following = sum(size > take.of_each for size in sizes)
    return sum(min(size, take.of_each) for size in sizes) + min(take.best, following)


def _ranks(there: Iterable[Standing]) -> dict[int, int]:
    """By number the rank in the group, from 1, among those who are there."""
    counts: Counter[int | None] = Counter()
    ranks = {}
    for one in there:
        counts[one.group] += 1
        ranks[one.number] = counts[one.group]
    return ranks


def _by_rate(standings: Iterable[Standing]) -> list[Standing]:
    """Best rate first; of equals the one that comes first in the standings."""
    return sorted(standings, key=lambda one: one.rate, reverse=True)


def _rest(
    there: Iterable[Standing], through: Iterable[Place], ranks: Mapping[int, int], of_groups: bool
) -> list[Standing]:
    """Who is left, next in line first: by rank in their groups, then by rate; overall in the order of the standings."""
    taken = {one.number for one in through}
    rest = [one for one in there if one.number not in taken]
    if not of_groups:
        return rest
    return sorted(_by_rate(rest), key=lambda one: ranks[one.number])


def _tied_at_the_cut(
    through: Sequence[Place], reserves: Sequence[Place], ranks: Mapping[int, int], of_groups: bool
) -> dict[int, int]:
    """By number the place that some share of whom others went on, or did not."""

    def keys(one: Standing) -> set[tuple[object, ...]]:
        own = ("place", one.group if of_groups else None, one.place)
        return {own, ("rate", ranks[one.number], one.rate)} if of_groups else {own}

    on, out = (set().union(*(keys(place.standing) for place in places)) for places in (through, reserves))
    return {place.number: place.standing.place for place in (*through, *reserves) if keys(place.standing) & on & out}


def _marked(places: Iterable[Place], tied: Mapping[int, int]) -> tuple[Place, ...]:
    return tuple(
        replace(one, reasons=(*one.reasons, Reason("by_order_at_cut", (tied[one.number],))))
        if one.number in tied
        else one
        for one in places
    )


def _crossed(through: Sequence[Place], ranks: Mapping[int, int]) -> tuple[Place, ...]:
    """The same, with those of one group as far apart in a bracket as can be."""
    entrants = [
        Entrant(seed, shields=frozenset({f"group {one.standing.group}"})) for seed, one in enumerate(through, start=1)
    ]
    pools = [
        index.bit_length() if ranks[one.number] == 1 else _POOLS_OF_TIERS + ranks[one.number]
        for index, one in enumerate(through)
    ]
    crossed = []
    for seed, before in enumerate(seeded(entrants, True, pools).order, start=1):
        one = through[before - 1]
        moved = () if seed == before else (Reason("crossed", (before,)),)
        crossed.append(replace(one, reasons=(*one.reasons, *moved)))
    return tuple(crossed)


_POOLS_OF_TIERS = 64
"""More than there are tiers: pools of ranks are numbered from here."""
