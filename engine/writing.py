"""Writing a finished deal into its party, however it ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.bidding import OFFERED
from engine.closing import best_other, closed, closed_falsely
from engine.counting import deal_points
from engine.deal import Deal, End
from engine.dealers import next_dealer
from engine.ending import result_of
from engine.illegal_card import fault_outcome
from engine.jackpots import jackpot_outcome
from engine.party import DealRecord, EndReason, Outcome, Party, nothing
from engine.rules import Rules
from engine.scoring import PoolFrom, shares, write_deal
from engine.short import short_outcome, stakes_of_forfeit

NO_DEAL: Final = (End.ALL_PASS, End.REDEAL)
"""How a pack ends that is no played deal (R71). Decided: every other end is one, a jackpot too."""


def write(rules: Rules, party: Party, deal: Deal) -> Party:
    """The party with a finished deal written into it, over if that ends it."""
    return _entered(rules, party, deal, _outcome(rules, party, deal))


def forfeited(rules: Rules, party: Party, deal: Deal, seat: int) -> Party:
    """The party lost by a seat, its running deal standing last (protocol §3)."""
    outcome = replace(
        nothing(rules, party),
        winner=best_other(rules, party.totals, seat),
        reason=EndReason.FORFEIT,
        stakes=stakes_of_forfeit(rules, deal, seat),
        forfeiter=seat,
    )
    return _entered(rules, party, replace(deal, end=End.FORFEIT), outcome)


def _entered(rules: Rules, party: Party, deal: Deal, outcome: Outcome) -> Party:
    assert deal.end is not None
    lines = zip(party.totals, outcome.written, outcome.fines, strict=True)
    totals = tuple(before + written - fine for before, written, fine in lines)
    record = DealRecord(
        number=deal.number,
        dealer=deal.dealer,
        deck=deal.deck,
        actions=deal.actions,
        end=deal.end,
        maker=deal.maker,
        trump=deal.trump,
        points=outcome.points,
        written=outcome.written,
        waiting=outcome.waiting,
        fines=outcome.fines,
        totals=totals,
    )
    played = party.played + (deal.end not in NO_DEAL)
    held = any(pool.source is PoolFrom.HELD for pool in outcome.waiting)
    return Party(
        totals=totals,
        baits=outcome.baits,
        waiting=outcome.waiting,
        deals=(*party.deals, record),
        next_dealer=next_dealer(rules, deal, outcome),
        result=result_of(rules, totals, played, deal, outcome),
        played=played,
        forced_maker=deal.maker if held else None,
    )


def _outcome(rules: Rules, party: Party, deal: Deal) -> Outcome:
    """What a deal writes, by how it ended; a pack thrown in writes nothing."""
    assert deal.end is not None
    if rules.short is not None:
        return short_outcome(rules, party, deal)
    return _OUTCOMES[deal.end](rules, party, deal) if deal.end in _OUTCOMES else nothing(rules, party)


def _played(rules: Rules, party: Party, deal: Deal) -> Outcome:
    assert deal.maker is not None
    points = deal_points(rules, deal)
    tricks = deal.in_play.tricks
    trickless = [side for side in range(rules.sides) if not tricks.won_by_side(rules, side)]
    sheet = write_deal(rules, deal.maker, points, trickless, party.waiting, party.baits)
    return Outcome(points, sheet.written, sheet.waiting, sheet.fines, sheet.baits, sheet.verdict)


def _offer_accepted(rules: Rules, party: Party, deal: Deal) -> Outcome:
    """The maker writes what he was offered, and nothing else is written (R19)."""
    assert deal.maker is not None
    return replace(nothing(rules, party), written=shares(rules, OFFERED, [rules.side_of(deal.maker)]))


_OUTCOMES: Final = {
    End.PLAYED: _played,
    End.OFFER_ACCEPTED: _offer_accepted,
    End.CLOSED: closed,
    End.FALSE_CLOSE: closed_falsely,
    End.JACKPOT: jackpot_outcome,
    End.FAULT: fault_outcome,
}
