"""Brackets: matches whose seats are filled by the results of other matches, drawn whole before the first card.

Seeds are the stage's own numbers, 1 the best. A seat knows where its entrant comes from; `filled` folds the decided
matches into who sits where. The fold looks at what is decided and never at when: results in any order of arrival, or
corrected long after, give the same seats. No seat stays open for somebody who cannot come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

WINNER, LOSER = 1, 2
"""The places of a match."""


class Part(StrEnum):
    """Which part of the bracket a match belongs to."""

    MAIN = "main"
    WINNERS = "winners"
    LOSERS = "losers"
    THIRD = "third"
    FINAL = "final"
    RESET = "reset"
    LADDER = "ladder"


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Nobody:
    """A bye: there is no match that anybody could come from."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whoever takes this place in that match: 1 the winner, 2 the loser."""

    match: int
    place: int


Source = Seed | Nobody | Place


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match of a bracket; `sources` in seat order.

    `number`: from 1 in playing order, so that sources lie before it. `round`: playing order over the whole bracket,
    from 1; nobody can sit in two matches of one round. `conditional_on`: it is played only if the second seat of that
    match beats the first. `decides`: final places of its winner and its loser, 0 where their way goes on.
    """

    number: int
    round: int
    part: Part
    sources: tuple[Source, ...]
    conditional_on: int | None = None
    decides: tuple[int, ...] = (0, 0)

    @property
    def is_bye(self) -> bool:
        """Whether it was clear from the beginning that one comes here alone."""
        return any(isinstance(source, Nobody) for source in self.sources)


@dataclass(frozen=True)
class Bracket:
    """A whole bracket of seeds 1 … `entrants`.

    `by_points`: its matches decide no places; the standings do, by points (a challenger's gauntlet).
    """

    entrants: int
    matches: tuple[BracketMatch, ...]
    by_points: bool = False

    @property
    def rounds(self) -> int:
        return max((match.round for match in self.matches), default=0)

    @cached_property
    def by_number(self) -> dict[int, BracketMatch]:
        return {match.number: match for match in self.matches}

    @cached_property
    def ways(self) -> dict[Place, BracketMatch]:
        """Where whoever takes a place goes on to, conditional matches left out."""
        return {
            source: match
            for match in self.matches
            for source in match.sources
            if isinstance(source, Place) and match.conditional_on is None
        }

    @cached_property
    def conditions(self) -> dict[int, BracketMatch]:
        """By the match that it depends on: the match that is played only if the second seat wins."""
        return {match.conditional_on: match for match in self.matches if match.conditional_on is not None}


class SlotState(StrEnum):
    OPEN = "open"
    """still to be filled from somewhere"""
    FILLED = "filled"
    BYE = "bye"
    """provably nobody"""
    VOID = "void"
    """whoever was to sit here is gone, or the match is not needed"""


@dataclass(frozen=True, slots=True)
class Slot:
    """One seat of a match. `entrant`: who sits here, or would if he were not gone."""

    state: SlotState
    entrant: int | None = None


OPEN, BYE, VOID = Slot(SlotState.OPEN), Slot(SlotState.BYE), Slot(SlotState.VOID)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decided match: per seat 1 (won) or 2 (lost); nobody won a double forfeit (2, 2); empty: the match is void.

    `entrants`: who met, in seat order. A decision about others than those who sit there now, after a correction, is
    stale and counts for nothing; left empty, it is about whoever sits there.
    """

    places: tuple[int, ...]
    entrants: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.places and (set(self.places) - {WINNER, LOSER} or self.places.count(WINNER) > 1):
            raise ValueError(f"A match of a bracket has at most one winner; these are no places: {self.places}.")


Decisions = Mapping[int, Decision]
Slots = dict[int, tuple[Slot, ...]]
Outcome = tuple[int, ...]
"""Per seat: 1 won, 2 lost, 0 nobody was there."""


def filled(bracket: Bracket, decisions: Decisions, gone: Sequence[int] = ()) -> Slots:
    """Who sits where, by match, after these decisions.

    `gone`: seeds that are withdrawn or disqualified, in the order in which they left. Their seats in matches that are
    not decided are void, and who sits opposite goes on without playing; of two who are gone whoever left later goes on,
    so that nobody who leaves changes what was so before.
    """
    return folded(bracket, decisions, gone)[0]


def outcomes(bracket: Bracket, decisions: Decisions, gone: Sequence[int] = ()) -> dict[int, Outcome]:
    """The matches that are over, those that needed no playing among them."""
    return folded(bracket, decisions, gone)[1]


def folded(bracket: Bracket, decisions: Decisions, gone: Sequence[int] = ()) -> tuple[Slots, dict[int, Outcome]]:
    """`filled` and `outcomes` at once."""
    slots: Slots = {}
    over: dict[int, Outcome] = {}
    for match in bracket.matches:
        seats = _seats(match, slots, over)
        decision = decisions.get(match.number)
        if decision is None or not applies(decision, seats):
            seats, ended = _left_to_itself(seats, gone)
        else:
            ended = _decided(seats, decision)
        slots[match.number] = seats
        if ended is not None:
            over[match.number] = ended
    return slots, over


def _seats(match: BracketMatch, slots: Slots, over: Mapping[int, Outcome]) -> tuple[Slot, ...]:
    if match.conditional_on is not None:
        if match.conditional_on not in over:
            return (OPEN,) * len(match.sources)
        if over[match.conditional_on] != (LOSER, WINNER):
            return (VOID,) * len(match.sources)
    return tuple(_seat(source, slots, over) for source in match.sources)


def _seat(source: Source, slots: Slots, over: Mapping[int, Outcome]) -> Slot:
    if isinstance(source, Nobody):
        return BYE
    if isinstance(source, Seed):
        return Slot(SlotState.FILLED, source.number)
    if source.match not in over:
        return OPEN
    came = [
        slot.entrant
        for slot, place in zip(slots[source.match], over[source.match], strict=True)
        if place == source.place
    ]
    return Slot(SlotState.FILLED, came[0]) if len(came) == 1 else BYE


def applies(decision: Decision, seats: tuple[Slot, ...]) -> bool:
    """Whether a decision is about those who sit here now."""
    if any(slot.state is SlotState.OPEN or slot == VOID for slot in seats):
        return False
    if not decision.places:
        return True
    here = tuple(slot.entrant for slot in seats)
    if decision.entrants and decision.entrants != here:
        return False
    return all(entrant is not None for entrant in here)


def stale(bracket: Bracket, decisions: Decisions, gone: Sequence[int] = ()) -> tuple[int, ...]:
    """Numbers of the matches whose decisions are about others than those who sit there now."""
    slots = filled(bracket, decisions, gone)
    return tuple(
        number
        for number, decision in sorted(decisions.items())
        if number in slots and not applies(decision, slots[number])
    )


def _decided(seats: tuple[Slot, ...], decision: Decision) -> Outcome:
    """A void match sends nobody on, as if both had forfeited it."""
    places = decision.places or (LOSER,) * len(seats)
    return tuple(0 if slot.entrant is None else place for slot, place in zip(seats, places, strict=True))


def _left_to_itself(seats: tuple[Slot, ...], gone: Sequence[int]) -> tuple[tuple[Slot, ...], Outcome | None]:
    """Voids the seats of those who are gone; the match is over if no two are left who could meet."""
    seats = tuple(
        Slot(SlotState.VOID, slot.entrant) if slot.state is SlotState.FILLED and slot.entrant in gone else slot
        for slot in seats
    )
    states = [slot.state for slot in seats]
    if SlotState.OPEN in states or states.count(SlotState.FILLED) > 1:
        return seats, None
    onward = max(
        (slot.entrant for slot in seats if slot.entrant is not None),
        key=lambda entrant: gone.index(entrant) if entrant in gone else len(gone),
        default=None,
    )
    return seats, tuple(0 if slot.entrant is None else WINNER if slot.entrant == onward else LOSER for slot in seats)


def places_of(bracket: Bracket, decisions: Decisions, gone: Sequence[int] = ()) -> dict[int, int]:
    """The final places of those whose way is over, by seed; 1 the best, shared by those who left at the same stage.

    A place is that of the stage and not a count: after a double forfeit of the final two share the second place and
    nobody has the first. Whoever should have gone on and could not (a double forfeit) has the place of those who lose
    the match that he would have lost next.
    """
    slots, over = folded(bracket, decisions, gone)
    places: dict[int, int] = {}
    for match in bracket.matches:
        for slot, place in zip(slots[match.number], over[match.number], strict=True) if match.number in over else ():
            if slot.entrant is not None and (final := _final_place(bracket, match, place, slots, over)):
                places[slot.entrant] = final
    return places


def _final_place(
    bracket: Bracket, match: BracketMatch, place: int, slots: Slots, over: Mapping[int, Outcome]
) -> int | None:
    """What this place of that match decides for good; None where the way goes on."""
    condition = bracket.conditions.get(match.number)
    if condition is not None and slots[condition.number][0] != VOID:
        return None
    if match.decides[place - 1]:
        return match.decides[place - 1]
    is_shared = over[match.number].count(place) > 1
    if is_shared or Place(match.number, place) not in bracket.ways:
        return _lowest(bracket, match) or None
    return None


def _lowest(bracket: Bracket, match: BracketMatch) -> int:
    """The final place of whoever sits in this match and loses from here on."""
    if match.decides[1]:
        return match.decides[1]
    next_place = Place(match.number, WINNER if match.is_bye else LOSER)
    onward = bracket.ways.get(next_place)
    return _lowest(bracket, onward) if onward is not None else 0


def order_of(bracket: Bracket, decisions: Decisions, gone: Sequence[int] = ()) -> tuple[int, ...]:
    """Those whose way is over, best first: by place, those who share one by seed."""
    places = places_of(bracket, decisions, gone)
    return tuple(sorted(places, key=lambda seed: (places[seed], seed)))
