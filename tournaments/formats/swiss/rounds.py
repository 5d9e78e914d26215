"""How many rounds a Swiss has, how many it can have, and whether what is left of it can still be paired."""

from __future__ import annotations

from tournaments.formats.meetings import Position
from tournaments.formats.swiss.field import field_of
from tournaments.formats.swiss.matching import can_all_meet, heaviest, is_sure, may_meet
from tournaments.formats.swiss.settings import Infeasible, Settings


def rounds_of(entrants: int, settings: Settings, seats: int = 2) -> int:
    """How many rounds there are; left open, ⌈log₂ n⌉ + 2, which separate a winner and the four best, if they are sure.

    Never more than can be paired without meeting twice.
    """
    if settings.rounds:
        return settings.rounds
    return min((max(entrants, 1) - 1).bit_length() + 2, max(sure_rounds(entrants), 1))


def sure_rounds(entrants: int) -> int:
    """So many rounds can be paired whatever the results, if everybody plays in each of them.

    Let n be the entrants, and the bye among them if they are odd. Before round r each has met r - 1, so that each may
    meet n - r. If that is n/2 or more, all can be paired (Dirac). Where n is a multiple of 4, one more round can be:
    then each may meet an odd number D = n/2 - 1 of the n = 2D + 2. Were there no pairing, then some s sides would leave
    s + 2 odd groups or more if they were removed (Tutte, and parity). A group of D or fewer has D pairs or more with
    the s; only one can be larger, or two of D + 1, which is even. So the s have (s + 1)·D pairs with the groups, and
    they have s·D at most.
    """
    size = entrants + entrants % 2
    return size // 2 + (size % 4 == 0)


def most_rounds(entrants: int) -> int:
    """More rounds than this cannot be played without meeting twice: all have then met all, and had their bye."""
    return entrants - 1 + entrants % 2


def why_not(entrants: int, settings: Settings, seats: int = 2) -> str | None:
    """None, or why this Swiss cannot be begun and what can be done."""
    if seats != 2:
        return f"This Swiss seats two sides at a table, not {seats}: choose the Swiss for tables."
    if entrants < 2:
        return f"A Swiss needs two entrants, there are {entrants}."
    rounds, most, sure = rounds_of(entrants, settings), most_rounds(entrants), sure_rounds(entrants)
    if rounds > most:
        return (
            f"{entrants} entrants can play {most} rounds without meeting twice, not {rounds}: play a round robin, with "
            "more than one cycle if need be, or fewer rounds."
        )
    if rounds > sure and settings.infeasible is Infeasible.STOP:
        return (
            f"With {entrants} entrants {sure} rounds can be paired whatever the results; after that, who has met whom "
            f"may leave none of the {rounds}. Play {sure} rounds or fewer, or a round robin, or let those who have met "
            "meet again where nothing else is left."
        )
    return None


def feasible(position: Position) -> bool | None:
    """Whether this round and those after it can be paired with those who are there now; None where it is not known.

    True is proven: each may meet so many that every round is sure, or the pairs for all rounds were found. False is
    proven for this round alone.
    """
    field = field_of(position, Settings())
    numbers = field.numbers
    most_apart = max((len(side.met) for side in field.sides), default=0)
    left = position.rounds - position.round + 1
    if len(numbers) % 2 == 0 and is_sure(len(numbers), most_apart + left - 1):
        return True
    apart: dict[int, set[int]] = {side.number: set(side.met) for side in field.sides}
    if len(numbers) % 2:
        apart[0] = {side.number for side in field.sides if side.had_bye}
        for number in apart[0]:
            apart[number].add(0)
        numbers = [0, *numbers]
    if not can_all_meet(numbers, apart):
        return False
    return True if len(numbers) <= FOUND_UP_TO and _found(numbers, apart, left) else None


FOUND_UP_TO = 64
"""In fields up to this size the pairs of all rounds that are left are looked for."""


def _found(numbers: list[int], apart: dict[int, set[int]], rounds: int) -> bool:
    """Whether pairs for so many rounds are found, each round those first who may meet the fewest."""
    for _ in range(rounds):
        scarce = {number: len(apart[number]) for number in numbers}
        pairs = [(a, b, 1 + scarce[a] + scarce[b]) for a, b in may_meet(numbers, apart)]
        partners = heaviest(pairs, as_many_as_possible=True)
        if len(partners) < len(numbers):
            return False
        for one, other in partners.items():
            apart[one].add(other)
    return True
