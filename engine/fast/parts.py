"""Random play as far as some part of it, so that `python -m engine bench` can say where its time goes."""

from __future__ import annotations

from typing import Final

from engine.fast.chance import Chance
from engine.fast.deal import PLAY, FastDeal, hand
from engine.fast.dealing import begin_drawn
from engine.fast.ints import i64
from engine.fast.legal import legal_rights, playable, sayable
from engine.fast.outcome import Outcome, count
from engine.fast.random_play import has_cards_only, one_of, play_random, random_code
from engine.fast.step import play_card, step
from engine.fast.terms import Terms

DEALT: Final = 0
PLAYED: Final = 1
COUNTED: Final = 2
"""How far each deal goes: each of these does what those before it do, as the batch does."""
BY_TURNS: Final = 3
ASKED_TWICE: Final = 4
CHOSEN_TWICE: Final = 5
"""Played in a loop of this module; then with what is legal worked out once more at every turn, or an action chosen."""


def run_until(terms: Terms, n: i64, part: i64) -> int:
    """Takes `n` deals so far; gives a number made of what was done, so that nothing can be left out."""
    d = FastDeal(terms)
    o = Outcome()
    chance = Chance(1, 0)
    other = Chance(2, 0)
    seen: i64 = 0
    number: i64 = 0
    while number < n:
        chance.restart(1, number)
        begin_drawn(d, number % terms.players, chance)
        if part >= BY_TURNS:
            seen ^= _play_by_turns(d, chance, other, part)
        elif part >= PLAYED:
            play_random(d, chance)
        if part == COUNTED:
            count(d, o)
            seen ^= o.point0
        seen ^= d.held
        number += 1
    return int(seen)


def _play_by_turns(d: FastDeal, chance: Chance, other: Chance, part: i64) -> i64:
    """A deal to its end; gives something of what was asked for once more.

    What is stored in `other` between the two keeps a compiler from seeing that the second answer is the first.
    """
    seen: i64 = 0
    while d.end < 0:
        only_cards: bool = has_cards_only(d)
        mine: i64 = hand(d, d.to_act)
        if part == ASKED_TWICE:
            seen ^= playable(d, mine) if only_cards else _all_legal(d, mine)
            other.a = seen & 0xFFFF
        elif part == CHOSEN_TWICE:
            seen ^= one_of(playable(d, mine), other) if only_cards else random_code(d, other)
        if only_cards:
            play_card(d, one_of(playable(d, mine), chance), 0)
        else:
            step(d, random_code(d, chance))
    return seen


def _all_legal(d: FastDeal, mine: i64) -> i64:
    rights: i64 = legal_rights(d)
    return rights ^ playable(d, mine) ^ sayable(d, mine) if d.phase == PLAY else rights
