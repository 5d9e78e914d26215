"""Random play inside the core: one deal, and whole batches of deals (the house bot `random`)."""

from __future__ import annotations

from typing import Final

from engine.fast.bits import nth, popcount
from engine.fast.chance import Chance
from engine.fast.deal import PLAY, FastDeal, hand
from engine.fast.dealing import begin_drawn
from engine.fast.ints import i64
from engine.fast.legal import (
    CARD_CODE,
    CLOSE_CODE,
    REDEAL_CODE,
    SURRENDER_CODE,
    legal_rights,
    nth_of,
    playable,
    sayable,
)
from engine.fast.outcome import Outcome, count
from engine.fast.rows import Rows
from engine.fast.step import step
from engine.fast.terms import Terms

SELDOM: Final = 40
"""One turn in so many considers the actions that end a deal at once (`engine.bots.random`)."""

_ENDING: Final = 1 << CLOSE_CODE | 1 << REDEAL_CODE | 1 << SURRENDER_CODE


def random_code(d: FastDeal, chance: Chance) -> i64:
    """What the house bot `random` would do: each action that it considers is equally likely."""
    rights: i64 = legal_rights(d)
    if rights & _ENDING and chance.below(SELDOM):
        rights &= ~_ENDING
    if d.phase != PLAY:
        return nth(rights, chance.below(popcount(rights)))
    mine: i64 = hand(d, d.to_act)
    cards: i64 = playable(d, mine)
    bella: i64 = sayable(d, mine) & cards
    if not rights | bella:
        return CARD_CODE + 2 * nth(cards, chance.below(popcount(cards)))
    return nth_of(rights, cards, bella, chance.below(popcount(rights) + popcount(cards) + popcount(bella)))


def play_random(d: FastDeal, chance: Chance) -> None:
    """Plays a deal to its end, every seat as the house bot `random`."""
    while d.end < 0:
        step(d, random_code(d, chance))


def batch_random(terms: Terms, n: i64, seed: i64, first: i64) -> Rows:
    """Deals `first` to `first + n - 1` of a study, each on its own, played by the house bot `random`.

    Deal i has the stream `Chance(seed, i)` for itself, and seat i mod players deals it: however a study is divided,
    its deals are the same. Nothing waits before a deal and no bait is counted; the terms are best those of a party of
    one deal (R71), for else `close` counts its totals from 0.
    """
    rows = Rows(terms.sides, terms.short)
    d = FastDeal(terms)
    o = Outcome()
    chance = Chance(seed, first)
    number: i64 = first
    while number < first + n:
        chance.restart(seed, number)
        begin_drawn(d, number % terms.players, chance)
        play_random(d, chance)
        count(d, o)
        rows.add(d, o)
        number += 1
    rows.finish()
    return rows
