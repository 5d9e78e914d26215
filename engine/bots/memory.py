"""What a seat can conclude from its view alone, as a fast deal with nothing hidden in it."""

from __future__ import annotations

from typing import Final

from engine.cards import Card, mask_of, parse_card
from engine.deal import Phase
from engine.fast.deal import FastDeal
from engine.fast.step import play_card
from engine.fast.terms import bounded, terms_of
from engine.view import View

_PHASES: Final = tuple(Phase)


def recall(view: View) -> FastDeal:
    """The deal as far as a seat knows it: its own hand, and of the others the cards played and those laid open.

    `declared` are the seats whose sequences lie open. What the judgement does not read is left as in a new deal, who
    has bid and who may declare among it: what is legal stands in the view.
    """
    deal = FastDeal(terms_of(view.rules))
    deal.totals = list(map(bounded, view.totals))
    deal.dealer, deal.to_act, deal.phase = view.dealer, view.seat, _PHASES.index(view.phase)
    deal.upcard, deal.stake = view.upcard, view.stake
    deal.trump, deal.maker, deal.bottom = _or_none(view.trump), _or_none(view.maker), _or_none(view.bottom)
    _hold(deal, view.seat, view.hand)
    if view.trump is not None and view.phase in (Phase.PLAY, Phase.DAVA):
        _recall_cards(deal, view)
        _recall_answers(deal, view)
    return deal


def _or_none(value: int | None) -> int:
    return -1 if value is None else value


def _hold(deal: FastDeal, seat: int, cards: int) -> None:
    """Puts cards into a seat's hand, those that it had already too."""
    deal.held |= cards
    deal.dealt |= cards
    deal.own0 |= cards * (seat & 1)
    deal.own1 |= cards * (seat >> 1)


def _recall_cards(deal: FastDeal, view: View) -> None:
    """Every card is played once more, and what was laid open is laid beside; more of others' hands nobody knows."""
    deal.leader = deal.first_leader = view.seat
    for place, (seat, card, with_bella) in enumerate(cards_played(view.history)):
        if place == 0:
            deal.leader = deal.first_leader = seat
        _hold(deal, seat, 1 << card)
        deal.to_act = seat
        play_card(deal, card, with_bella)
    deal.to_act, deal.declared, deal.bottom = view.seat, 0, _or_none(view.bottom)
    for known in view.announced:
        if known.cards:
            cards = mask_of(known.cards)
            _hold(deal, known.seat, cards)
            deal.declared |= 1 << known.seat
    deal.held &= ~deal.gone


def _recall_answers(deal: FastDeal, view: View) -> None:
    """What was answered to the question of R22."""
    for line in view.history:
        if line.startswith("! ask "):
            _, _, seat, answer = line.split()
            deal.terz_asked, deal.asker, deal.terz_good = 1, int(seat), int(answer == "yes")


def cards_played(history: tuple[str, ...]) -> tuple[tuple[int, Card, bool], ...]:
    """Seats, cards and whether bella was said, of the deal in order of play."""
    said = (line.split(" play:") for line in history if " play:" in line)
    return tuple((int(seat), parse_card(text[:2]), text.endswith("+bella")) for seat, text in said)
