"""Jackpots: a run so long that it ends the deal (R25).

Decided: a longer run counts too, and is shown whole; what `first_cards` and `from_ace` ask for is asked of the cards
that count. No hand can hold two.
"""

from __future__ import annotations

from dataclasses import replace

from engine.cards import ACE, ALL_SUITS, CARD_TEXTS, Suit, card_of
from engine.deal import Deal, End, first_cards
from engine.party import EndReason, Outcome, Party, nothing
from engine.rules import Jackpot, Prize, Rules
from engine.scoring import shares
from engine.sequences import Announcement, Declarations, RunOfCards, SequenceKind, run_down


def jackpot_in(rules: Rules, deal: Deal, seat: int) -> RunOfCards | None:
    """The jackpot that a seat holds, or held when it came to its first card; None if it holds none."""
    wanted, play = rules.jackpot, deal.in_play
    if wanted is None:
        return None
    hand = play.declarations.came[seat] or deal.hands[seat]
    if wanted.first_cards:
        hand &= first_cards(rules, deal, seat)
    return long_run(wanted, hand, play.trump)


def long_run(wanted: Jackpot, hand: int, trump: Suit) -> RunOfCards | None:
    """The jackpot among these cards, None if there is none."""
    suits = (trump,) if wanted.trumps_only else ALL_SUITS
    return next((run for suit in suits if (run := _run_in(wanted, hand, suit))), None)


def _run_in(wanted: Jackpot, hand: int, suit: Suit) -> RunOfCards | None:
    bits = hand >> 8 * suit & 255
    for top in range(ACE, wanted.length - 2, -1):
        length = run_down(bits, top)
        if length >= wanted.length:
            return RunOfCards(SequenceKind.JACKPOT, card_of(suit, top), length)
        if wanted.from_ace:
            break
    return None


def declare_jackpot(deal: Deal, seat: int, run: RunOfCards) -> Deal:
    """The deal ended by a jackpot: said and shown, and nothing after it."""
    before = deal.in_play.declarations
    known = (*before.announced, Announcement(seat, run, True, run.cards))
    declared = (*before.declared[:seat], (run,), *before.declared[seat + 1 :])
    shown = f"! show {seat} {' '.join(CARD_TEXTS[card] for card in run.cards)}"
    return replace(
        deal,
        play=replace(deal.in_play, declarations=Declarations(before.came, declared, known)),
        history=(*deal.history, f"! announce {seat} {run.kind}", shown),
        end=End.JACKPOT,
        ender=seat,
    )


def jackpot_outcome(rules: Rules, party: Party, deal: Deal) -> Outcome:
    """The party, or the target's points; nobody else writes, no fines, waiting points stay (R25, R71)."""
    assert rules.jackpot is not None
    assert deal.ender is not None
    side = rules.side_of(deal.ender)
    if rules.jackpot.prize is Prize.PARTY and rules.deals is None:
        return replace(nothing(rules, party), winner=side, reason=EndReason.JACKPOT)
    return replace(nothing(rules, party), written=shares(rules, rules.target, [side]))
