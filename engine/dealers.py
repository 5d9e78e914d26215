"""Who deals (R12-R15)."""

from __future__ import annotations

from engine.deal import Deal, End
from engine.party import Outcome, PartyResult
from engine.rules import HangDealer, NextDealer, PartyDealer, Rules
from engine.scoring import Verdict


def next_dealer(rules: Rules, deal: Deal, outcome: Outcome) -> int:
    """Who deals the next deal of the party (R12-R14, R66)."""
    if deal.end is End.REDEAL or outcome.same_dealer:
        return deal.dealer
    left = rules.seats_after(deal.dealer)
    if deal.end is End.ALL_PASS:
        return left[0]
    if outcome.verdict is Verdict.HANG and rules.hang_dealer is HangDealer.MAKER:
        assert deal.maker is not None
        return deal.maker
    if rules.next_dealer is NextDealer.ROTATE:
        return left[0]
    return max(left, key=lambda seat: outcome.written[rules.side_of(seat)])


def first_dealer_after(rules: Rules, last_dealer: int, result: PartyResult) -> int:
    """Who deals first in the next party of a match (R15).

    Decided: the deal rotates from the dealer of the last deal; so it does too where nobody has won.
    """
    left = rules.seats_after(last_dealer)
    if rules.party_dealer is PartyDealer.ROTATE or result.winner is None:
        return left[0]
    return next(seat for seat in left if rules.side_of(seat) == result.winner)
