"""Why a party is over or goes on, and who deals next (R12-R14, R52-R54, R71)."""

from __future__ import annotations

from typing import Final

from engine.deal import Deal, End
from engine.notes.note import Note, note
from engine.party import EndReason, Party, PartyResult
from engine.rules import BothReach, HangDealer, NextDealer, Rules
from engine.scoring import Verdict, unique_highest, verdict_of
from engine.texts import gettext_noop as _

PROTOCOL: Final = "protocol §3"
"""Where a forfeit is laid down: no clause of the rule book knows it."""


def ending_notes(rules: Rules, after: Party, deal: Deal) -> tuple[Note, ...]:
    """The end of the party, or that it goes on and who deals then; `after`: with the deal written."""
    if after.result is None:
        return (*_goes_on(rules, after, deal), next_dealer_note(rules, after, deal))
    lost = sum(pool.points for pool in after.waiting)
    burnt = (note("R53", _("The %(points)s points that still wait are lost."), points=lost),) if lost else ()
    return (*_over(rules, after, after.result, deal), *burnt)


def _is_hang(rules: Rules, after: Party, deal: Deal) -> bool:
    if deal.end is not End.PLAYED or deal.maker is None:
        return False
    return verdict_of(rules, deal.maker, after.deals[-1].points) is Verdict.HANG


def _goes_on(rules: Rules, after: Party, deal: Deal) -> tuple[Note, ...]:
    if rules.deals is not None:
        played, text = after.played, _("Played deals: %(number)s of %(deals)s.")
        return (note("R71", text, number=played, deals=rules.deals),)
    if deal.end in (End.ALL_PASS, End.REDEAL):
        return (note("R58", _("This was not the deal yet.")),) if rules.short else ()
    if rules.hang_blocks_end and _is_hang(rules, after, deal):
        return (note("R53", _("A deal that ends in a hang ends no party here.")),)
    reached = tuple(side for side, total in enumerate(after.totals) if total >= rules.target)
    if reached:
        text = _("%(sides)s have reached %(target)s and are equal: another deal is played.")
        return (note("R52", text, sides=reached, target=rules.target),)
    return (note("R52", _("Nobody has reached %(target)s: the party goes on."), target=rules.target),)


def next_dealer_note(rules: Rules, after: Party, deal: Deal) -> Note:
    """Who deals next, and why."""
    seat = after.next_dealer
    if deal.end is End.REDEAL:
        return note("R13", _("%(seat)s deals again after the claim."), seat=seat)
    if deal.end is End.ALL_PASS:
        return note("R13", _("Nobody named trumps: %(seat)s, next in turn, deals."), seat=seat)
    if deal.end is End.FAULT and _is_redealt(after):
        return note("R66", _("The deal is void: %(seat)s deals again."), seat=seat)
    if rules.hang_dealer is HangDealer.MAKER and _is_hang(rules, after, deal):
        return note("R14", _("After a hang the maker deals: %(seat)s."), seat=seat)
    if rules.next_dealer is NextDealer.ROTATE:
        return note("R12", _("The deal goes round: %(seat)s deals next."), seat=seat)
    written = after.deals[-1].written
    winner = unique_highest(written, range(rules.sides))
    if winner is None:
        equal = tuple(side for side, count in enumerate(written) if count == max(written))
        text = _("%(sides)s have written the same: %(seat)s, nearer to the dealer's left, deals next.")
        return note("R12", text, sides=equal, seat=seat)
    text = _("%(side)s has written most, so %(seat)s deals next.")
    return note("R12", text, side=winner, seat=seat)


def _is_redealt(after: Party) -> bool:
    """Whether a fault made the deal void: its dealer deals again."""
    return not any(after.deals[-1].points) and after.next_dealer == after.deals[-1].dealer


def _over(rules: Rules, after: Party, result: PartyResult, deal: Deal) -> tuple[Note, ...]:
    if result.reason is EndReason.TARGET:
        return (_by_target(rules, result, deal),)
    if result.reason is EndReason.LEAD:
        assert result.winner is not None
        lead = result.totals[result.winner] - max(
            total for side, total in enumerate(result.totals) if side != result.winner
        )
        text = _("%(side)s leads everybody by %(lead)s, at least the %(limit)s that end the party, and has won.")
        return (note("R54", text, side=result.winner, lead=lead, limit=rules.lead_limit),)
    if result.reason is EndReason.DEALS:
        return (_by_deals(rules, result),)
    return _by_the_deal(result)


def _by_target(rules: Rules, result: PartyResult, deal: Deal) -> Note:
    assert result.winner is not None
    reached = tuple(side for side, total in enumerate(result.totals) if total >= rules.target)
    values = {"side": result.winner, "total": result.totals[result.winner], "target": rules.target}
    if len(reached) == 1:
        return note("R52", _("%(side)s has %(total)s, has reached %(target)s and has won."), **values)
    if rules.both_reach is BothReach.LAST_TRICK and deal.end is End.PLAYED and _took_last(rules, deal, result.winner):
        text = _("%(sides)s have reached %(target)s; %(side)s took the last trick and has won.")
    elif rules.both_reach is BothReach.MAKER and deal.maker is not None and rules.side_of(deal.maker) == result.winner:
        text = _("%(sides)s have reached %(target)s; %(side)s named trumps and has won.")
    else:
        text = _("%(sides)s have reached %(target)s; %(side)s has most with %(total)s and has won.")
    return note("R52", text, sides=reached, **values)


def _took_last(rules: Rules, deal: Deal, side: int) -> bool:
    return rules.side_of(deal.in_play.tricks.leader) == side


def _by_deals(rules: Rules, result: PartyResult) -> Note:
    if result.winner is None:
        most = max(result.totals)
        equal = tuple(side for side, total in enumerate(result.totals) if total == most)
        text = _("All %(deals)s deals are played; %(sides)s have the same, %(total)s: nobody has won.")
        return note("R71", text, deals=rules.deals, sides=equal, total=most)
    text = _("All %(deals)s deals are played; %(side)s has most with %(total)s and has won.")
    return note("R71", text, deals=rules.deals, side=result.winner, total=result.totals[result.winner])


def _by_the_deal(result: PartyResult) -> tuple[Note, ...]:
    """Endings that the last action has brought about, whatever the totals."""
    clause, text = _BY_THE_DEAL[result.reason]
    if result.winner is None:
        return (note(clause, _("The party is over; nobody has won it.")),)
    return (note(clause, text, side=result.winner),)


_BY_THE_DEAL = {
    EndReason.CLOSED: ("R55", _("The party is closed: %(side)s has won.")),
    EndReason.FALSE_CLOSE: ("R56", _("A false close loses the party: %(side)s has won.")),
    EndReason.JACKPOT: ("R25", _("The jackpot wins the party: %(side)s has won.")),
    EndReason.SHORT: ("R58", _("The one deal is over: %(side)s has won.")),
    EndReason.SURRENDER: ("R59", _("The other side has surrendered: %(side)s has won.")),
    EndReason.FORFEIT: (PROTOCOL, _("The party is given up: %(side)s has won.")),
}
