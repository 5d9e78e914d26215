"""Who loses twice is out: losers of the winners' bracket drop into the losers' bracket, whose winner has one more try.

Losers drop in such an order that those who have met meet again as late as can be. The loser of match `index` of a
winners' round (from 0, from the top) drops to place `index XOR mask` of the losers' round. Two who met in winners'
round r, of whom the other lost in round s, meet again where their ways run together: the longer the common beginning of
both masks, read from the top bit, the earlier. Masks `0…` and `1…` keep them apart until the losers' final; but a round
of few matches has a short mask, which is the beginning of some other's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.formats.bracket_building import Sketch, built, check_so_many, first_sources, size_of, why_not_so_many
from tournaments.formats.brackets import LOSER, WINNER, Bracket, Part, Place, Source

VERSION = 1
DROPS: dict[int, tuple[str, ...]] = {
    2: (),
    4: ("0",),
    8: ("0", "1"),
    16: ("0", "1", "0"),
    32: ("0", "1", "01", "1"),
    64: ("0", "1", "01", "10", "0"),
    128: ("0", "1", "01", "10", "0", "1"),
    256: ("0", "10", "001", "1", "01", "10", "0"),
    512: ("0", "10", "01", "101", "001", "1", "01", "1"),
}
"""By size of the full bracket: the masks of all winners' rounds but the last, which has one match.

The first bits of a mask, which goes on with its last one: `0` leaves the order as it is, `1` turns it about, `01` turns
each half about, `10` swaps the halves. With no other masks is the first rematch later, or, in the same round, possible
for fewer pairs.
"""
FIRST_REMATCH = {4: 2, 8: 3, 16: 4, 32: 5, 64: 7, 128: 8, 256: 9, 512: 11}
"""By size: the losers' round, of 2 × (winners' rounds − 1), in which two who have met can first meet again."""


class GrandFinal(StrEnum):
    """What the winners of both brackets play."""

    NONE = "none"
    """nothing: the winner of the winners' bracket is first, the winner of the losers' bracket second"""
    SINGLE = "single"
    RESET = "reset"
    """if the winner of the losers' bracket wins, both have lost once, and one more match decides"""


@dataclass(frozen=True, slots=True)
class Settings:
    grand_final: GrandFinal = GrandFinal.RESET


def why_not(entrants: int, settings: Settings, seats: int = 2) -> str | None:
    """What an organiser can do where this cannot be played; None if it can."""
    return why_not_so_many(entrants, seats)


def bracket_of(entrants: int, settings: Settings | None = None) -> Bracket:
    """The bracket of 2 to 512 seeds; raises ValueError for more or fewer. The loser of the losers' final is third."""
    check_so_many(entrants)
    grand_final = (settings or Settings()).grand_final
    sketches = tuple(_sketches(entrants, grand_final))
    return built(entrants, sketches, first_shared=3)


@dataclass(frozen=True, slots=True)
class _Rounds:
    """Both brackets, by round from 1, and the keys of their matches."""

    last: int
    ends_in_winners: bool
    """no grand final: the winners' last match decides the first place"""

    @property
    def last_of_losers(self) -> int:
        return 2 * (self.last - 1)

    def when_winners(self, number: int) -> int:
        """Winners' rounds are played beside the losers' round before the one that their losers drop to."""
        return 1 if number == 1 else 2 * number - 2

    def when_losers(self, number: int) -> int:
        return number + 1


def _sketches(entrants: int, grand_final: GrandFinal) -> Iterator[Sketch]:
    rounds = _Rounds(size_of(entrants).bit_length() - 1, grand_final is GrandFinal.NONE)
    winners = tuple(_winners(first_sources(entrants), rounds))
    for drawn in winners:
        yield from drawn
    key = sum(len(drawn) for drawn in winners)
    losers = tuple(_losers(winners, rounds, key))
    for drawn in losers:
        yield from drawn
    if grand_final is GrandFinal.NONE:
        return
    key += sum(len(drawn) for drawn in losers)
    challenger = Place(losers[-1][0].key, WINNER) if losers else Place(winners[-1][0].key, LOSER)
    finalists = (Place(winners[-1][0].key, WINNER), challenger)
    yield Sketch(key, 2 * rounds.last, Part.FINAL, finalists, (1, 2))
    if grand_final is GrandFinal.RESET:
        again = (Place(key, LOSER), Place(key, WINNER))
        yield Sketch(key + 1, 2 * rounds.last + 1, Part.RESET, again, (1, 2), conditional_on=key)


def _winners(seats: Sequence[Source], rounds: _Rounds) -> Iterator[tuple[Sketch, ...]]:
    """The winners' rounds from these seats of the first one."""
    key = 0
    for number in range(1, rounds.last + 1):
        decides = (0, 0)
        if rounds.ends_in_winners and number == rounds.last:
            decides = (1, 2) if rounds.last == 1 else (1, 0)
        drawn = tuple(
            Sketch(
                key + index,
                rounds.when_winners(number),
                Part.WINNERS,
                (seats[2 * index], seats[2 * index + 1]),
                decides,
            )
            for index in range(len(seats) // 2)
        )
        yield drawn
        key += len(drawn)
        seats = [Place(one.key, WINNER) for one in drawn]


def _losers(winners: Sequence[tuple[Sketch, ...]], rounds: _Rounds, key: int) -> Iterator[tuple[Sketch, ...]]:
    """The losers' rounds: in odd ones they play each other, in even ones those who drop meet those who are there."""
    seats: list[Source] = _dropped(winners[0], mask(rounds.last, 1))
    for number in range(1, rounds.last_of_losers + 1):
        if number % 2:
            pairs = list(zip(seats[::2], seats[1::2], strict=True))
        else:
            stage = number // 2 + 1
            pairs = list(zip(_dropped(winners[stage - 1], mask(rounds.last, stage)), seats, strict=True))
        is_last = number == rounds.last_of_losers
        drawn = tuple(
            Sketch(
                key + index,
                rounds.when_losers(number),
                Part.LOSERS,
                pair,
                (2, 0) if is_last and rounds.ends_in_winners else (0, 0),
                tier=rounds.last_of_losers - number,
            )
            for index, pair in enumerate(pairs)
        )
        yield drawn
        key += len(drawn)
        seats = [Place(one.key, WINNER) for one in drawn]


def _dropped(drawn: Sequence[Sketch], by: int) -> list[Source]:
    return [Place(drawn[index ^ by].key, LOSER) for index in range(len(drawn))]


def mask(rounds: int, number: int) -> int:
    """By what the losers of winners' round `number`, of so many rounds, drop; the last round drops straight."""
    if number == rounds:
        return 0
    length = rounds - number
    bits = DROPS[1 << rounds][number - 1]
    return int((bits + bits[-1] * length)[:length], 2)
