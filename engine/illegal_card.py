"""A program's illegal card where the table plays `illegal_move=rules`: it costs what a revoke does (R66).

Decided: only a card in hand that R38-R40 do not allow is an illegal card on the table; whatever else is not legal is
an ordinary fault of the program. A trick that passes to the other side is that side's in every respect but bella's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.actions import PLAYS, Action
from engine.cards import JACK, POINTS, Card, card_of, parse_card
from engine.counting import points_so_far
from engine.deal import Deal, End, Phase
from engine.faults import Cost, Fault, cost_of
from engine.party import Outcome, Party, nothing
from engine.rules import Rules
from engine.scoring import PoolFrom, Pools, bait_fines, given_up, shares
from engine.tricks import Trick, legal_plays, winner_of

REDEAL_FINE: Final = 100


def fault_in(rules: Rules, deal: Deal, action: Action) -> Action | None:
    """The plain card that costs as a revoke does if it is played now; None if the action is no such fault."""
    if rules.illegal_move is None or deal.phase is not Phase.PLAY or action.card is None:
        return None
    play, seat = deal.in_play, deal.to_act
    hand = deal.hands[seat]
    legal = legal_plays(rules, play.trump, hand, play.tricks.trick, seat)
    return PLAYS[action.card] if hand & ~legal & 1 << action.card else None


def fault(deal: Deal) -> Deal:
    """The deal after an illegal card: over, and the table learns why."""
    return replace(deal, end=End.FAULT, ender=deal.to_act, history=(*deal.history, f"! fault {deal.to_act}"))


def fault_outcome(rules: Rules, party: Party, deal: Deal) -> Outcome:
    """What is written and fined, by what a revoke costs at this table."""
    assert deal.ender is not None
    cost = cost_of(rules.fault_table, Fault.REVOKE)
    if cost is Cost.REDEAL_100:
        fines = shares(rules, REDEAL_FINE, [rules.side_of(deal.ender)])
        return replace(nothing(rules, party), fines=fines, same_dealer=True)
    if cost is Cost.SWEET_TRICK:
        return _bait(rules, party, _without_richest(rules, deal, deal.ender), deal.ender, counted=False)
    return _bait(rules, party, deal, deal.ender, counted=True)


def _bait(rules: Rules, party: Party, deal: Deal, offender: int, counted: bool) -> Outcome:
    """The offender's side writes nothing and its points go as at a bait, which is `counted` and fined or not."""
    side, points = rules.side_of(offender), points_so_far(rules, deal)
    written, pool = given_up(rules, offender, points, points)
    baits = tuple(count + (counted and other == side) for other, count in enumerate(party.baits))
    return replace(
        nothing(rules, party),
        points=points,
        written=written,
        waiting=_before_held(party.waiting, pool),
        fines=bait_fines(rules, side if counted else None, baits),
        baits=baits,
    )


def _before_held(waiting: Pools, new: Pools) -> Pools:
    """A new pool after the others, but what is held stands last (R48)."""
    held = tuple(pool for pool in waiting if pool.source is PoolFrom.HELD)
    return (*waiting[: len(waiting) - len(held)], *new, *held)


def _without_richest(rules: Rules, deal: Deal, offender: int) -> Deal:
    """The deal with the offender's richest trick, but the trump jack's, passed to the left; equal: the first."""
    play, side = deal.in_play, rules.side_of(offender)
    jack = card_of(play.trump, JACK)
    taken = ((winner_of(trick, play.trump)[0], trick) for trick in _complete_tricks(rules, deal))
    worth = POINTS[play.trump]
    loose = [
        (sum(worth[card] for _, card in trick), winner)
        for winner, trick in taken
        if rules.side_of(winner) == side and all(card != jack for _, card in trick)
    ]
    if not loose:
        return deal
    points, loser = max(loose, key=lambda one: one[0])
    gainer = next(seat for seat in rules.seats_after(offender) if rules.side_of(seat) != side)
    tricks = replace(
        play.tricks,
        won=_moved(play.tricks.won, loser, gainer, 1),
        points=_moved(play.tricks.points, side, rules.side_of(gainer), points),
    )
    return replace(deal, play=replace(play, tricks=tricks))


def _moved(numbers: Sequence[int], loser: int, gainer: int, count: int) -> tuple[int, ...]:
    return tuple(number - count * (at == loser) + count * (at == gainer) for at, number in enumerate(numbers))


def _complete_tricks(rules: Rules, deal: Deal) -> list[Trick]:
    """The tricks that have been taken, from the deal's history."""
    said = [line.split(" play:") for line in deal.history if " play:" in line]
    plays: list[tuple[int, Card]] = [(int(seat), parse_card(text[:2])) for seat, text in said]
    size = rules.players
    return [tuple(plays[at : at + size]) for at in range(0, deal.in_play.tricks.done * size, size)]
