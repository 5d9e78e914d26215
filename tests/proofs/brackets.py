"""Brackets at full size: places, rematches, and that no seat is ever waited for in vain."""

from __future__ import annotations

from random import Random

from tests.proofs.showing import Line, NotShown
from tests.tournaments.brackets.laws import brackets_of, every_ending, walk
from tests.tournaments.brackets.playing import better_seed, played
from tests.tournaments.brackets.rematches import latest_first_rematch, possible_rematches
from tournaments.formats.bracket_building import size_of
from tournaments.formats.brackets import order_of
from tournaments.formats.double_elimination import FIRST_REMATCH, bracket_of

MOST, ALL_PATTERNS = 128, 7
COMMAND = "`python -m tests.proof brackets`"


def brackets() -> list[Line]:
    """Single and double elimination and ladders of every size."""
    return [_places(), _rematches(), _endings(), _walks()]


def _places() -> Line:
    count = 0
    for entrants in range(2, MOST + 1):
        for name, bracket in brackets_of(entrants):
            if order_of(bracket, played(bracket, better_seed)) != tuple(range(1, entrants + 1)):
                raise NotShown(f"{name} of {entrants}: places are not the seeds'")
            count += 1
    return Line(
        f"if the better seed always wins, places equal seeds in every bracket of 2 to {MOST}: single elimination with "
        "and without a match for third place, double elimination with each grand final, ladders",
        f"{count} brackets; those who leave in one round share a place and are listed by seed",
        COMMAND,
    )


def _rematches() -> Line:
    for size, first in FIRST_REMATCH.items():
        seen = min(possible_rematches(bracket_of(size)))
        if seen != first:
            raise NotShown(f"{size}: the first rematch is possible in losers' round {seen}, not {first}")
    for entrants in range(3, MOST + 1):
        size = size_of(entrants)
        if entrants < size and min(possible_rematches(bracket_of(entrants))) < FIRST_REMATCH[size]:
            raise NotShown(f"{entrants}: byes bring a rematch forward")
    tried = 0
    for rounds in range(3, 10):
        latest, count = latest_first_rematch(rounds)
        tried += count
        if latest > FIRST_REMATCH[1 << rounds]:
            raise NotShown(f"{1 << rounds}: another order has its first rematch in losers' round {latest}")
    rounds_of = {size: 2 * (size.bit_length() - 2) for size in FIRST_REMATCH}
    return Line(
        "who has met can meet again in the losers' bracket no earlier than stated, by every way through the bracket; "
        f"byes ({MOST} entrants and fewer) bring nothing forward",
        "first round, of so many: "
        + ", ".join(f"{size}: LB{first} of {rounds_of[size]}" for size, first in FIRST_REMATCH.items())
        + f"; none of {tried:,} other orders of dropping is later",
        COMMAND,
    )


def _endings() -> Line:
    endings = sum(
        every_ending(bracket) for entrants in range(2, ALL_PATTERNS + 1) for _, bracket in brackets_of(entrants)
    )
    return Line(
        f"every pattern of results, double forfeits among them, of every bracket of 2 to {ALL_PATTERNS} comes to its "
        "end: no seat left open, everybody placed, at most one first",
        f"{endings:,} endings",
        COMMAND,
    )


def _walks() -> Line:
    count = 0
    for entrants in range(2, MOST + 1):
        random = Random(entrants)
        for _, bracket in brackets_of(entrants):
            for leavers in (0, 1, random.randint(2, entrants)):
                walk(bracket, random, leavers)
                count += 1
    return Line(
        f"random results in random order, a tenth of them forfeited by both, while some leave at any moment, of 2 to "
        f"{MOST} entrants: after each step no decided seat changes and nobody sits twice in a round; in the end none "
        "is open, and any order of arrival gives the same seats",
        f"{count:,} events",
        COMMAND,
    )
