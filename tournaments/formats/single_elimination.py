"""Who loses is out. The best seeds have byes into a full bracket and meet as late as can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.formats.bracket_building import Sketch, built, check_so_many, first_sources, size_of, why_not_so_many
from tournaments.formats.brackets import LOSER, WINNER, Bracket, Part, Place, Source

VERSION = 1


@dataclass(frozen=True, slots=True)
class Settings:
    """`third_place`: the losers of the semi-finals play for the third place, which they share otherwise."""

    third_place: bool = False


def why_not(entrants: int, settings: Settings, seats: int = 2) -> str | None:
    """What an organiser can do where this cannot be played; None if it can."""
    return why_not_so_many(entrants, seats)


def bracket_of(entrants: int, settings: Settings | None = None) -> Bracket:
    """The bracket of 2 to 512 seeds; raises ValueError for more or fewer.

    Below four nobody plays for the third place: of three one loses the only semi-final that is played.
    """
    check_so_many(entrants)
    has_third = (settings or Settings()).third_place and entrants >= 4
    return built(entrants, _sketches(entrants, has_third), first_shared=5 if has_third else 3)


def _sketches(entrants: int, has_third: bool) -> Iterator[Sketch]:
    seats: list[Source] = list(first_sources(entrants))
    last = size_of(entrants).bit_length() - 1
    key = 0
    for number in range(1, last):
        losers_play_on = has_third and number == last - 1
        tier = None if losers_play_on else last - 1 - number
        drawn = [
            Sketch(key + index, number, Part.MAIN, (seats[2 * index], seats[2 * index + 1]), tier=tier)
            for index in range(len(seats) // 2)
        ]
        yield from drawn
        key += len(drawn)
        seats = [Place(one.key, WINNER) for one in drawn]
        if losers_play_on:
            yield Sketch(key, last, Part.THIRD, tuple(Place(one.key, LOSER) for one in drawn), (3, 4))
            key += 1
    yield Sketch(key, last, Part.FINAL, (seats[0], seats[1]), (1, 2))
