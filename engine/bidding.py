"""Bidding: two rounds until somebody names trumps, then the offer and the window of R20 (R16, R17, R19, R20)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.actions import ACCEPT, DECLINE, EXCHANGE, NO_OFFER, OFFER, PASS, TAKE, TRUMPS, Action, ActionKind
from engine.cards import card_of, format_suit, suit_of
from engine.deal import Deal, End, Phase, after_offer, buy_in, exchange, trumps_named
from engine.errors import Reason
from engine.rules import Rules

BIDS: Final = (TAKE, PASS, *TRUMPS)
OFFERS: Final = (OFFER, NO_OFFER, ACCEPT, DECLINE)
OFFERED: Final = 50
"""What the maker writes who accepts an offer (R19)."""


def why_not_bid(rules: Rules, deal: Deal, action: Action) -> Reason | None:
    """Why a bid is not legal in the phase bid, or None (R16, R17)."""
    first_round = deal.asked < rules.players
    if action is PASS:
        bound = rules.obligation and deal.asked == 2 * rules.players - 1
        return Reason("obligation", "the dealer may not pass in round two (R17)") if bound else None
    if action is TAKE:
        return None if first_round else Reason("second_round", "take is for round one: name another suit (R16)")
    if first_round:
        return Reason("first_round", "in round one only the upcard's suit can be taken (R16)")
    if action.suit == suit_of(deal.upcard):
        suit = format_suit(suit_of(deal.upcard))
        return Reason("upcard_suit", f"{suit} is the upcard's suit: round two names another (R16, R17)")
    return None


def bid(rules: Rules, deal: Deal, action: Action) -> Deal:
    """The deal after a bid: trumps named, the next seat's turn, or the cards thrown in (R16, R17)."""
    seat, asked = deal.to_act, deal.asked + 1
    if action is not PASS:
        trump = suit_of(deal.upcard) if action is TAKE else action.suit
        return trumps_named(rules, replace(deal, trump=trump, maker=seat, asked=asked))
    if asked == 2 * rules.players:
        return replace(deal, asked=asked, end=End.ALL_PASS)
    return replace(deal, asked=asked, to_act=(seat + 1) % rules.players)


def why_not_offer(deal: Deal, action: Action) -> Reason | None:
    """Why an action is not legal in the phases offer and answer, or None (R19)."""
    may_say = (OFFER, NO_OFFER) if deal.phase is Phase.OFFER else (ACCEPT, DECLINE)
    if action in may_say:
        return None
    return Reason("wrong_phase", f"{action} is not for now: {may_say[0]} or {may_say[1]} (R19)")


def offer(rules: Rules, deal: Deal, action: Action) -> Deal:
    """The deal after the defender's offer or the maker's answer: answered next, over, or going on (R19)."""
    if action is OFFER:
        assert deal.maker is not None
        return replace(deal, phase=Phase.ANSWER, to_act=deal.maker)
    if action is ACCEPT:
        return replace(deal, end=End.OFFER_ACCEPTED)
    return after_offer(rules, deal)


def why_not_swap(deal: Deal, action: Action) -> Reason | None:
    """Why an action is not legal in the phase swap, or None (R20)."""
    if action.kind is ActionKind.PASS:
        return None
    if action is not EXCHANGE:
        return Reason("wrong_phase", f"{action} is not for the exchange before the buy-in: pass or exchange (R20)")
    assert deal.trump is not None
    if not deal.hands[deal.to_act] >> card_of(deal.trump, 0) & 1:
        return Reason("no_seven", "only the holder of the trump seven can exchange it (R20)")
    return None


def swap(rules: Rules, deal: Deal, action: Action) -> Deal:
    """The deal after a seat was asked: the next is, or the buy-in follows (R20)."""
    if action is EXCHANGE:
        return buy_in(rules, exchange(deal, deal.to_act))
    asked = deal.asked + 1
    if asked == rules.players:
        return buy_in(rules, deal)
    return replace(deal, asked=asked, to_act=(deal.to_act + 1) % rules.players)
