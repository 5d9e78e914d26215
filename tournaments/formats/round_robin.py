"""Everybody meets everybody, once or several times, by the Berger tables (FIDE C.05, Annex 1).

Reasons: `cycle (number, of)` for each table where there are several; `free_round ()` for who has nobody to meet; for
the whole round `swapped_with (round)` where the last two rounds of a cycle change places, so that nobody sits on the
same side three times running.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Reason, Table
from tournaments.formats.settings import number

VERSION = 1
LEAST, MOST_CYCLES = 2, 8


@dataclass(frozen=True, slots=True)
class Settings:
    """`cycles`: how often each meets each. `reverse`: whether every second cycle has the seats the other way round."""

    cycles: int = number(1, 1, MOST_CYCLES)
    reverse: bool = True


@dataclass(frozen=True, slots=True)
class Meeting:
    """Pairing numbers in seat order; `second` is None for a bye."""

    first: int
    second: int | None


Round = tuple[Meeting, ...]
Cycle = tuple[tuple[Round, ...], bool]
"""Its rounds in playing order, and whether the last two have changed places."""


def why_not(entrants: int, settings: Settings, seats: int) -> str | None:
    """None, or what the organiser can do."""
    if seats != 2:
        return (
            f"In a round robin two meet, and a table has {seats} seats: choose tables, or rules for two or for pairs."
        )
    if entrants < LEAST:
        return f"A round robin needs at least {LEAST} entries, there are {entrants}: enter more."
    return None


def draw_all(entrants: Sequence[Entrant], settings: Settings, lots: Lots, seats: int = 2) -> tuple[Draw, ...]:
    """All rounds of all cycles. Nothing is drawn by chance: places in the Berger tables go by pairing number.

    In an odd field each has one free round a cycle, which is no match and brings nothing. Raises ValueError below two
    entrants.
    """
    numbers = sorted(one.number for one in entrants)
    draws: list[Draw] = []
    for cycle, (rounds, is_swapped) in enumerate(_cycles(len(numbers), settings), start=1):
        of_cycle = (Reason("cycle", (cycle, settings.cycles)),) if settings.cycles > 1 else ()
        end = len(draws) + len(rounds)
        for drawn in rounds:
            late = end - len(draws)
            swapped = (Reason("swapped_with", (end - 2 + late,)),) if is_swapped and late <= 2 else ()
            draws.append(Draw(tuple(_tables(drawn, numbers, of_cycle)), swapped))
    return tuple(draws)


def rounds_of_cycles(entries: int, settings: Settings) -> tuple[Round, ...]:
    """The rounds of every cycle in playing order, for pairing numbers 1 … `entries`."""
    return tuple(drawn for rounds, _ in _cycles(entries, settings) for drawn in rounds)


def _cycles(entries: int, settings: Settings) -> list[Cycle]:
    """All cycles in playing order."""
    once = round_robin(entries)
    cycles: list[Cycle] = []
    for cycle in range(settings.cycles):
        cycles = _joined(cycles, _reversed(once) if settings.reverse and cycle % 2 else once)
    return cycles


def _joined(cycles: Sequence[Cycle], rounds: tuple[Round, ...]) -> list[Cycle]:
    """With one more cycle. Where somebody would have the same seat three times running into it, two rounds are swapped.

    They are the last two of the cycle before, as FIDE has it; of the new one where that serves better, as with four.
    """
    plain: list[Cycle] = [*cycles, (rounds, False)]
    if not cycles or len(rounds) < 2 or not _thrice(plain):
        return plain
    ways = [plain]
    if not cycles[-1][1]:
        ways.append([*cycles[:-1], (_swapped(cycles[-1][0]), True), (rounds, False)])
    ways.append([*cycles, (_swapped(rounds), True)])
    return min(ways, key=_thrice)


def _swapped(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    return (*rounds[:-2], rounds[-1], rounds[-2])


def _thrice(cycles: Sequence[Cycle]) -> int:
    """How often somebody has one seat three times running about where the last cycle begins."""
    before = [drawn for rounds, _ in cycles[-3:-1] for drawn in rounds]
    seats = [_seats(drawn) for drawn in (*before[-4:], *cycles[-1][0][:4])]
    return sum(
        one[entry] == other.get(entry) == third.get(entry)
        for one, other, third in zip(seats, seats[1:], seats[2:], strict=False)
        for entry in one
    )


def _seats(drawn: Round) -> dict[int, int]:
    """Who sits first and second; nobody whose round is free."""
    met = [one for one in drawn if one.second is not None]
    return {one.first: 0 for one in met} | {one.second: 1 for one in met if one.second is not None}


def _reversed(rounds: Iterable[Round]) -> tuple[Round, ...]:
    return tuple(
        tuple(one if one.second is None else Meeting(one.second, one.first) for one in drawn) for drawn in rounds
    )


def _tables(drawn: Round, numbers: Sequence[int], cycle: tuple[Reason, ...]) -> Iterable[Table]:
    """The round's tables with the entrants' own numbers, the free one last."""
    for one in sorted(drawn, key=lambda one: one.second is None):
        if one.second is None:
            yield Table((numbers[one.first - 1],), Kind.ZERO_BYE, reasons=(*cycle, Reason("free_round")))
        else:
            yield Table((numbers[one.first - 1], numbers[one.second - 1]), reasons=cycle)


def round_robin(entries: int) -> tuple[Round, ...]:
    """The rounds of a round robin of pairing numbers 1 … `entries`.

    Returns one tuple of meetings per round; with an odd number of entries one of them is a bye. Raises ValueError
    below two entries. Source: FIDE C.05 Annex 1 (Berger).
    """
    if entries < LEAST:
        raise ValueError(f"A round robin needs at least 2 entries, there are {entries}.")
    even = entries + entries % 2
    return tuple(_round(number, even, entries) for number in range(even - 1))


def _round(number: int, even: int, entries: int) -> Round:
    """Round `number` from 0. The last number stays in its place, all others turn by half the table a round."""
    ring = even - 1
    shift = (number * (even // 2)) % ring
    fixed = shift + 1
    first, second = (fixed, even) if number % 2 == 0 else (even, fixed)
    meetings = [_meeting(first, second, entries)]
    for step in range(1, even // 2):
        meetings.append(_meeting((shift + step) % ring + 1, (shift - step) % ring + 1, entries))
    return tuple(meetings)


def _meeting(first: int, second: int, entries: int) -> Meeting:
    if first > entries:
        return Meeting(second, None)
    return Meeting(first, None if second > entries else second)
