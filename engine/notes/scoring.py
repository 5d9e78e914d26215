"""The last step of a deal: everything that was written, and why (R13, R19, R25, R43-R59, R66, R71)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.bella import BELLA
from engine.bidding import OFFERED
from engine.counting import points_so_far
from engine.deal import Deal, End
from engine.faults import Cost, Fault, cost_of
from engine.notes.counting import counted_notes, side_note
from engine.notes.ending import PROTOCOL, ending_notes
from engine.notes.note import Note, note
from engine.notes.writing import fine_notes, given_up_notes, verdict_note, written_notes
from engine.party import Party
from engine.rules import Rules, Short
from engine.scoring import unique_highest
from engine.texts import gettext_noop as _


def score_notes(rules: Rules, before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    """A finished deal: `before` and `after` are the party without it and with it."""
    assert deal.end is not None
    if rules.short is not None:
        written = _short(rules, after, deal)
    else:
        written = _WRITTEN[deal.end](rules, before, after, deal) if deal.end in _WRITTEN else _nothing(deal)
    return (*written, *ending_notes(rules, after, deal))


def _nothing(deal: Deal) -> tuple[Note, ...]:
    if deal.end is End.REDEAL:
        return (note("R21", _("The cards are thrown in: nothing is written.")),)
    return (note("R13", _("Nothing is written, and what waits waits on.")),)


def _played(rules: Rules, before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    return (*counted_notes(rules, deal, whole=True), *written_notes(rules, before, after, deal))


def _offer_accepted(rules: Rules, _before: Party, _after: Party, deal: Deal) -> tuple[Note, ...]:
    assert deal.maker is not None
    text = _("%(side)s writes the %(writes)s that were offered; nothing else is written.")
    return (note("R19", text, side=rules.side_of(deal.maker), writes=OFFERED),)


def _closed(rules: Rules, _before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    """What the closer counted, a bella not said yet too."""
    assert deal.ender is not None
    side = rules.side_of(deal.ender)
    writes = after.deals[-1].written[side]
    notes = [side_note(rules, deal, side, whole=False)]
    if writes > points_so_far(rules, deal)[side]:
        text = _("%(side)s has a bella that could still be said: %(points)s more.")
        notes.append(note("R55", text, side=side, points=BELLA))
    text = _("%(side)s writes the %(writes)s that it counted; nobody else writes.")
    return (*notes, note("R55", text, side=side, writes=writes))


def _closed_falsely(rules: Rules, before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    """Nothing for a lost party; else the closer's total is gone and doubled for the others."""
    if after.result is not None and not any(after.deals[-1].written):
        return (note("R56", _("Nobody writes anything for this deal.")),)
    assert deal.ender is not None
    side, written = rules.side_of(deal.ender), after.deals[-1].written
    gone = _("%(side)s closed falsely and loses its total: %(writes)s.")
    twice = _("%(side)s writes %(writes)s: twice that, or its share of it.")
    notes = [note("R56", gone, side=side, writes=written[side])]
    others = (other for other in range(rules.sides) if other != side)
    notes.extend(note("R56", twice, side=other, writes=written[other]) for other in others)
    return tuple(notes)


