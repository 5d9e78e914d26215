"""On what terms a round is paired: who is kept apart and who has the bye.

The absolute criteria come first. Where they leave no pairing, the stage's policy says what happens; where the
protection of shields leaves none, as little of it as can be is given up.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

from tournaments.formats.meetings import NoDraw, Position
from tournaments.formats.swiss.bye import bye_of
from tournaments.formats.swiss.field import Field, Side
from tournaments.formats.swiss.matching import NOBODY, Apart, can_all_meet
from tournaments.formats.swiss.protection import is_crowded, sharing, unavoidable
from tournaments.formats.swiss.relief import least_given_up
from tournaments.formats.swiss.settings import Infeasible, Settings

NO_PAIRING = (
    "This round cannot be paired: whatever is drawn, two would meet again or somebody would have a second bye. End the "
    "stage here, or seat this round by hand."
)


@dataclass(frozen=True, slots=True)
class Terms:
    """`apart`: who may not meet whom. `bye`: who has no opponent.

    `sharing`: who shares a shield with whom, while that is looked at; `shielded`: of these, who is kept apart.
    """

    apart: Apart
    bye: Side | None
    sharing: Apart = field(default_factory=dict)
    shielded: Apart = field(default_factory=dict)

    def is_given_up(self, one: int, other: int) -> bool:
        """Whether these two may meet though they share a shield that is looked at."""
        return other in self.sharing.get(one, NOBODY)


def terms_of(position: Position, settings: Settings, sides: Field) -> Terms:
    """The terms of this round; raises NoDraw where there are none by the policy."""
    terms = _on(sides, {side.number: side.met.keys() for side in sides.sides})
    if terms is None and settings.infeasible is Infeasible.REMATCH:
        terms = _relieved(position, sides)
    if terms is None:
        raise NoDraw("no_pairing", NO_PAIRING)
    if position.round > settings.protect:
        return terms
    return _protected(position, sides, terms)


def _on(sides: Field, apart: Apart, *, anybody: bool = False) -> Terms | None:
    """Terms with these kept apart, None where not all can be paired; `anybody` may then have the bye, be it again."""
    if len(sides.sides) % 2 == 0:
        return Terms(apart, None) if can_all_meet(sides.numbers, apart) else None
    bye = bye_of(sides, apart, anybody=anybody)
    return Terms(apart, bye) if bye else None


def _relieved(position: Position, sides: Field) -> Terms | None:
    given_up = least_given_up(position, sides)
    eased = {side.number: side.met.keys() - given_up.again.get(side.number, set()) for side in sides.sides}
    return _on(sides, eased, anybody=given_up.second_bye)


def _protected(position: Position, sides: Field, terms: Terms) -> Terms:
    """With those kept apart too who share a shield, but for as few pairs of them as have to meet."""
    anybody = terms.bye is not None and terms.bye.had_bye > 0
    shared = sharing(position)
    shielded = shared
    if not shared:
        return terms
    found = None if is_crowded(position) else _on(sides, _both(terms.apart, shielded), anybody=anybody)
    if found is None:
        shielded = unavoidable(position, sides, terms.apart, shared, anybody=anybody)
        found = _on(sides, _both(terms.apart, shielded), anybody=anybody)
    return Terms(found.apart, found.bye, shared, shielded) if found else Terms(terms.apart, terms.bye, shared)


def _both(apart: Apart, more: Apart) -> dict[int, Set[int]]:
    return {number: others | more[number] if number in more else others for number, others in apart.items()}
