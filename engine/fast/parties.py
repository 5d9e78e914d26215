"""Batches of parties inside the core, each seat playing by a policy of its own."""

from __future__ import annotations

from typing import Final, final

from engine.fast.chance import Chance
from engine.fast.ints import i64
from engine.fast.party import LOT, FastParty, finish
from engine.fast.random_play import play_random
from engine.fast.rollout import play_out
from engine.rules import Rules

CHOICES: Final = LOT + 1
"""The number of the stream from which a party's players draw."""


@final
class PartyRows:
    """What many parties came to, in order: by side `totals`, `baits` and `stakes`; one each of the others.

    `winner`, `reason` (its place in `engine.party.EndReason`): -1 = none; `deals`: packs played.
    """

    def __init__(self) -> None:
        self.totals: list[int] = []
        self.baits: list[int] = []
        self.stakes: list[int] = []
        self.winner: list[int] = []
        self.reason: list[int] = []
        self.first_dealer: list[int] = []
        self.deals: list[int] = []

    def add(self, p: FastParty) -> None:
        """One more party, over or given up."""
        sheet = p.sheet
        o = sheet.outcome
        sides = int(p.terms.sides)
        stakes: list[int] = [0, 0, 0, 0]
        if p.over and p.terms.short >= 0:
            stakes = [int(o.stake0), int(o.stake1), int(o.stake2), int(o.stake3)]
        self.totals.extend(sheet.score[:sides])
        self.baits.extend(sheet.bait_counts[:sides])
        self.stakes.extend(stakes[:sides])
        self.winner.append(int(sheet.winner))
        self.reason.append(int(sheet.reason))
        self.first_dealer.append(int(p.first_dealer))
        self.deals.append(int(p.number + (1 if p.over else 0)))


def party_seed(seed: i64, number: i64) -> i64:
    """The seed of a party of a study: `Stepper(rules, party_seed(seed, number))` is dealt the same."""
    chance = Chance(seed, number)
    high: i64 = chance.word() << 30
    return high | (chance.word() >> 2)


def batch_parties(rules: Rules, n: i64, seed: i64, first: i64, policies: i64, most: i64) -> PartyRows:
    """Parties `first` to `first + n - 1` of a study, given up after `most` deals.

    `policies`: four bits a seat, seat 0 lowest, as `engine.fast.rollout` numbers them; 0 is random play all round.
    """
    rows = PartyRows()
    chance = Chance(seed, first)
    number: i64 = first
    while number < first + n:
        own: i64 = party_seed(seed, number)
        p = FastParty(rules, own, None, -1, False)
        chance.restart(own, CHOICES)
        while not p.over and p.number < most:
            if policies:
                play_out(p.deal, chance, policies)
            else:
                play_random(p.deal, chance)
            finish(p)
        rows.add(p)
        number += 1
    return rows
