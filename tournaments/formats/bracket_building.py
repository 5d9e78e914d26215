"""From a sketch of a full bracket to the bracket of so many: who cannot come is left out, the rest is numbered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournaments.formats.brackets import LOSER, Bracket, BracketMatch, Nobody, Part, Place, Seed, Source

LEAST, MOST = 2, 512
"""How many a bracket can have."""
_PART_ORDER = tuple(Part)


@dataclass(frozen=True, slots=True)
class Sketch:
    """One match before numbering. `Place.match` in its sources is the `key` of another sketch, which lies before it.

    `round`: playing order, with gaps. `decides`: final places that are fixed. `tier`: where losers share a place that
    depends on how many are above them, the tier of those who do, from 0, the best; None where their way goes on.
    """

    key: int
    round: int
    part: Part
    sources: tuple[Source, ...]
    decides: tuple[int, int] = (0, 0)
    tier: int | None = None
    conditional_on: int | None = None


def seed_order(size: int) -> tuple[int, ...]:
    """Seeds from top to bottom of a bracket of a power of two: 1 8 4 5 2 7 3 6 for eight.

    If the better seed always wins, all who meet in one round have seeds of one sum.
    """
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return tuple(order)


def size_of(entrants: int) -> int:
    """The next power of two."""
    return 1 << (entrants - 1).bit_length()


def first_sources(entrants: int) -> list[Source]:
    """The seats of a first round from top to bottom: byes go to the best seeds."""
    return [Seed(seed) if seed <= entrants else Nobody() for seed in seed_order(size_of(entrants))]


def built(entrants: int, sketches: Iterable[Sketch], first_shared: int) -> Bracket:
    """The bracket of these sketches. `first_shared`: the place of the best tier of losers."""
    kept = _without_nobodies(sketches)
    places = _places_of_tiers(kept, first_shared)
    ordered = sorted(kept, key=lambda one: (one.round, _PART_ORDER.index(one.part), one.key))
    numbers = {one.key: number for number, one in enumerate(ordered, start=1)}
    rounds = {round_: number for number, round_ in enumerate(sorted({one.round for one in ordered}), start=1)}
    return Bracket(
        entrants,
        tuple(
            BracketMatch(
                numbers[one.key],
                rounds[one.round],
                one.part,
                tuple(_numbered(source, numbers) for source in one.sources),
                None if one.conditional_on is None else numbers[one.conditional_on],
                one.decides if one.tier is None or _is_bye(one) else (one.decides[0], places[one.tier]),
            )
            for one in ordered
        ),
    )


def _without_nobodies(sketches: Iterable[Sketch]) -> list[Sketch]:
    """Says of each seat to which nobody can come that it is a bye, and leaves out matches to which nobody comes."""
    kept: list[Sketch] = []
    empty: set[Place] = set()
    for one in sketches:
        sources = tuple(Nobody() if source in empty else source for source in one.sources)
        if all(isinstance(source, Nobody) for source in sources):
            empty |= {Place(one.key, place) for place in range(1, len(sources) + 1)}
            continue
        kept.append(replace(one, sources=sources))
        if _is_bye(kept[-1]):
            empty.add(Place(one.key, LOSER))
    return kept


def _is_bye(one: Sketch) -> bool:
    return any(isinstance(source, Nobody) for source in one.sources)


def _places_of_tiers(kept: Sequence[Sketch], first: int) -> dict[int, int]:
    """By tier the place that its losers share, which is one after all who are above them."""
    losers = Counter(one.tier for one in kept if one.tier is not None and not _is_bye(one))
    places, place = {}, first
    for tier in sorted(losers):
        places[tier] = place
        place += losers[tier]
    return places


def _numbered(source: Source, numbers: dict[int, int]) -> Source:
    return Place(numbers[source.match], source.place) if isinstance(source, Place) else source


def why_not_so_many(entrants: int, seats: int) -> str | None:
    """Why there is no bracket of so many; None if there is one."""
    if seats != 2:
        return "A bracket is for matches of two sides: choose table elimination for tables of three or four."
    if entrants < LEAST:
        return f"A bracket needs at least {LEAST} entrants, there are {entrants}: take more entries."
    if entrants > MOST:
        return f"A bracket takes at most {MOST} entrants, there are {entrants}: let an earlier stage choose among them."
    return None


def check_so_many(entrants: int) -> None:
    """Raises ValueError where `why_not_so_many` knows why."""
    if why_not := why_not_so_many(entrants, 2):
        raise ValueError(why_not)
