"""Short: a party of one deal, for stakes (R58, R59).

Decided: who forfeits or lays an illegal card (R66) pays the stake as it stands to every other side, whatever the
fault table says; a maker whose lost game would cost two (`short=bait`, two players) pays two, so that nobody gives up
to pay less. A forfeit and a surrender write nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.counting import deal_points, points_so_far
from engine.deal import Deal, End
from engine.party import EndReason, Outcome, Party, nothing
from engine.rules import Rules, Short
from engine.scoring import Verdict, unique_highest, verdict_of

_LOST_GAME: Final = 2
"""Units that a lost game costs the maker in `short=bait` where there is one defender."""


def short_outcome(rules: Rules, party: Party, deal: Deal) -> Outcome:
    """What a deal is worth: written is what was counted; a pack thrown in is not the deal."""
    if deal.end is End.PLAYED:
        return _played(rules, party, deal)
    if deal.end is End.FAULT:
        return _lost_by_fault(rules, party, deal)
    return _surrendered(rules, party, deal) if deal.end is End.SURRENDERED else nothing(rules, party)


def _played(rules: Rules, party: Party, deal: Deal) -> Outcome:
    assert deal.maker is not None
    points = deal_points(rules, deal)
    if rules.short is Short.BAIT:
        winner, stakes = _for_the_maker(rules, deal.maker, points)
    else:
        winner, stakes = _for_the_highest(rules, points)
    return _counted(rules, party, deal, points, winner, stakes)


def _counted(
    rules: Rules, party: Party, deal: Deal, points: tuple[int, ...], winner: int | None, stakes: Sequence[int]
) -> Outcome:
    return replace(
        nothing(rules, party),
        points=points,
        written=points,
        winner=winner,
        reason=EndReason.SHORT,
        stakes=tuple(deal.stake * units for units in stakes),
    )


def _for_the_highest(rules: Rules, points: Sequence[int]) -> tuple[int | None, tuple[int, ...]]:
    """The winner and the units each side wins: one from each other for a unique highest, whoever named trumps."""
    winner = unique_highest(points, range(rules.sides))
    return winner, (0,) * rules.sides if winner is None else from_each(rules, winner, 1)


def _for_the_maker(rules: Rules, maker: int, points: Sequence[int]) -> tuple[int | None, tuple[int, ...]]:
    """The winner and the units each side wins by `short=bait`: a lost game costs two where there is one defender."""
    side, verdict = rules.side_of(maker), verdict_of(rules, maker, points)
    if verdict is Verdict.HANG:
        return None, (0,) * rules.sides
    if verdict is Verdict.MADE:
        return side, from_each(rules, side, 1)
    return other_of_two(rules, side), from_each(rules, side, -_LOST_GAME if rules.sides == 2 else -1)


def from_each(rules: Rules, side: int, units: int) -> tuple[int, ...]:
    """What each side wins when one gets so many units from every other, or pays them if the number is negative."""
    return tuple((rules.sides - 1) * units if other == side else -units for other in range(rules.sides))


def other_of_two(rules: Rules, side: int) -> int | None:
    """The only other side; None if there are several, of which none is the winner."""
    return 1 - side if rules.sides == 2 else None


def _lost_by_fault(rules: Rules, party: Party, deal: Deal) -> Outcome:
    assert deal.ender is not None
    side = rules.side_of(deal.ender)
    winner, stakes = other_of_two(rules, side), from_each(rules, side, -_cost_of_defaulting(rules, deal, side))
    return _counted(rules, party, deal, points_so_far(rules, deal), winner, stakes)


def _surrendered(rules: Rules, party: Party, deal: Deal) -> Outcome:
    assert deal.ender is not None
    side = rules.side_of(deal.ender)
    return replace(
        nothing(rules, party),
        winner=other_of_two(rules, side),
        reason=EndReason.SURRENDER,
        stakes=from_each(rules, side, -deal.stake),
    )


def stakes_of_forfeit(rules: Rules, deal: Deal, seat: int) -> tuple[int, ...] | None:
    """What each side wins when a seat gives the party up; None where there are no stakes."""
    if rules.short is None:
        return None
    side = rules.side_of(seat)
    return from_each(rules, side, -deal.stake * _cost_of_defaulting(rules, deal, side))


def _cost_of_defaulting(rules: Rules, deal: Deal, side: int) -> int:
    """Units that a side pays to every other when it gives up: never less than its lost game would cost."""
    is_maker = deal.maker is not None and rules.side_of(deal.maker) == side
    return _LOST_GAME if is_maker and rules.short is Short.BAIT and rules.sides == 2 else 1
