"""Everybody meets everybody once, by the Berger tables (FIDE C.05, Annex 1)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meeting:
    """Pairing numbers in seat order; `second` is None for a bye."""

    first: int
    second: int | None


def round_robin(entries: int) -> tuple[tuple[Meeting, ...], ...]:
    """The rounds of a round robin of pairing numbers 1 … `entries`.

    Returns one tuple of meetings per round; with an odd number of entries one of them is a bye. Raises ValueError
    below two entries. Source: FIDE C.05 Annex 1 (Berger).
    """
    if entries < 2:
        raise ValueError(f"A round robin needs at least 2 entries, there are {entries}.")
    even = entries + entries % 2
    return tuple(_round(number, even, entries) for number in range(even - 1))


def _round(number: int, even: int, entries: int) -> tuple[Meeting, ...]:
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