def _jackpot(rules: Rules, _before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    assert deal.ender is not None
    side = rules.side_of(deal.ender)
    if not any(after.deals[-1].written):
        return (note("R25", _("%(side)s has a jackpot: nobody writes, and the party is over."), side=side),)
    text = _("%(side)s has a jackpot and writes the target's %(writes)s; nobody else writes.")
    return (note("R25", text, side=side, writes=after.deals[-1].written[side]),)


def _fault(rules: Rules, before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    """What an illegal card costs: as a revoke does at this table."""
    assert deal.ender is not None
    side, record = rules.side_of(deal.ender), after.deals[-1]
    cost = cost_of(rules.fault_table, Fault.REVOKE)
    if cost is Cost.REDEAL_100:
        text = _("The deal is void: %(side)s is fined %(fine)s, and nobody writes.")
        return (note("R66", text, side=side, fine=record.fines[side]),)
    if cost is Cost.SWEET_TRICK:
        text = _("The richest trick of %(side)s without the trump jack goes to the other side.")
        counted: tuple[Note, ...] = (note("R66", text, side=side), *_totals(record.points))
    else:
        counted = counted_notes(rules, deal, whole=False)
    nothing_held = (0,) * rules.sides
    given_up = given_up_notes(rules, deal.ender, record.points, record.points, nothing_held)
    head = note("R66", _("The illegal card counts as a revoke of %(side)s."), side=side)
    return (head, *counted, *given_up, *fine_notes(rules, before, after, deal))


def _totals(points: tuple[int, ...]) -> tuple[Note, ...]:
    text = _("%(side)s: %(points)s points so far.")
    return tuple(note("R66", text, side=side, points=count) for side, count in enumerate(points))


def _forfeit(_rules: Rules, _before: Party, after: Party, _deal: Deal) -> tuple[Note, ...]:
    assert after.result is not None
    assert after.result.forfeiter is not None
    text = _("%(seat)s gives the party up: nothing is written for this deal.")
    return (note(PROTOCOL, text, seat=after.result.forfeiter),)


_WRITTEN: Final[dict[End, Callable[[Rules, Party, Party, Deal], tuple[Note, ...]]]] = {
    End.PLAYED: _played,
    End.OFFER_ACCEPTED: _offer_accepted,
    End.CLOSED: _closed,
    End.FALSE_CLOSE: _closed_falsely,
    End.JACKPOT: _jackpot,
    End.FAULT: _fault,
    End.FORFEIT: _forfeit,
}


def _short(rules: Rules, after: Party, deal: Deal) -> tuple[Note, ...]:
    """One deal for stakes: points are counted and written as they are, and stakes change hands."""
    result = after.result
    if result is None or result.stakes is None:
        return _nothing(deal)
    notes: list[Note] = []
    if deal.end in (End.PLAYED, End.FAULT):
        notes.extend(counted_notes(rules, deal, whole=deal.end is End.PLAYED))
    if deal.end is End.FORFEIT:
        assert result.forfeiter is not None
        notes.append(note(PROTOCOL, _("%(seat)s gives the party up and pays the stake."), seat=result.forfeiter))
    elif deal.end is not End.PLAYED:
        assert deal.ender is not None
        text = _("%(seat)s has lost the deal and pays the stake.")
        notes.append(note("R59" if deal.end is End.SURRENDERED else "R66", text, seat=deal.ender))
    else:
        notes.append(_short_verdict(rules, after, deal))
    written = enumerate(after.deals[-1].written)
    text = _("%(side)s writes its %(writes)s.")
    notes.extend(note("R58", text, side=side, writes=points) for side, points in written if points)
    return (*notes, *(_stake_note(side, won) for side, won in enumerate(result.stakes) if won))


def _short_verdict(rules: Rules, after: Party, deal: Deal) -> Note:
    points = after.deals[-1].points
    if rules.short is Short.BAIT:
        assert deal.maker is not None
        return verdict_note(rules, deal.maker, points)
    winner = unique_highest(points, range(rules.sides))
    if winner is None:
        equal = tuple(side for side, count in enumerate(points) if count == max(points))
        return note("R58", _("%(sides)s have the same at the top: no stakes."), sides=equal)
    text = _("%(side)s has most points, whoever named trumps: a stake of %(stake)s from every other side.")
    return note("R58", text, side=winner, stake=deal.stake)


def _stake_note(side: int, won: int) -> Note:
    if won > 0:
        return note("R58", _("%(side)s wins %(stakes)s in stakes."), side=side, stakes=won)
    return note("R58", _("%(side)s pays %(stakes)s in stakes."), side=side, stakes=-won)
