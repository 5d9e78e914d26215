"""The play: what a seat may do on its turn, and what a card does (R27, R32-R42)."""

from __future__ import annotations

from dataclasses import replace

from engine.actions import BELLA_PLAYS, PLAYS, Action
from engine.bella import Bella, after_trick, sayable_with
from engine.cards import cards_in
from engine.deal import Deal, End, Play, after_card, bottom_fact, stock_top
from engine.errors import Reason
from engine.rights import declare
from engine.rules import BottomCard, Declare, Rules
from engine.sequences import Declarations, holds_sequence, show, window_tricks
from engine.tricks import lay, legal_plays, why_not_card


def card_actions(rules: Rules, deal: Deal) -> list[Action]:
    """The cards that the seat to act may play, each with and without bella where it may be said."""
    play, seat = deal.in_play, deal.to_act
    cards = legal_plays(rules, play.trump, deal.hands[seat], play.tricks.trick, seat)
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
    play, hand = deal.in_play, deal.hands[deal.to_act]
    if play.bella.seat is not None:
        return 0
    return sayable_with(rules, play.trump, hand, play.declarations.came[deal.to_act] or hand)


def why_not_play(rules: Rules, deal: Deal, action: Action) -> Reason | None:
    """Why a card, or bella with it, may not be played; None if it may."""
    assert action.card is not None
    play, seat = deal.in_play, deal.to_act
    reason = why_not_card(rules, play.trump, deal.hands[seat], play.tricks.trick, seat, action.card)
    if reason or not action.bella or _sayable(rules, deal) >> action.card & 1:
        return reason
    return Reason("no_bella", "bella is not yours to say with this card (R33, R34)")


def play_card(rules: Rules, deal: Deal, action: Action, actions: tuple[str, ...], history: tuple[str, ...]) -> Deal:
    """The deal after a card: the trick, the declarations of the moment, and what a complete trick shows.

    `actions`, `history`: the deal's, with this action. They come along because copying a deal is what costs most.
    """
    assert action.card is not None
    seat, card, play = deal.to_act, action.card, deal.in_play
    first_card = not play.declarations.came[seat]
    declarations = _come_to_first_card(play.declarations, seat, deal.hands[seat]) if first_card else play.declarations
    tricks = lay(rules, play.trump, play.tricks, seat, card)
    bella = Bella(seat, None, play.bella.own_tricks) if action.bella else play.bella
    if not tricks.trick:
        bella = after_trick(rules, play.trump, bella, tricks.last)
    hand = deal.hands[seat] & ~(1 << card)
    deal = after_card(
        deal,
        hands=(*deal.hands[:seat], hand, *deal.hands[seat + 1 :]),
        to_act=(seat + 1) % rules.players if tricks.trick else tricks.leader,
        play=Play(play.trump, tricks, declarations, bella, play.terz_asked, play.barred, play.stake, play.raiser),
        actions=actions,
        history=history,
    )
    if first_card and _declares_itself(rules, deal, declarations.came[seat]):
        deal = declare(rules, deal, seat)
    return deal if deal.end or tricks.trick else _trick_taken(rules, deal)


def _declares_itself(rules: Rules, deal: Deal, came: int) -> bool:
    """Whether a first card declares the sequences of the hand it comes from (R27)."""
    return rules.declare is Declare.AUTO and not deal.forced and holds_sequence(came)


def _come_to_first_card(before: Declarations, seat: int, hand: int) -> Declarations:
    """The hand with which a seat comes to its first card, kept for R27 and R33."""
    return replace(before, came=(*before.came[:seat], hand, *before.came[seat + 1 :]))


def _trick_taken(rules: Rules, deal: Deal) -> Deal:
    """After a complete trick: what is shown then, and the end of the deal."""
    done = deal.in_play.tricks.done
    if done == window_tricks(rules) and deal.in_play.declarations.announced:
        deal = _show_sequences(rules, deal)
    if done == 1 and rules.bottom_card is BottomCard.TOP_AFTER_TRICK_1:
        deal = _show_stock(rules, deal)
    return deal if deal.hands[deal.to_act] else replace(deal, end=End.PLAYED)


def _show_sequences(rules: Rules, deal: Deal) -> Deal:
    """What scores is laid open once nobody can declare any more (R32)."""
    play = deal.in_play
    assert deal.maker is not None
    order = rules.seats_from(play.tricks.first_leader)
    declarations, facts = show(rules, play.trump, deal.maker, play.declarations, order)
    return replace(deal, play=replace(play, declarations=declarations), history=deal.history + facts)


def _show_stock(rules: Rules, deal: Deal) -> Deal:
    """The top card of the remaining stock, once the first trick is taken (R11)."""
    card = stock_top(rules, deal.deck)
    if card is None:
        return deal
    return replace(deal, bottom=card, history=(*deal.history, bottom_fact(card)))
