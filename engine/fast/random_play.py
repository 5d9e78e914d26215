"""Random play inside the core: one deal, and whole batches of deals (the house bot `random`)."""

from __future__ import annotations

from typing import Final

from engine.fast.bits import lowest, nth, popcount
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
from engine.fast.outcome import Outcome
from engine.fast.outcome import count as count_deal
from engine.fast.rows import Rows
from engine.fast.step import play_card, step
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
        return one_of(rights, chance)
    mine: i64 = hand(d, d.to_act)
    cards: i64 = playable(d, mine)
    bella: i64 = sayable(d, mine) & cards
    if not rights | bella:
        return CARD_CODE + 2 * one_of(cards, chance)
    return nth_of(rights, cards, bella, chance.below(popcount(rights) + popcount(cards) + popcount(bella)))


def one_of(mask: i64, chance: Chance) -> i64:
    """The place of one of the set bits; where there is only one, nothing is drawn."""
    count: i64 = popcount(mask)
    return nth(mask, chance.below(count)) if count > 1 else lowest(mask)


def play_random(d: FastDeal, chance: Chance) -> None:
    """Plays a deal to its end, every seat as the house bot `random`."""
    while d.end < 0:
        step(d, random_code(d, chance))
        if not d.logging and has_cards_only(d):
            _play_cards(d, chance)


def has_cards_only(d: FastDeal) -> bool:
    """Whether nothing can be done in this deal any more but play cards, with bella or without."""
    if d.phase != PLAY or d.comes + 1 != 1 << d.players or d.done <= d.terms.second_card:
        return False
    return not d.terms.close and d.terms.dava < 0


def _play_cards(d: FastDeal, chance: Chance) -> None:
    """Plays the rest of a deal in which there are only cards left to play."""
    queen: i64 = d.trump << 3 | 5
    holder: i64 = -1
    if d.bella_seat < 0 and (d.dealt >> queen) & 3 == 3:
        holder = (d.own0 >> queen) & 1 | ((d.own1 >> queen) & 1) << 1
    while d.end < 0:
        mine: i64 = hand(d, d.to_act)
        cards: i64 = playable(d, mine)
        bella: i64 = sayable(d, mine) & cards if d.to_act == holder else 0
        if bella:
            code: i64 = nth_of(0, cards, bella, chance.below(popcount(cards) + popcount(bella))) - CARD_CODE
            play_card(d, code >> 1, code & 1)
        else:
            play_card(d, one_of(cards, chance), 0)


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
        count_deal(d, o)
        rows.add(d, o)
        number += 1
    rows.finish()
    return rows
