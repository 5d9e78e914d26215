"""Random play inside the core: one deal, and whole batches of deals (the house bot `random`)."""

from __future__ import annotations

from typing import Final

from engine.fast.bits import nth, popcount
from engine.fast.chance import Chance
from engine.fast.deal import PLAY, FastDeal, hand
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
from engine.fast.step import step

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
