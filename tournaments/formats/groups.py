"""Groups of nearly one strength, in each of which everybody meets everybody, all side by side.

Reasons: of the first round as a whole `group (group, number, …)` for each group, and those of `snake`; of a table those
of `round_robin`; `group_over ()` for who waits until larger groups have played their rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.formats import round_robin
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, Reason, Table
from tournaments.formats.settings import number
from tournaments.formats.snake import snaked

VERSION = 1
LEAST_OF_A_GROUP, MOST_GROUPS = 2, 64


@dataclass(frozen=True, slots=True)
class Settings:
    """`groups`: how many; 0 for as few as have at most `size` each. `cycles`, `reverse`: as in a round robin.

    `snake`: the best seeds are spread, the next ones the other way about; without it one group after another is filled
    with neighbours, the strongest together.
    """

    groups: int = number(0, 0, MOST_GROUPS)
    size: int = number(4, LEAST_OF_A_GROUP, 40)
    snake: bool = True
    cycles: int = number(1, 1, round_robin.MOST_CYCLES)
    reverse: bool = True


def why_not(entrants: int, settings: Settings, seats: int = 2) -> str | None:
    """What an organiser can do where this cannot be played; None if it can."""
    if seats != 2:
        return f"In a group two meet, and a table has {seats} seats: choose tables, or rules for two or for pairs."
    groups = _count(entrants, settings)
    if entrants < LEAST_OF_A_GROUP * groups or entrants < LEAST_OF_A_GROUP:
        return (
            f"{groups} groups need at least {LEAST_OF_A_GROUP * groups} entrants, there are {entrants}: "
            "enter more, or make fewer groups."
        )
    if groups > MOST_GROUPS:
        return f"There would be {groups} groups, and {MOST_GROUPS} is the most: make them larger."
    return None


def sizes_of(entrants: int, settings: Settings) -> tuple[int, ...]:
    """How many are in each group; they differ by one at most, the first ones being the larger."""
    groups = _count(entrants, settings)
    least, more = divmod(entrants, groups)
    return tuple(least + (group < more) for group in range(groups))


def _count(entrants: int, settings: Settings) -> int:
    return settings.groups or max(1, -(-entrants // settings.size))


def members_of(entrants: Sequence[Entrant], settings: Settings) -> tuple[tuple[tuple[int, ...], ...], list[Reason]]:
    """The numbers of each group, best first, and why; those who share a shield are kept apart as far as can be."""
    order = sorted(one.number for one in entrants)
    sizes = sizes_of(len(order), settings)
    if not settings.snake:
        return tuple(tuple(order[sum(sizes[:group]) :][:size]) for group, size in enumerate(sizes)), []
    groups, reasons = snaked(order, sizes, {one.number: one.shields for one in entrants})
    return tuple(tuple(sorted(group)) for group in groups), reasons


def draw_all(entrants: Sequence[Entrant], settings: Settings, lots: Lots, seats: int = 2) -> tuple[Draw, ...]:
    """All rounds of all groups; nothing is drawn by chance. Raises ValueError where `why_not` knows why."""
    if refused := why_not(len(entrants), settings, seats):
        raise ValueError(refused)
    groups, reasons = members_of(entrants, settings)
    known = {one.number: one for one in entrants}
    robin = round_robin.Settings(settings.cycles, settings.reverse)
    drawn = [round_robin.draw_all([known[member] for member in group], robin, lots, seats) for group in groups]
    rounds = [_side_by_side(groups, drawn, index) for index in range(max(map(len, drawn)))]
    members = [Reason("group", (group, *numbers)) for group, numbers in enumerate(groups, start=1)]
    return (replace(rounds[0], reasons=(*members, *reasons, *rounds[0].reasons)), *rounds[1:])


def _side_by_side(groups: Sequence[tuple[int, ...]], drawn: Sequence[tuple[Draw, ...]], index: int) -> Draw:
    """One round of every group that still plays, byes last."""
    tables, reasons = [], []
    for group, (numbers, rounds) in enumerate(zip(groups, drawn, strict=True), start=1):
        if index < len(rounds):
            tables += [replace(table, group=group) for table in rounds[index].tables]
            reasons += [one for one in rounds[index].reasons if one not in reasons]
        else:
            over = (Reason("group_over"),)
            tables += [Table((one,), Kind.ZERO_BYE, reasons=over, group=group) for one in numbers]
    return Draw(tuple(sorted(tables, key=lambda table: len(table.entrants) < 2)), tuple(reasons))
