"""Closing early: what comes of it (R55, R56). When it may be said is in `rights.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.counting import closing_count
from engine.deal import Deal, End
from engine.party import EndReason, Outcome, Party, nothing
from engine.rules import FalseClose, Rules
from engine.scoring import shares


def close(rules: Rules, party: Party, deal: Deal) -> Deal:
    """The deal after `close`: over, or going on after a false one where that costs nothing (R55, R56)."""
    seat = deal.to_act
    reached = party.totals[rules.side_of(seat)] + closing_count(rules, deal, seat) >= rules.target
    if reached:
        return replace(deal, end=End.CLOSED, ender=seat)
    if rules.false_close is FalseClose.NOTHING:
        play = deal.in_play
        return replace(deal, play=replace(play, barred=play.barred | 1 << seat))
    return replace(deal, end=End.FALSE_CLOSE, ender=seat)


def closed(rules: Rules, party: Party, deal: Deal) -> Outcome:
    """The closer's side writes what it counted and wins (R55)."""
    assert deal.ender is not None
    side = rules.side_of(deal.ender)
    points = shares(rules, closing_count(rules, deal, deal.ender), [side])
    return replace(nothing(rules, party), points=points, written=points, winner=side, reason=EndReason.CLOSED)


def closed_falsely(rules: Rules, party: Party, deal: Deal) -> Outcome:
    """The party is lost, or the closer's total is and the others write twice as much (R56)."""
    assert deal.ender is not None
    if rules.false_close is FalseClose.LOSE:
        winner = best_other(rules, party.totals, deal.ender)
        return replace(nothing(rules, party), winner=winner, reason=EndReason.FALSE_CLOSE)
    side = rules.side_of(deal.ender)
    total = party.totals[side]
    gains = shares(rules, 2 * max(0, total), rules.others_after(deal.ender))
    written = tuple(-total if other == side else gain for other, gain in enumerate(gains))
    return replace(nothing(rules, party), written=written)


def best_other(rules: Rules, totals: Sequence[int], seat: int) -> int:
    """The other side, of several the one with the highest total, then nearest to the seat's left (R56)."""
    return max(rules.others_after(seat), key=lambda side: totals[side])
