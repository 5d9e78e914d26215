"""A party: deals written one under the other until it ends (R12-R15, R19, R52-R57, R71, forfeits)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.bidding import OFFERED
from engine.cards import Card, Suit
from engine.counting import closing_count, deal_points
from engine.deal import Deal, End
from engine.rules import BothReach, FalseClose, HangDealer, NextDealer, Rules
from engine.scoring import Pools, Verdict, shares, write_deal

_COUNTED: Final = (End.PLAYED, End.OFFER_ACCEPTED, End.FAULT)
"""How a deal ends that counts as played (R71)."""


class EndReason(StrEnum):
    """Why a party is over (protocol §3)."""

    TARGET = "target"
    LEAD = "lead"
    DEALS = "deals"
    CLOSED = "closed"
    FALSE_CLOSE = "false_close"
    JACKPOT = "jackpot"
    SHORT = "short"
    SURRENDER = "surrender"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class PartyResult:
    """How a party ended: totals and stakes by side, the winning side (None: drawn), who forfeited (a seat)."""

    totals: tuple[int, ...]
    winner: int | None
    reason: EndReason
    stakes: tuple[int, ...] | None = None
    forfeiter: int | None = None


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A finished deal as protocol §3 lists it; points, written, fines and totals are by side."""

    number: int
    dealer: int
    deck: tuple[Card, ...]
    actions: tuple[str, ...]
    end: End
    maker: int | None
    trump: Suit | None
    points: tuple[int, ...]
    written: tuple[int, ...]
    waiting: Pools
    fines: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Party:
    """Everything that lasts from deal to deal; totals and baits by side.

    `played`: how many of `deals` count for a party of so many deals (R71).
    """

    totals: tuple[int, ...]
    baits: tuple[int, ...]
    waiting: Pools = ()
    deals: tuple[DealRecord, ...] = ()
    next_dealer: int = 0
    result: PartyResult | None = None
    played: int = 0


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one deal writes, and who wins the party by it whatever the totals (`winner`, for `reason`)."""

    points: tuple[int, ...]
    written: tuple[int, ...]
    waiting: Pools
    fines: tuple[int, ...]
    baits: tuple[int, ...]
    verdict: Verdict | None = None
    winner: int | None = None
    reason: EndReason | None = None
    forfeiter: int | None = None


def new_party(rules: Rules, first_dealer: int) -> Party:
    """A party before its first card."""
    return Party((0,) * rules.sides, (0,) * rules.sides, next_dealer=first_dealer)


def write(rules: Rules, party: Party, deal: Deal) -> Party:
    """The party with a finished deal written into it, over if that ends it."""
    return _entered(rules, party, deal, _outcome(rules, party, deal))


def forfeited(rules: Rules, party: Party, deal: Deal, seat: int) -> Party:
    """The party lost by a seat, its running deal standing last (protocol §3)."""
    nothing = _nothing(rules, party)
    winner = _best_other(rules, party.totals, seat)
    outcome = replace(nothing, winner=winner, reason=EndReason.FORFEIT, forfeiter=seat)
    return _entered(rules, party, replace(deal, end=End.FORFEIT), outcome)


def _entered(rules: Rules, party: Party, deal: Deal, outcome: _Outcome) -> Party:
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
    played = party.played + (deal.end in _COUNTED)
    return Party(
        totals=totals,
        baits=outcome.baits,
        waiting=outcome.waiting,
        deals=(*party.deals, record),
        next_dealer=_next_dealer(rules, deal, outcome),
        result=_result(rules, totals, played, deal, outcome),
        played=played,
    )


def _nothing(rules: Rules, party: Party) -> _Outcome:
    """Nobody writes, everything waits on."""
    zero = (0,) * rules.sides
    return _Outcome(zero, zero, party.waiting, zero, party.baits)


def _outcome(rules: Rules, party: Party, deal: Deal) -> _Outcome:
    """What a deal writes, by how it ended."""
    if deal.end is End.PLAYED:
        return _played(rules, party, deal)
    if deal.end is End.OFFER_ACCEPTED:
        assert deal.maker is not None
        return replace(_nothing(rules, party), written=shares(rules, OFFERED, [rules.side_of(deal.maker)]))
    if deal.end is End.CLOSED:
        return _closed(rules, party, deal)
    if deal.end is End.FALSE_CLOSE:
        return _closed_falsely(rules, party, deal)
    return _nothing(rules, party)


def _played(rules: Rules, party: Party, deal: Deal) -> _Outcome:
    assert deal.maker is not None
    points = deal_points(rules, deal)
    tricks = deal.in_play.tricks
    trickless = [side for side in range(rules.sides) if not tricks.won_by_side(rules, side)]
    sheet = write_deal(rules, deal.maker, points, trickless, party.waiting, party.baits)
    return _Outcome(points, sheet.written, sheet.waiting, sheet.fines, sheet.baits, sheet.verdict)


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


def _closed(rules: Rules, party: Party, deal: Deal) -> _Outcome:
    """The closer's side writes what it counted and wins (R55)."""
    assert deal.ender is not None
    side = rules.side_of(deal.ender)
    points = shares(rules, closing_count(rules, deal, deal.ender), [side])
    return replace(_nothing(rules, party), points=points, written=points, winner=side, reason=EndReason.CLOSED)


