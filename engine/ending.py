"""The end of a party (R52-R54, R71)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.deal import Deal, End
from engine.party import EndReason, Outcome, PartyResult
from engine.rules import BothReach, Rules
from engine.scoring import Verdict, unique_highest


def result_of(rules: Rules, totals: tuple[int, ...], played: int, deal: Deal, outcome: Outcome) -> PartyResult | None:
    """Whether the party is over after a deal, and who has won it; `played` deals are behind it (R71)."""
    if outcome.reason is not None:
        return PartyResult(totals, outcome.winner, outcome.reason, outcome.stakes, outcome.forfeiter)
    if rules.deals is not None:
        return _after_deals(rules, rules.deals, totals, played)
    if rules.short is not None or deal.end in (End.ALL_PASS, End.REDEAL):
        return None
    if rules.hang_blocks_end and outcome.verdict is Verdict.HANG:
        return None
    winner = _target_winner(rules, totals, deal)
    if winner is not None:
        return PartyResult(totals, winner, EndReason.TARGET)
    leader = _leader(rules, totals)
    return None if leader is None else PartyResult(totals, leader, EndReason.LEAD)


def _after_deals(rules: Rules, wanted: int, totals: tuple[int, ...], played: int) -> PartyResult | None:
    """A party of so many played deals (R71)."""
    if played < wanted:
        return None
    return PartyResult(totals, unique_highest(totals, range(rules.sides)), EndReason.DEALS)


def _target_winner(rules: Rules, totals: Sequence[int], deal: Deal) -> int | None:
    """The side that wins by the target, None if nobody does yet (R52)."""
    reached = [side for side in range(rules.sides) if totals[side] >= rules.target]
    if len(reached) < 2:
        return reached[0] if reached else None
    favoured = _favoured(rules, deal)
    return favoured if favoured in reached else unique_highest(totals, reached)


def _favoured(rules: Rules, deal: Deal) -> int | None:
    """The side that goes first when several have reached the target (R52)."""
    if rules.both_reach is BothReach.LAST_TRICK and deal.end is End.PLAYED:
        return rules.side_of(deal.in_play.tricks.leader)
    if rules.both_reach is BothReach.MAKER and deal.maker is not None:
        return rules.side_of(deal.maker)
    return None


def _leader(rules: Rules, totals: Sequence[int]) -> int | None:
    """The side that leads every other by the limit, None if there is none (R54)."""
    if rules.lead_limit is None:
        return None
    first, second = sorted(totals, reverse=True)[:2]
    return totals.index(first) if first - second >= rules.lead_limit else None
