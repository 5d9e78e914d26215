"""Plays a bracket to its end, by any rule for who wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tournaments.formats.brackets import Bracket, BracketMatch, Decision, SlotState, folded

Chooser = Callable[[BracketMatch, tuple[int, int]], tuple[int, ...]]
"""From a match and who meets there to the places per seat."""


def to_play(
    bracket: Bracket, decisions: dict[int, Decision], gone: Sequence[int] = ()
) -> list[tuple[int, tuple[int, int]]]:
    """The matches that wait for nothing but their result, and who meets there."""
    slots, over = folded(bracket, decisions, gone)
    return [
        (number, (seats[0].entrant or 0, seats[1].entrant or 0))
        for number, seats in slots.items()
        if number not in over and all(slot.state is SlotState.FILLED for slot in seats)
    ]


def played(bracket: Bracket, chooser: Chooser, gone: Sequence[int] = ()) -> dict[int, Decision]:
    """The decisions of a whole bracket."""
    decisions: dict[int, Decision] = {}
    while waiting := to_play(bracket, decisions, gone):
        for number, pair in waiting:
            decisions[number] = Decision(chooser(bracket.by_number[number], pair), pair)
    return decisions


def better_seed(match: BracketMatch, pair: tuple[int, int]) -> tuple[int, int]:
    return (1, 2) if pair[0] < pair[1] else (2, 1)
