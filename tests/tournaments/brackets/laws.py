"""What holds of every bracket, whatever happens in it: a walk that plays one and tries each law after each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

from tests.tournaments.brackets.playing import to_play
from tournaments.formats import double_elimination, gauntlet, single_elimination
from tournaments.formats.brackets import (
    Bracket,
    Decision,
    Part,
    Slots,
    SlotState,
    folded,
    places_of,
)

PLACES = ((1, 2), (2, 1), (2, 2))
"""Either wins, or nobody."""


def brackets_of(entrants: int) -> Iterator[tuple[str, Bracket]]:
    """One of every kind, by name."""
    for third_place in (False, True):
        settings = single_elimination.Settings(third_place)
        yield f"single, third place {third_place}", single_elimination.bracket_of(entrants, settings)
    for final in double_elimination.GrandFinal:
        settings_of_two = double_elimination.Settings(final)
        yield f"double, grand final {final}", double_elimination.bracket_of(entrants, settings_of_two)
    yield "ladder", gauntlet.bracket_of(entrants)


def check_end(bracket: Bracket, decisions: dict[int, Decision], gone: tuple[int, ...] = ()) -> None:
    """Nothing is left open and everybody has a place; at most one is first."""
    slots, over = folded(bracket, decisions, gone)
    open_slots = [number for number, seats in slots.items() for slot in seats if slot.state is SlotState.OPEN]
    assert not open_slots, f"seats of matches {open_slots} are open and nothing is left to play"
    conditional = {match.number for match in bracket.matches if match.conditional_on is not None}
    assert set(over) | conditional == {match.number for match in bracket.matches}
    places = places_of(bracket, decisions, gone)
    assert set(places) == set(range(1, bracket.entrants + 1))
    assert Counter(places.values())[1] <= 1
    assert all(1 <= place <= bracket.entrants for place in places.values())


def check_steps(bracket: Bracket, before: Slots, after: Slots) -> None:
    """A seat that is decided stays decided; nobody sits in two matches of one round, or on both sides of one."""
    for number, seats in before.items():
        for old, new in zip(seats, after[number], strict=True):
            assert old.state is SlotState.OPEN or old.entrant == new.entrant
    seated = Counter(
        (match.round, slot.entrant)
        for match in bracket.matches
        for slot in after[match.number]
        if slot.entrant is not None
    )
    twice = [where for where, count in seated.items() if count > 1]
    assert not twice, f"rounds and who sits there twice: {twice}"


def check_losses(bracket: Bracket, decisions: dict[int, Decision]) -> None:
    """Nobody who is out plays on: one loss, or two in a double elimination, but for the match for the third place."""
    lost: Counter[int] = Counter()
    for number in sorted(decisions):
        if bracket.by_number[number].part is Part.THIRD:
            continue
        for entrant, place in zip(decisions[number].entrants, decisions[number].places, strict=True):
            lost[entrant] += place == 2
    most = 2 if any(match.part is Part.WINNERS for match in bracket.matches) else 1
    assert all(count <= most for count in lost.values())


def walk(bracket: Bracket, random: Random, leavers: int = 0) -> None:
    """Plays in any order, with forfeits by both, while some leave at any moment; tries the laws at each step."""
    decisions: dict[int, Decision] = {}
    gone: tuple[int, ...] = ()
    slots = folded(bracket, decisions, gone)[0]
    while waiting := to_play(bracket, decisions, gone):
        if leavers and random.random() < 0.2:
            gone = (*gone, random.choice([seed for seed in range(1, bracket.entrants + 1) if seed not in gone]))
            leavers -= 1
            now = folded(bracket, decisions, gone)[0]
            check_steps(bracket, slots, now)
            slots = now
            continue
        for number, pair in random.sample(waiting, random.randint(1, len(waiting))):
            places = random.choices(PLACES, (45, 45, 10))[0]
            decisions[number] = Decision(places, pair)
        now = folded(bracket, decisions, gone)[0]
        check_steps(bracket, slots, now)
        slots = now
    check_end(bracket, decisions, gone)
    check_losses(bracket, decisions)
    check_any_order(bracket, decisions, gone, random)


def check_any_order(bracket: Bracket, decisions: dict[int, Decision], gone: tuple[int, ...], random: Random) -> None:
    """The same decisions that arrive in another order, each of them folded in as it comes, give the same seats."""
    arriving = random.sample(sorted(decisions.items()), len(decisions))
    arrived: dict[int, Decision] = {}
    for number, decision in arriving[:3]:
        arrived[number] = decision
        folded(bracket, arrived, gone)
    arrived.update(arriving)
    assert folded(bracket, arrived, gone) == folded(bracket, decisions, gone)
    assert places_of(bracket, arrived, gone) == places_of(bracket, decisions, gone)


def every_ending(bracket: Bracket, gone: tuple[int, ...] = ()) -> int:
    """Plays every pattern of results that there is, tries the laws at each end; returns how many there are."""
    endings, unfinished = 0, [dict[int, Decision]()]
    while unfinished:
        decisions = unfinished.pop()
        waiting = to_play(bracket, decisions, gone)
        if not waiting:
            check_end(bracket, decisions, gone)
            endings += 1
            continue
        for places in product(PLACES, repeat=len(waiting)):
            more = {number: Decision(one, pair) for (number, pair), one in zip(waiting, places, strict=True)}
            unfinished.append(decisions | more)
    return endings
