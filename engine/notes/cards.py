"""Why a card could be played, who took the trick, what was said with it (R33-R42, R66)."""

from __future__ import annotations

from engine.actions import Action
from engine.cards import BEATEN_BY, POINTS, Card, format_card, format_suit, suit_of
from engine.deal import Deal, End
from engine.notes.facts import declared_notes, new_facts, shown_notes
from engine.notes.note import Note, note
from engine.rules import BottomCard, Declare, FirstLead, Rules
from engine.table import Table
from engine.texts import gettext_noop as _
from engine.tricks import LAST_TRICK, why_not_card, winner_of


def played_notes(table: Table, action: Action, deal: Deal) -> tuple[Note, ...]:
    """A card of the seat to act; `deal` is what came of it."""
    before, rules = table.deal, table.rules
    assert action.card is not None
    if deal.end is End.FAULT:
        return (_illegal(rules, before, action.card),)
    notes = [_card(rules, before, action.card)]
    if action.bella:
        text = _("%(seat)s says bella, having both king and queen of trumps.")
        notes.append(note("R33", text, seat=before.to_act))
    if rules.declare is Declare.AUTO and _declared(before) != _declared(deal):
        notes.extend(declared_notes(rules, before, deal, before.to_act))
    if deal.end is End.JACKPOT:
        return tuple(notes)
    if deal.in_play.tricks.done > before.in_play.tricks.done:
        notes.extend(_taken(rules, before, deal))
    return (*notes, *shown_notes(rules, before, deal), *_stock(rules, before, deal))


def _declared(deal: Deal) -> int:
    return sum(runs is not None for runs in deal.in_play.declarations.declared)


def _card(rules: Rules, before: Deal, card: Card) -> Note:
    """What the duties of R37-R40 made of this card."""
    play, seat = before.in_play, before.to_act
    trick, hand, text = play.tricks.trick, before.hands[seat], format_card(card)
    if not trick:
        return _lead(rules, before, text)
    led = suit_of(trick[0][1])
    if suit_of(card) == led != play.trump:
        return note("R38", _("%(seat)s follows suit with %(card)s."), seat=seat, card=text)
    if suit_of(card) != play.trump:
        return _discard(before, text, trumps_led=led == play.trump)
    if led == play.trump:
        return _on_trumps(rules, before, card)
    void = _("%(seat)s has no %(suit)s and ruffs with %(card)s.")
    winner, best = winner_of(trick, play.trump)
    if suit_of(best) != play.trump:
        return note("R38", void, seat=seat, suit=format_suit(led), card=text)
    if BEATEN_BY[play.trump][best] >> card & 1:
        over = _("%(seat)s has no %(suit)s and overtrumps with %(card)s.")
        return note("R39", over, seat=seat, suit=format_suit(led), card=text)
    if hand & BEATEN_BY[play.trump][best]:
        return _need_not(rules, before, winner, text)
    under = _("%(seat)s has no %(suit)s and no higher trump: %(card)s is a trump all the same.")
    return note("R39", under, seat=seat, suit=format_suit(led), card=text)


def _lead(rules: Rules, before: Deal, card: str) -> Note:
    seat = before.to_act
    if before.in_play.tricks.done:
        return note("R37", _("%(seat)s took that trick and leads %(card)s."), seat=seat, card=card)
    if rules.first_lead is FirstLead.MAKER:
        return note("R37", _("%(seat)s, the maker, leads %(card)s to the first trick."), seat=seat, card=card)
    text = _("%(seat)s, at the dealer's left, leads %(card)s to the first trick.")
    return note("R37", text, seat=seat, card=card)


def _discard(before: Deal, card: str, trumps_led: bool) -> Note:
    led = suit_of(before.in_play.tricks.trick[0][1])
    if trumps_led:
        return note("R38", _("%(seat)s has no trump and throws off %(card)s."), seat=before.to_act, card=card)
    text = _("%(seat)s has no %(suit)s and no trump, and throws off %(card)s.")
    return note("R38", text, seat=before.to_act, suit=format_suit(led), card=card)


def _on_trumps(rules: Rules, before: Deal, card: Card) -> Note:
    """Trumps led: the highest is beaten, cannot be, or need not be."""
    play, seat = before.in_play, before.to_act
    winner, best = winner_of(play.tricks.trick, play.trump)
    if BEATEN_BY[play.trump][best] >> card & 1:
        return note("R39", _("Trumps are led: %(seat)s beats them with %(card)s."), seat=seat, card=format_card(card))
    if before.hands[seat] & BEATEN_BY[play.trump][best]:
        return _need_not(rules, before, winner, format_card(card))
    text = _("Trumps are led: %(seat)s cannot beat them and plays %(card)s.")
    return note("R39", text, seat=seat, card=format_card(card))


def _need_not(rules: Rules, before: Deal, winner: int, card: str) -> Note:
    """A higher trump stayed in the hand, by right."""
    seat = before.to_act
    if rules.side_of(winner) == rules.side_of(seat):
        text = _("%(seat)s need not beat the trump of a partner and plays %(card)s.")
        return note("R40", text, seat=seat, card=card)
    text = _("%(seat)s need not overtrump a ruff at this table and plays %(card)s.")
    return note("R39", text, seat=seat, card=card)


def _illegal(rules: Rules, before: Deal, card: Card) -> Note:
    play, seat = before.in_play, before.to_act
    reason = why_not_card(rules, play.trump, before.hands[seat], play.tricks.trick, seat, card)
    return note("R66", _ILLEGAL[reason.code if reason else "must_follow_suit"], seat=seat, card=format_card(card))


_ILLEGAL = {
    "must_follow_suit": _("%(seat)s plays %(card)s and could have followed suit: an illegal card, the deal is over."),
    "must_trump": _("%(seat)s plays %(card)s and had to play a trump: an illegal card, the deal is over."),
    "must_overtrump": _("%(seat)s plays %(card)s and had to play a higher trump: an illegal card, the deal is over."),
}


def _taken(rules: Rules, before: Deal, deal: Deal) -> list[Note]:
    """Who took the trick with what, and what it is worth."""
    tricks = deal.in_play.tricks
    worth = POINTS[deal.in_play.trump]
    points = sum(worth[card] for _seat, card in tricks.last)
    assert tricks.last_card is not None
    text = _("%(seat)s takes the trick with %(card)s: %(points)s points.")
    notes = [note("R41", text, seat=tricks.leader, card=format_card(tricks.last_card), points=points)]
    if not deal.hands[tricks.leader]:
        notes.append(note("R42", _("It is the last trick: %(points)s more."), points=LAST_TRICK))
    return notes


def _stock(rules: Rules, before: Deal, deal: Deal) -> list[Note]:
    """The card that is shown after the first trick."""
    shown = any(line.startswith("! bottom") for line in new_facts(before, deal))
    if not shown or deal.bottom is None or rules.bottom_card is not BottomCard.TOP_AFTER_TRICK_1:
        return []
    text = _("The top card of the rest, %(card)s, is shown; nobody may take it.")
    return [note("R11", text, card=format_card(deal.bottom))]
