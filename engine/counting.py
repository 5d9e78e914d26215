"""What the cards and rights of a running deal are worth so far (R31, R35, R43, R55)."""

from __future__ import annotations

from engine.bella import BELLA, bella_points, is_holder, pair_of
from engine.deal import Deal
from engine.rules import Rules
from engine.sequences import sequence_points, standing
from engine.tricks import LAST_TRICK, Tricks


def deal_points(rules: Rules, deal: Deal) -> tuple[int, ...]:
    """Deal points by side after the last card: tricks, last trick, sequences, bella (R43)."""
    last_side = rules.side_of(deal.in_play.tricks.leader)
    points = _points(rules, deal, last_side)
    return tuple(count + LAST_TRICK * (side == last_side) for side, count in enumerate(points))


def points_so_far(rules: Rules, deal: Deal) -> tuple[int, ...]:
    """Card points, standing sequences and said bella by side; nothing that waits for the last trick (R55)."""
    return _points(rules, deal, None)


def _points(rules: Rules, deal: Deal, last_side: int | None) -> tuple[int, ...]:
    play = deal.in_play
    declared, order = play.declarations.declared, rules.seats_from(play.tricks.first_leader)
    assert deal.maker is not None
    best = standing(rules, play.trump, deal.maker, declared, order)
    sequences = sequence_points(rules, declared, best.scoring(last_side))
    bella = bella_points(rules, play.bella)
    return tuple(
        play.tricks.points[side]
        + (sequences[side] if _allowed(rules, play.tricks, side, rules.sequence_needs_trick) else 0)
        + (bella[side] if _allowed(rules, play.tricks, side, rules.bella_needs_trick) else 0)
        for side in range(rules.sides)
    )


def _allowed(rules: Rules, tricks: Tricks, side: int, needs_trick: bool) -> bool:
    """R31: whether a side may score what needs a trick."""
    return not needs_trick or tricks.won_by_side(rules, side) > 0


def closing_count(rules: Rules, deal: Deal, seat: int) -> int:
    """What a closing seat's side counts in this deal, its total left out (R55)."""
    side = rules.side_of(seat)
    count = points_so_far(rules, deal)[side]
    return count + BELLA * (deal.in_play.bella.seat is None and _unsaid_bella(rules, deal, side))


def _unsaid_bella(rules: Rules, deal: Deal, side: int) -> bool:
    """Whether a seat of the side came with the pair and still has one of it in hand (R55)."""
    play = deal.in_play
    pair = pair_of(play.trump)
    return any(
        is_holder(play.trump, came) and bool(hand & pair)
        for seat, (came, hand) in enumerate(zip(play.declarations.came, deal.hands, strict=True))
        if rules.side_of(seat) == side
    )
