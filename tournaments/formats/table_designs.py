"""Perfect movements: fields in which everybody can meet everybody exactly once, all tables full, nobody sitting out.

Fields of 6k + 3 at tables of three, of 12k + 4 at tables of four (Kirkman; Hanani, Ray-Chaudhuri and Wilson), as far as
one round is known here from which all others follow by turning. Written as tables, `1 2 3 | 4 5 6 | …`: `*` stays, and
the others are in rings of equal length, one less than the seats, in which each grows by one from round to round. Found
by search (`tests/tournaments/tables/searching.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

STARTERS: dict[tuple[int, int], str] = {
    (15, 3): "* 0 8 | 11 7 13 | 12 6 2 | 10 1 3 | 4 9 5",
    (27, 3): "* 0 23 | 12 20 18 | 3 7 25 | 10 13 9 | 22 8 19 | 21 14 1 | 24 16 15 | 11 6 4 | 17 2 5",
    (16, 4): "* 0 6 13 | 12 14 9 8 | 10 1 4 11 | 7 5 2 3",
    (28, 4): "* 0 9 18 | 6 11 3 16 | 15 26 12 19 | 24 5 21 4 | 23 8 1 22 | 2 14 13 7 | 17 20 25 10",
    (40, 4): (
        "* 0 13 26 | 5 36 3 6 | 15 4 22 18 | 32 25 27 28 | 9 24 38 16 | 14 33 10 35 | 29 8 17 1 | "
        "19 30 37 20 | 31 12 7 34 | 2 23 21 11"
    ),
    (52, 4): (
        "* 0 17 34 | 36 37 5 13 | 2 3 22 30 | 19 20 39 47 | 6 8 43 1 | 23 25 9 18 | 40 42 26 35 | "
        "46 49 28 24 | 12 15 45 41 | 29 32 11 7 | 21 14 27 50 | 38 31 44 16 | 4 48 10 33"
    ),
    (64, 4): (
        "* 0 21 42 | 44 52 36 45 | 8 19 60 12 | 32 34 9 27 | 28 37 31 18 | 49 43 61 30 | 7 4 13 57 | "
        "56 10 39 2 | 14 40 51 29 | 35 55 15 53 | 16 11 33 25 | 22 23 48 58 | 46 50 3 1 | "
        "24 17 47 41 | 54 26 20 59 | 6 62 38 5"
    ),
}
"""By entries and seats."""


def is_perfect(entries: int, seats: int) -> bool:
    """Whether there is such a movement here."""
    return (entries, seats) in STARTERS


def perfect(entries: int, seats: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Its rounds, of pairing numbers from 1, ascending; raises KeyError where there is none."""
    ring = (entries - 1) // (seats - 1)
    tables = [table.split() for table in STARTERS[entries, seats].split("|")]
    for shift in range(ring):
        yield tuple(sorted(tuple(sorted(_turned(place, shift, ring, entries) for place in table)) for table in tables))


def _turned(place: str, shift: int, ring: int, entries: int) -> int:
    if place == "*":
        return entries
    first = int(place) // ring * ring
    return first + (int(place) + shift - first) % ring + 1
