"""Who of two sits first: who has sat first less often; then they alternate; then lots."""

from __future__ import annotations

from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Reason
from tournaments.formats.swiss.field import Field, Side

Seated = tuple[tuple[int, int], Reason]


def seated(field: Field, a: int, b: int, lots: Lots, *, balanced: bool) -> Seated:
    """The two in seat order, and why."""
    better, other = (field.by_number[number] for number in sorted((a, b), key=field.order))
    if not balanced:
        return (better.number, other.number), Reason("first_seat_better", (better.number,))
    return _by_balance(better, other) or _by_alternation(better, other) or _by_lot(better, other, lots)


def _by_balance(better: Side, other: Side) -> Seated | None:
    if len(better.firsts) == len(other.firsts):
        return None
    first, second = sorted((better, other), key=lambda side: len(side.firsts))
    values = first.number, len(first.firsts), len(second.firsts)
    return (first.number, second.number), Reason("first_seat_fewer", values)


def _by_alternation(better: Side, other: Side) -> Seated | None:
    """The other way round than the last time that one of them sat first and the other did not.

    Rounds that one did not play are left out (FIDE C.04.2 art. 3.4); where they always sat alike, the better one
    changes from where it sat last.
    """
    mine, theirs = sorted(better.seated, reverse=True), sorted(other.seated, reverse=True)
    for my_round, their_round in zip(mine, theirs, strict=False):
        if (my_round in better.firsts) != (their_round in other.firsts):
            return _changed(better, other, my_round)
    if mine:
        return _changed(better, other, mine[0])
    return _changed(other, better, theirs[0]) if theirs else None


def _changed(side: Side, other: Side, played: int) -> Seated:
    first, second = (other, side) if played in side.firsts else (side, other)
    return (first.number, second.number), Reason("first_seat_alternates", (side.number, played))


def _by_lot(better: Side, other: Side, lots: Lots) -> Seated:
    """Neither has played: one lot for the whole event says whether odd or even numbers begin first."""
    begins = (better.number + lots.drawn("first_seat")) % 2 == 1
    first, second = (better, other) if begins else (other, better)
    return (first.number, second.number), Reason("first_seat_lot", (first.number,))
