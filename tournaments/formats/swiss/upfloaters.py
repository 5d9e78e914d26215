"""Who is drawn up to complete a bracket (FIDE C.04.6 art. 3.5).

The brackets are paired from the top. All of a score group, its residents, are paired in their bracket; where they
cannot be among themselves, sides of lower score groups float up to them. Which set does is decided, in this order, by
[C3] the others can still be paired, [C4] the fewest, [C5] the highest scores, [C6] the next score group can be paired
with the fewest that its size allows, [C7] the fewest who floated in the round before, and the order of their numbers.

With the fewest that are needed, no two upfloaters meet each other: without those two it would have gone too. So a set
that can be chosen is one half of the pairs between residents and lower sides in a matching of all who are left.
"""

from __future__ import annotations

from tournaments.formats.swiss.rest import Rest
from tournaments.formats.swiss.upfloater_sets import fewest


def upfloaters_of(rest: Rest) -> tuple[int, ...]:
    """Who floats up to the residents, best first; needs `rest` to be one that can be paired as a whole.

    In a large field nobody does or one, and trying them in their order is quick; else the sets are compared at once.
    """
    if len(rest.residents) % 2 == 0:
        if rest.can_meet(rest.residents) and rest.can_meet(*rest.groups):
            return ()
    elif (one := _single(rest)) is not None:
        return (one,)
    return fewest(rest)


def _single(rest: Rest) -> int | None:
    """The one upfloater, where one is enough; of the highest score with which it goes."""
    for group in rest.groups:
        legal = None
        for number in sorted(group, key=lambda number: number in rest.floated):
            if not (rest.can_meet(rest.residents, (number,)) and rest.can_meet(*rest.groups, but={number})):
                continue
            if follows(rest, number):
                return number
            legal = number if legal is None else legal
        if legal is not None:
            return legal
    return None


def follows(rest: Rest, chosen: int) -> bool:
    """[C6] Whether the next score group, if any of it is left, can be paired with the fewest upfloaters for its size.

    That is none where it is even, one where it is odd, once this one has floated up.
    """
    following = [number for number in rest.following if number != chosen]
    below, taken = rest.groups[1:], {chosen} - set(rest.following)
    if len(following) % 2 == 0:
        return rest.can_meet(following) and rest.can_meet(*below, but=taken)
    others = (number for group in below for number in group if number != chosen)
    return any(rest.can_meet(following, (number,)) and rest.can_meet(*below, but={number, *taken}) for number in others)
