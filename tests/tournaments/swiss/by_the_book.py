"""FIDE C.04.6 read literally: every set and every pairing is listed in its order and the first that complies is taken.

For small fields only; written from the text, and knows nothing of how the rounds are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import combinations

Pair = tuple[int, int]
Apart = Mapping[int, Set[int]]


def pairings(numbers: Sequence[int], apart: Apart) -> Iterator[tuple[Pair, ...]]:
    """All ways to pair these numbers, which ascend, by [C1]."""
    if not numbers:
        yield ()
        return
    first, *others = numbers
    for other in others:
        if other not in apart.get(first, ()):
            left = [number for number in others if number != other]
            yield from (((first, other), *rest) for rest in pairings(left, apart))


def can_be_paired(numbers: Sequence[int], apart: Apart) -> bool:
    return next(pairings(sorted(numbers), apart), None) is not None


class Pairable:
    """Whether a group can be paired, remembered."""

    def __init__(self, apart: Apart) -> None:
        self.apart = apart
        self.asked = cache(self._ask)

    def __call__(self, *groups: Sequence[int]) -> bool:
        return self.asked(frozenset(number for group in groups for number in group))

    def _ask(self, numbers: frozenset[int]) -> bool:
        if not numbers:
            return True
        if len(numbers) % 2:
            return False
        first = min(numbers)
        return any(self.asked(numbers - {first, other}) for other in numbers - {first} - set(self.apart.get(first, ())))


def upfloaters(
    residents: Sequence[int], groups: Sequence[Sequence[int]], apart: Apart, floated: Set[int]
) -> tuple[int, ...]:
    """Art. 3.5: of the sets with which all can be paired, the first by [C4] to [C7] and the order of sets."""
    can = Pairable(apart)
    lower = [number for group in groups for number in sorted(group)]
    level = {number: place for place, group in enumerate(groups) for number in group}
    for count in range(len(residents) % 2, len(lower) + 1, 2):
        legal = [
            chosen
            for chosen in combinations(lower, count)
            if can(residents, chosen) and can([number for number in lower if number not in chosen])
        ]
        if legal:

            def criteria(chosen: tuple[int, ...]) -> tuple[object, ...]:
                gaps = sorted((level[number] for number in chosen), reverse=True)
                by_order = [(level[number], number) for number in chosen]
                return gaps, not follows(chosen, groups, can), len(floated & set(chosen)), by_order

            return min(legal, key=criteria)
    raise AssertionError("nothing can be paired")


def follows(chosen: Sequence[int], groups: Sequence[Sequence[int]], can: Pairable) -> bool:
    """[C6] the next score group, unless emptied, can then be paired with as few upfloaters as its size allows."""
    following = [number for number in groups[0] if number not in chosen] if groups else []
    below = [number for group in groups[1:] for number in group if number not in chosen]
    if not following:
        return True
    return any(
        can(following, more) and can([number for number in below if number not in more])
        for more in combinations(below, len(following) % 2)
    )


def first_pairing(
    members: Sequence[int], floaters: Set[int], floated: Set[int], apart: Apart
) -> tuple[tuple[int, ...], list[Pair]]:
    """Art. 3.6: the identifier and the pairs of the first pairing by [C1] and [C10]."""

    def criteria(pairing: tuple[Pair, ...]) -> tuple[int, tuple[int, ...]]:
        return c10(pairing, floaters, floated), identifier(pairing)

    best = min(pairings(sorted(members), apart), key=criteria)
    return identifier(best), sorted(best)


def c10(pairing: Sequence[Pair], floaters: Set[int], floated: Set[int]) -> int:
    """[C10] opponents of upfloaters who floated in the round before."""
    return sum((a in floaters and b in floated) + (b in floaters and a in floated) for a, b in pairing)


def identifier(pairing: Sequence[Pair]) -> tuple[int, ...]:
    """Art. 3.6.2: the top members ascending, then the bottom member of each."""
    ordered = sorted((min(pair), max(pair)) for pair in pairing)
    return (*(top for top, _ in ordered), *(bottom for _, bottom in ordered))