def _closed_falsely(rules: Rules, party: Party, deal: Deal) -> _Outcome:
    """The party is lost, or the closer's total is and the others write twice as much (R56)."""
    assert deal.ender is not None
    if rules.false_close is FalseClose.LOSE:
        winner = _best_other(rules, party.totals, deal.ender)
        return replace(_nothing(rules, party), winner=winner, reason=EndReason.FALSE_CLOSE)
    side = rules.side_of(deal.ender)
    total = party.totals[side]
    others = [other for other in _sides_after(rules, deal.ender) if other != side]
    gains = shares(rules, 2 * max(0, total), others)
    written = tuple(-total if other == side else gain for other, gain in enumerate(gains))
    return replace(_nothing(rules, party), written=written)


def _sides_after(rules: Rules, seat: int) -> tuple[int, ...]:
    """All sides, the one nearest to the seat's left first."""
    return tuple(dict.fromkeys(rules.side_of(other) for other in rules.seats_after(seat)))


def _best_other(rules: Rules, totals: Sequence[int], seat: int) -> int:
    """The other side, of several the one with the highest total, then nearest to the seat's left (R56)."""
    others = [side for side in _sides_after(rules, seat) if side != rules.side_of(seat)]
    return max(others, key=lambda side: totals[side])


def _next_dealer(rules: Rules, deal: Deal, outcome: _Outcome) -> int:
    """Who deals the next deal (R12-R14)."""
    if deal.end is End.REDEAL:
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


def _result(rules: Rules, totals: tuple[int, ...], played: int, deal: Deal, outcome: _Outcome) -> PartyResult | None:
    """Whether the party is over, and who has won it."""
    if outcome.reason is not None:
        return PartyResult(totals, outcome.winner, outcome.reason, forfeiter=outcome.forfeiter)
    if rules.deals is not None:
        return _after_deals(rules, rules.deals, totals, played)
    if deal.end in (End.ALL_PASS, End.REDEAL):
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
    return PartyResult(totals, _unique_highest(totals, range(rules.sides)), EndReason.DEALS)


def _unique_highest(totals: Sequence[int], sides: Sequence[int]) -> int | None:
    most = max(totals[side] for side in sides)
    highest = [side for side in sides if totals[side] == most]
    return highest[0] if len(highest) == 1 else None


def _target_winner(rules: Rules, totals: Sequence[int], deal: Deal) -> int | None:
    """The side that wins by the target, None if nobody does yet (R52)."""
    reached = [side for side in range(rules.sides) if totals[side] >= rules.target]
    if len(reached) < 2:
        return reached[0] if reached else None
    favoured = _favoured(rules, deal)
    return favoured if favoured in reached else _unique_highest(totals, reached)


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
