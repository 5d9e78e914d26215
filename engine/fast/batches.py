"""Batches of deals inside the core, each seat playing by a policy of its own."""

from __future__ import annotations

from engine.fast.chance import Chance
from engine.fast.deal import FastDeal
from engine.fast.dealing import begin_drawn
from engine.fast.ints import i64
from engine.fast.outcome import Outcome, count
from engine.fast.random_play import batch_random
from engine.fast.rollout import play_out
from engine.fast.rows import Rows
from engine.fast.terms import Terms


def batch_deals(terms: Terms, n: i64, seed: i64, first: i64, policies: i64) -> Rows:
    """Deals `first` to `first + n - 1` of a study, as `batch_random` deals them, played by `policies`.

    `policies`: four bits a seat, seat 0 lowest, as `engine.fast.rollout` numbers them; 0 is random play all round.
    The cards of a deal are the same whatever plays it.
    """
    if not policies:
        return batch_random(terms, n, seed, first)
    rows = Rows(terms.sides, terms.short)
    d = FastDeal(terms)
    o = Outcome()
    chance = Chance(seed, first)
    number: i64 = first
    while number < first + n:
        chance.restart(seed, number)
        begin_drawn(d, number % terms.players, chance)
        play_out(d, chance, policies)
        count(d, o)
        rows.add(d, o)
        number += 1
    rows.finish()
    return rows
