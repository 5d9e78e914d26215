"""How the starters of designs were found: `python -m tests.tournaments.tables.searching whist 21` or `… perfect 28 4`.

One round is searched for whose differences come as often as they may, so that turning it gives the whole design. Where
nothing fits the search goes back a place; where that takes long it begins anew with other chances.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator

Table = tuple[int, ...]
Key = tuple[int | str, ...]
FIXED = -1
PATIENCE = 5_000
PARTNERS, OPPONENTS = "partners", "opponents"


class GoneAstray(Exception):
    """Too many places were tried; another beginning may do better."""


class Search:
    """`may`: how often each difference may still come. `added`: those that the last place of a table brings.

    `images`: the tables that must come with a table, itself first.
    """

    def __init__(
        self,
        free: list[int],
        may: Counter[Key],
        added: Callable[[Table], list[Key]],
        images: Callable[[Table], list[Table]],
        chance: random.Random,
    ) -> None:
        self.free, self.may, self.added, self.images, self.chance = free, may, added, images, chance
        self.tables: list[Table] = []
        self.tries = 0
        chance.shuffle(self.free)

    def place(self, *tables: Table) -> bool:
        """Whether these may stand; they do then."""
        places = [place for table in tables for place in table if place != FIXED]
        keys = [key for table in tables for end in range(1, len(table) + 1) for key in self.added(table[:end])]
        if len(set(places)) < len(places) or not set(places) <= set(self.free) or not self._take(keys):
            return False
        self.free = [place for place in self.free if place not in places]
        self.tables += tables
        return True

    def filled(self, seats: int) -> bool:
        """Whether the free places can be divided among tables; they are then."""
        return not self.free or self._extended((self.free[0],), seats)

    def _extended(self, table: Table, seats: int) -> bool:
        self.tries += 1
        if self.tries > PATIENCE:
            raise GoneAstray
        if len(table) == seats:
            return self._closed(table, seats)
        places = [place for place in self.free if place not in table]
        for place in self.chance.sample(places, len(places)):
            keys = self.added((*table, place))
            if self._take(keys):
                if self._extended((*table, place), seats):
                    return True
                self.may.update(keys)
        return False

    def _closed(self, table: Table, seats: int) -> bool:
        own = [key for end in range(1, seats + 1) for key in self.added(table[:end])]
        before = self.free, len(self.tables), Counter(self.may)
        self.may.update(own)  # they are taken again with those of the images
        if self.place(*self.images(table)) and self.filled(seats):
            return True
        self.free, self.may = before[0], before[2]
        del self.tables[before[1] :]
        return False

    def _take(self, keys: list[Key]) -> bool:
        wanted = Counter(keys)
        if any(self.may[key] < times for key, times in wanted.items()):
            return False
        self.may.subtract(wanted)
        return True


def whist(size: int, seed: int = 1) -> str:
    """A starter for so many. In sizes 4k + 2 half the ring is no difference of partners."""
    ring = size - 1 if size % 4 == 0 else size
    half = ring // 2 if ring % 2 == 0 else 0
    may: Counter[Key] = Counter({(PARTNERS, one): int(one != half) for one in range(1, ring)})
    may.update({(OPPONENTS, one): 2 for one in range(1, ring)})

    def added(table: Table) -> list[Key]:
        """Places come N S E W."""
        *rest, last = table
        partner = {2: 0, 4: 2}.get(len(table))
        sorts = [PARTNERS if place == partner else OPPONENTS for place in range(len(rest))]
        pairs = [(sort, one) for sort, one in zip(sorts, rest, strict=True) if FIXED not in (one, last)]
        return [(sort, (sign * (last - one)) % ring) for sort, one in pairs for sign in (1, -1)]

    for chance in _beginnings(seed):
        search = Search(list(range(ring)), Counter(may), added, lambda table: [table], chance)
        if size % 4 == 0:
            if not search.place((FIXED, 0, *[place for place in search.free if place][:2])):
                continue
        else:
            del search.free[: size % 4]
        if _succeeds(search, 4):
            return _printed((north, east, south, west) for north, south, east, west in search.tables)
    raise AssertionError("chances never end")


def perfect(size: int, seats: int, seed: int = 1) -> str:
    """A starter for so many at such tables: rings change places with every image, and numbers grow by a factor."""
    rings, ring = seats - 1, (size - 1) // (seats - 1)
    factor = next((one for one in range(2, ring) if one**rings % ring == 1), 1)
    factor = factor if seats == 4 else 1

    def added(table: Table) -> list[Key]:
        *rest, last = table
        return [key for one in rest if one != FIXED for key in _differences(*sorted((one, last)), ring)]

    def image(place: int) -> int:
        return (place // ring + 1) % rings * ring + place % ring * factor % ring

    def images(table: Table) -> list[Table]:
        found = [table]
        while seats == 4 and len(found) < rings:
            found.append(tuple(map(image, found[-1])))
        return found

    may = Counter({key: 1 for one in range(rings * ring) for two in range(one) for key in _differences(two, one, ring)})
    for chance in _beginnings(seed):
        search = Search(list(range(rings * ring)), Counter(may), added, images, chance)
        search.place((FIXED, *(number * ring for number in range(rings))))
        if _succeeds(search, seats):
            return _printed(search.tables)
    raise AssertionError("chances never end")


def _differences(one: int, other: int, ring: int) -> list[Key]:
    """Of two places, by the rings that they are in; the lower ring first, within one ring both ways round."""
    apart = (other - one) % ring
    rings = (one // ring, other // ring)
    return [(*rings, apart), (*rings, -apart % ring)] if rings[0] == rings[1] else [(*rings, apart)]


def _beginnings(seed: int) -> Iterator[random.Random]:
    while True:
        yield random.Random(seed)
        seed += 1


def _succeeds(search: Search, seats: int) -> bool:
    try:
        return search.filled(seats)
    except GoneAstray:
        return False


def _printed(tables: Iterator[Table] | list[Table]) -> str:
    return " | ".join(" ".join("*" if place == FIXED else str(place) for place in table) for table in tables)


if __name__ == "__main__":
    print({"whist": whist, "perfect": perfect}[sys.argv[1]](*map(int, sys.argv[2:])))
