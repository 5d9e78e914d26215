"""What has happened at a table by a turn, by the names of the columns in `events.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine import Rules
from engine.bella import bella_points
from engine.deal import Deal, End, Phase
from engine.party import DealRecord
from engine.rules import Prize
from engine.scoring import PoolFrom, Verdict, verdict_of
from engine.sequences import standing
from tests.engine.directed import Turn


def happened(turn: Turn) -> Iterator[str]:
    """The events of a turn, by the names of `EVENTS`."""
    yield from _acted(turn)
    yield from _learned(turn)
    if turn.ended:
        yield from _ended(turn)


def _acted(turn: Turn) -> Iterator[str]:
    action, before = turn.action, turn.before
    if action is None:
        return
    if turn.cause is not None and turn.cause != "illegal":
        yield "default"
    phase = before.phase
    if action.kind == "exchange":
        yield "exchange before the buy-in" if phase is Phase.SWAP else "exchange before a first card"
    elif action.kind == "redeal":
        yield f"redeal: {_claimed(before.deal)}"
    elif action.kind == "close":
        yield {
            End.CLOSED: "close: true",
            End.FALSE_CLOSE: f"false close: {before.rules.false_close}",
            None: "false close: nothing",
        }[turn.deal.end]
    elif action.kind == "accept":
        yield "dava accepted" if phase is Phase.DAVA else "offer accepted"
    elif action.bella:
        yield "bella said"
    elif action.kind in _BY_KIND:
        yield _BY_KIND[action.kind.value]


_BY_KIND: Final = {
    "take": "taken in round one",
    "trump": "named in round two",
    "offer": "offer",
    "decline": "offer declined",
    "declare": "declared",
    "dava": "dava",
    "surrender": "surrender",
}


def _claimed(deal: Deal) -> str:
    """Which claim of a redeal it was."""
    sevens = sum(1 << 8 * suit for suit in range(4))
    if deal.hands[deal.to_act] & sevens == sevens:
        return "four sevens"
    return "below" if deal.phase is Phase.BID else "poor"


def _learned(turn: Turn) -> Iterator[str]:
    """What the table learned: the lines with `!` that are new."""
    for line in turn.deal.history[len(turn.before.deal.history) + 1 :]:
        words = line.split()
        if words[:2] == ["!", "announce"]:
            yield f"announced: {words[3]}"
            if turn.action is not None and turn.action.kind == "play":
                yield "declared by itself"
        elif words[:2] == ["!", "ask"]:
            yield f"asked: {words[3]}"
        elif words[:2] in (["!", "height"], ["!", "bottom"]):
            yield words[1]
        elif words[:2] == ["!", "show"] and turn.deal.end not in (End.REDEAL, End.JACKPOT):
            yield "shown"


def _ended(turn: Turn) -> Iterator[str]:
    """A deal was written."""
    rules, deal, line = turn.before.rules, turn.deal, turn.after.party.deals[-1]
    if line.end in _BY_END:
        yield _BY_END[line.end]
    if line.end is End.JACKPOT:
        own = rules.jackpot is not None and rules.jackpot.prize is Prize.PARTY and rules.deals is None
        yield "jackpot for the party" if own else "jackpot for the target"
    if line.end is End.FAULT:
        yield f"fault: {rules.fault_table if rules.short is None else 'in Short'}"
    if line.end is End.PLAYED:
        yield from _counted(rules, deal)
        if rules.short is None:
            yield from _written(turn, line)
    if turn.after.result is not None:
        yield from _over(turn)


_BY_END: Final = {End.PLAYED: "played", End.ALL_PASS: "all pass", End.FORFEIT: "forfeit"}


def _counted(rules: Rules, deal: Deal) -> Iterator[str]:
    """Sequences, bella and tricks of a deal that was played out."""
    tricks = deal.in_play.tricks
    if any(not tricks.won_by_side(rules, side) for side in range(rules.sides)):
        yield "no tricks"
    said = deal.in_play.bella
    if said.seat is not None:
        points, own = bella_points(rules, said), rules.side_of(said.seat)
        other = sum(points) - points[own]
        yield "bella: to another side" if other else f"bella: {points[own]}"
    yield from _compared(rules, deal)


def _compared(rules: Rules, deal: Deal) -> Iterator[str]:
    """How equal sequences of two sides were told apart (R28, R30)."""
    play, maker = deal.in_play, deal.maker
    assert maker is not None
    order = rules.seats_from(play.tricks.first_leader)
    best = standing(rules, play.trump, maker, play.declarations.declared, order)
    scoring = best.scoring(rules.side_of(play.tricks.leader))
    if len(scoring) > 1 and all(play.declarations.declared[side] for side in scoring):
        yield "both defenders' sequences"
    runs = [(seat, run) for seat in order for run in play.declarations.declared[seat] or ()]
    highest = max((run.rank for _, run in runs), default=None)
    tied = [(rules.side_of(seat), run.top // 8 == play.trump) for seat, run in runs if run.rank == highest]
    sides = {side for side, _ in tied}
    if len(sides) < 2 or (rules.defenders_pool and rules.side_of(maker) not in sides):
        return
    if best.open:
        yield "tie: by the last trick" if scoring else "tie: the last trick is another's"
    elif not scoring:
        yield "tie: nobody scores"
    else:
        by_suit = rules.sequence_tie != "order" and any(is_trump for _, is_trump in tied)
        yield "tie: by trumps" if by_suit else "tie: by order"


def _written(turn: Turn, line: DealRecord) -> Iterator[str]:
    """Made, bait or hang, waiting points, fines (R44-R51)."""
    rules, before = turn.before.rules, turn.before.party
    assert line.maker is not None
    verdict = verdict_of(rules, line.maker, line.points)
    yield verdict.value
    waited, waits = before.waiting, line.waiting
    held = [pool for pool in waited if pool.source is PoolFrom.HELD]
    if verdict is Verdict.HANG:
        if any(pool.source is PoolFrom.HANG for pool in waited) or held:
            yield "hang upon hang"
        if any(pool.source is PoolFrom.HELD for pool in waits):
            yield "points held"
    else:
        if held:
            yield "held points written"
        yield from ("waiting points won" for pool in waited if pool not in held and pool not in waits)
        yield from ("waiting on" for pool in waited if pool in waits)
    if any(pool.source is PoolFrom.BAIT and pool not in waited for pool in waits):
        yield "equal defenders: the bait waits"
    trickless = [side for side in range(rules.sides) if not turn.deal.in_play.tricks.won_by_side(rules, side)]
    for side, fine in enumerate(line.fines):
        if fine > rules.no_tricks_fine * (side in trickless):
            yield "bait fined"
        if side in trickless and rules.no_tricks_fine:
            yield "no tricks fined"
    reached = [line.totals[side] >= rules.target for side, points in enumerate(line.written) if points]
    if verdict is Verdict.HANG and any(reached) and rules.deals is None and turn.after.result is None:
        yield "hang blocks the end"


def _over(turn: Turn) -> Iterator[str]:
    party = turn.after.party
    result, rules = party.result, turn.before.rules
    assert result is not None
    yield f"over: {result.reason}"
    if party.waiting:
        yield "waiting points burn"
    if result.winner is None and rules.sides == len([t for t in result.totals if t == max(result.totals)]):
        yield "nobody wins"
    reached = sum(total >= rules.target for total in result.totals)
    if result.reason == "target" and reached > 1:
        yield "several reach the target"
