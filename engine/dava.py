"""Dava: raising the stake of a Short in the middle of the play (R59).

Decided: it may be said on every own turn in the phase play, also with a right of the first turn still open; until it
is answered the stake is as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.actions import ACCEPT, SURRENDER, Action
from engine.deal import Deal, End, Phase
from engine.errors import Reason
from engine.rules import Dava, Rules

ANSWERS: Final = (ACCEPT, SURRENDER)


def why_not_dava(rules: Rules, deal: Deal) -> Reason | None:
    """Why the seat to act may not raise, or None: at first either may, then only who accepted last."""
    if rules.dava is None:
        return Reason("not_agreed", "at this table the stake is not raised (R59)")
    if deal.in_play.raiser not in (None, deal.to_act):
        return Reason("not_your_dava", "only who accepted the last dava may say the next (R59)")
    return None


def dava(deal: Deal) -> Deal:
    """The deal after `dava`: the other must answer."""
    return replace(deal, phase=Phase.DAVA, to_act=1 - deal.to_act)


def why_not_answer(action: Action) -> Reason | None:
    """Why an action is not legal in the phase dava, or None."""
    if action in ANSWERS:
        return None
    return Reason("wrong_phase", f"{action} is no answer to dava: accept or surrender (R59)")


def answer(rules: Rules, deal: Deal, action: Action) -> Deal:
    """The deal after the answer: over, or with a higher stake and the turn of whoever raised it."""
    seat = deal.to_act
    if action is SURRENDER:
        return replace(deal, end=End.SURRENDERED, ender=seat)
    play = replace(deal.in_play, stake=_raised(rules, deal.stake), raiser=seat)
    return replace(deal, phase=Phase.PLAY, to_act=1 - seat, play=play)


def _raised(rules: Rules, stake: int) -> int:
    return 2 * stake if rules.dava is Dava.GEOMETRIC else stake + 1
