"""A deal laid out for people: who gets which cards of a pack (R8-R11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.cards import Card, cards_in, format_card, suit_of
from engine.deal import FIRST_CARDS, Deal, buy_in, deal_cards, stock_top
from engine.rules import Rules, UpcardGoes


def shown_deal(rules: Rules, number: int, dealer: int, pack: tuple[Card, ...]) -> Iterator[tuple[str, str]]:
    """Lines of what and which cards: every hand from eldest on, the upcard, the buy-in, the bottom card.

    Who takes the upcard as `maker` is known only after the bidding: then the rest of the pack is shown as it lies.
    """
    deal = deal_cards(rules, number, dealer, pack)
    for seat in rules.seats_after(dealer):
        yield f"seat {seat}", f"{_texts(deal.hands[seat])}{' (dealer)' * (seat == dealer)}"
    yield "upcard", format_card(deal.upcard)
    rest = pack[FIRST_CARDS * rules.players + 1 :]
    if rules.upcard is UpcardGoes.MAKER:
        yield "rest", f"{_words(rest)} (the maker takes the upcard and one card fewer)"
    else:
        yield from _buy_in(rules, deal)
    last = format_card(pack[-1]) if stock_top(rules, deal.deck) is not None else "none: the whole pack is in play"
    yield "bottom", last


def _buy_in(rules: Rules, deal: Deal) -> Iterator[tuple[str, str]]:
    """What each seat gets after the bidding; whoever names trumps, it is the same."""
    named = replace(deal, trump=suit_of(deal.upcard), maker=deal.dealer)
    hands = buy_in(rules, named).hands
    for seat in rules.seats_after(deal.dealer):
        yield f"buy-in {seat}", _texts(hands[seat] & ~deal.hands[seat])


def _texts(hand: int) -> str:
    return _words(cards_in(hand))


def _words(cards: Sequence[Card]) -> str:
    return " ".join(map(format_card, cards))
