"""Standings at full size: every tie-break beside two independent libraries, with all kinds of unplayed rounds."""

from __future__ import annotations

import random
from collections import Counter

from tests.proofs.showing import Line, NotShown
from tests.tournaments.standings.comparing import differences
from tests.tournaments.standings.events import Event, event, round_robin
from tests.tournaments.standings.oracles import NAMES
from tournaments.formats.meetings import Kind

SWISS, ROUND_ROBINS = 2_000, 300
COMMAND = "`python -m tests.proof standings`"


def standings() -> list[Line]:
    """Swiss events beside both, round robins beside one."""
    return [_swiss(), _round_robins()]


def _swiss() -> Line:
    unplayed: Counter[str] = Counter()
    entrants = 0
    for seed in range(SWISS):
        chance = random.Random(seed)
        one = event(chance, chance.randint(6, 60), chance.randint(5, 11), trouble=0.3)
        _check(one, seed, is_round_robin=False)
        entrants += len(one.entrants)
        unplayed += _unplayed(one)
    told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(unplayed.items()))
    return Line(
        f"in {SWISS:,} random Swiss events {len(NAMES)} tie-breaks (Buchholz with its cuts and medians, "
        "Sonneborn-Berger and its cut, progressive, wins, games won) equal those of tiebreak-core and gacrux by the "
        "edition of March 2026, and places by direct encounter equal gacrux's",
        f"{entrants:,} entrants, {told}: no difference",
        COMMAND,
    )


def _round_robins() -> Line:
    entrants = 0
    for seed in range(ROUND_ROBINS):
        chance = random.Random(seed)
        one = round_robin(chance, chance.randint(6, 20), trouble=0.3)
        _check(one, seed, is_round_robin=True)
        entrants += len(one.entrants)
    return Line(
        f"in {ROUND_ROBINS:,} random round robins with forfeits, which are games there, they equal gacrux's",
        f"{entrants:,} entrants: no difference",
        COMMAND,
    )


def _check(one: Event, seed: int, is_round_robin: bool) -> None:
    if found := differences(one, is_round_robin):
        raise NotShown(f"event {seed}: {'; '.join(found[:3])}")


def _unplayed(one: Event) -> Counter[str]:
    """By kind; a double forfeit counts as two."""
    counted = Counter({"rounds without a word": _silent(one)})
    for meeting in one.meetings:
        if meeting.kind is Kind.FORFEIT:
            counted["forfeit losses"] += len(meeting.absent)
            counted["forfeit wins"] += 2 - len(meeting.absent)
        elif meeting.kind is not Kind.PLAYED:
            counted[f"{meeting.kind.replace('_', ' ')}s"] += 1
    return counted


def _silent(one: Event) -> int:
    return len(one.entrants) * one.rounds - sum(len(meeting.entrants) for meeting in one.meetings)
