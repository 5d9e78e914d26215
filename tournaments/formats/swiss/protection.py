"""Keeping those apart who share a shield (an owner, a club) where no absolute criterion is broken for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from tournaments.formats.meetings import Position
from tournaments.formats.swiss.criteria import Criterion, best_by
from tournaments.formats.swiss.field import Field
from tournaments.formats.swiss.matching import NOBODY, Apart, can_all_meet, may_meet
from tournaments.formats.swiss.relief import BYE, lots_of

EXACT = 400
"""Up to so many sides the fewest pairs are found that have to share a shield; above, whole shields are given up."""


def sharing(position: Position) -> dict[int, Set[int]]:
    """By number, the others who share a shield with it; only those who have any."""
    groups = _groups(position)
    found: dict[int, Set[int]] = {}
    for one in position.there:
        others = [groups[shield] for shield in sorted(one.shields) if len(groups[shield]) > 1]
        if others:
            found[one.number] = others[0] if len(others) == 1 else frozenset().union(*others)
    return found


def _groups(position: Position) -> dict[str, frozenset[int]]:
    """Who has each shield. One set for all of them: an owner may have thousands of entries."""
    members: dict[str, list[int]] = defaultdict(list)
    for one in position.there:
        for shield in one.shields:
            members[shield].append(one.number)
    return {shield: frozenset(numbers) for shield, numbers in members.items()}


def is_crowded(position: Position) -> bool:
    """Whether somebody has more than half of all places, the bye among them: then some of his must meet."""
    return any(_fills_too_much(members, len(position.there)) for members in _groups(position).values())


def _fills_too_much(members: Set[int], sides: int) -> bool:
    return len(members) > (sides + 1) // 2


def unavoidable(
    position: Position, field: Field, apart: Apart, shielded: Apart, *, anybody: bool
) -> dict[int, Set[int]]:
    """As `shielded` without those pairs who share a shield and have to meet, since not all can be kept apart."""
    if len(field.sides) > EXACT:
        return _smaller_shields(position, field, apart)
    partners = _fewest_sharing(position, field, apart, shielded, anybody=anybody)
    return {number: others - {partners.get(number, BYE)} for number, others in shielded.items()}


def _fewest_sharing(
    position: Position, field: Field, apart: Apart, shielded: Apart, *, anybody: bool
) -> dict[int, int]:
    numbers = field.numbers
    pairs = may_meet(numbers, apart)
    if len(numbers) % 2:
        pairs += [(BYE, side.number) for side in field.sides if anybody or not side.had_bye]
    most = (len(numbers) + 1) // 2
    share = Criterion(lambda a, b: -(b in shielded.get(a, NOBODY)), most)
    return best_by([share, lots_of(position.lots.of("swiss", "protect", position.round), most)], pairs, everybody=True)


def _smaller_shields(position: Position, field: Field, apart: Apart) -> dict[int, Set[int]]:
    """The shields that can be kept when the largest are given up, one after another, until all can be paired."""
    groups = _groups(position)
    by_size = sorted(groups, key=lambda shield: (len(groups[shield]), shield))
    while by_size:
        by_size.pop()
        if by_size and _fills_too_much(groups[by_size[-1]], len(field.sides)):
            continue
        kept: dict[int, Set[int]] = {}
        for shield in by_size:
            for number in groups[shield]:
                kept[number] = kept[number] | groups[shield] if number in kept else groups[shield]
        both = {number: others | kept.get(number, NOBODY) for number, others in apart.items()}
        numbers = field.numbers[: len(field.sides) // 2 * 2]
        if can_all_meet(numbers, both):
            return kept
    return {}
