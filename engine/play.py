"""The play: what a seat may do on its turn, and what a card does (R27, R32-R42)."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import BELLA_PLAYS, PLAYS, Action
from engine.bella import Bella, after_trick, sayable_with
from engine.cards import cards_in
from engine.deal import Deal, End, bottom_fact, stock_top
from engine.errors import Reason
from engine.rights import declare
from engine.rules import BottomCard, Declare, Rules
from engine.sequences import Declarations, holds_sequence, show, window_tricks
from engine.tricks import lay, legal_plays, why_not_card


def card_actions(rules: Rules, deal: Deal) -> list[Action]:
    """The cards that the seat to act may play, each with and without bella where it may be said."""
    assert deal.trump is not None and deal.tricks is not None
    seat = deal.to_act
    cards = legal_plays(rules, deal.trump, deal.hands[seat], deal.tricks.trick, seat)
    with_bella = _sayable(rules, deal)
    if not cards & with_bella:
        return [PLAYS[card] for card in cards_in(cards)]
    actions = []
    for card in cards_in(cards):
        actions.append(PLAYS[card])
        if with_bella >> card & 1:
            actions.append(BELLA_PLAYS[card])
    return actions


def _sayable(rules: Rules, deal: Deal) -> int:
    """The mask of cards with which the seat to act may say bella (R33, R34)."""
    assert deal.trump is not None and deal.declarations is not None
    if deal.bella.seat is not None:
        return 0
    hand = deal.hands[deal.to_act]
    return sayable_with(rules, deal.trump, hand, deal.declarations.came[deal.to_act] or hand)


def why_not_play(rules: Rules, deal: Deal, action: Action) -> Reason | None:
    """Why a card, or bella with it, may not be played; None if it may."""
    assert deal.trump is not None and deal.tricks is not None and action.card is not None
    seat = deal.to_act
    reason = why_not_card(rules, deal.trump, deal.hands[seat], deal.tricks.trick, seat, action.card)
    if reason or not action.bella or _sayable(rules, deal) >> action.card & 1:
        return reason
    return Reason("no_bella", "bella is not yours to say with this card (R33, R34)")


def play(rules: Rules, deal: Deal, action: Action) -> Deal:
    """The deal after a card: declarations of the moment, the trick, and what its completion shows."""
    assert deal.trump is not None and deal.tricks is not None and action.card is not None
    seat, card = deal.to_act, action.card
    deal = _come_to_first_card(rules, deal)
    hand = deal.hands[seat] & ~(1 << card)
    tricks = lay(rules, deal.trump, deal.tricks, seat, card)
    deal = replace(
        deal,
        hands=(*deal.hands[:seat], hand, *deal.hands[seat + 1 :]),
        tricks=tricks,
        bella=Bella(seat, None, deal.bella.own_tricks) if action.bella else deal.bella,
        to_act=(seat + 1) % rules.players if tricks.trick else tricks.leader,
    )
    return deal if tricks.trick else _trick_taken(rules, deal)


def _come_to_first_card(rules: Rules, deal: Deal) -> Deal:
    """Keep the hand with which the seat comes to its first card; declare from it where that is automatic (R27)."""
    before, seat = deal.declarations, deal.to_act
    assert before is not None
    if before.came[seat]:
        return deal
    came = (*before.came[:seat], deal.hands[seat], *before.came[seat + 1 :])
    deal = replace(deal, declarations=Declarations(came, before.declared, before.announced))
    if rules.declare is Declare.AUTO and holds_sequence(deal.hands[seat]):
        return declare(rules, deal)
    return deal


def _trick_taken(rules: Rules, deal: Deal) -> Deal:
    """After a complete trick: bella's part of it, what is shown then, and the end of the deal."""
    assert deal.tricks is not None and deal.declarations is not None and deal.trump is not None
    bella = after_trick(rules, deal.trump, deal.bella, deal.tricks.last)
    if bella is not deal.bella:
        deal = replace(deal, bella=bella)
    if deal.tricks.done == window_tricks(rules) and deal.declarations.announced:
        order = rules.seats_from(deal.tricks.first_leader)
        declarations, facts = show(rules, deal.trump, deal.declarations, order)
        deal = replace(deal, declarations=declarations, history=deal.history + facts)
    if deal.tricks.done == 1 and rules.bottom_card is BottomCard.TOP_AFTER_TRICK_1:
        deal = _show_stock(rules, deal)
    return deal if deal.hands[deal.to_act] else replace(deal, end=End.PLAYED)


def _show_stock(rules: Rules, deal: Deal) -> Deal:
    """The top card of the remaining stock, once the first trick is taken (R11)."""
    card = stock_top(rules, deal)
    if card is None:
        return deal
    return replace(deal, bottom=card, history=(*deal.history, bottom_fact(card)))
