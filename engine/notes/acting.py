"""Why a pack was dealt as it was, and what an action that is no card means (R8-R11, R16-R22, R27, R55, R56, R59)."""

from __future__ import annotations

from engine.actions import ACCEPT, ASK, CLOSE, DAVA, DECLARE, DECLINE, EXCHANGE, NO_OFFER, OFFER, PASS, TAKE, Action
from engine.cards import FOUR_SEVENS, format_card, format_suit, points_in, suit_of
from engine.counting import closing_count
from engine.deal import Deal, End, Phase, first_cards
from engine.notes.facts import declared_notes
from engine.notes.note import Note, note
from engine.rules import BottomCard, Dava, Rules, UpcardGoes
from engine.table import Table
from engine.texts import gettext_noop as _


def dealt_notes(table: Table, first: bool) -> tuple[Note, ...]:
    """A pack just dealt; `first`: the first of the party, whose dealer was found by lot or by the match."""
    deal, rules = table.deal, table.rules
    notes = []
    if first and table.setup.first_dealer is None:
        notes.append(note("R7", _("By lot %(seat)s deals first."), seat=deal.dealer))
    elif first:
        notes.append(note("R15", _("%(seat)s deals first, as the match has it."), seat=deal.dealer))
    dealt = _("%(seat)s deals six cards to everybody and turns up %(card)s.")
    notes.append(note("R8", dealt, seat=deal.dealer, card=format_card(deal.upcard)))
    if deal.forced and deal.maker is not None:
        forced = _("The deal is forced: nobody bids, %(seat)s plays again, and trumps are %(suit)s.")
        notes.append(note("R18", forced, seat=deal.maker, suit=format_suit(suit_of(deal.upcard))))
    return (*notes, *(_buy_in(rules, deal) if deal.play else ()))


def _buy_in(rules: Rules, deal: Deal) -> tuple[Note, ...]:
    """The cards after the bidding, where the upcard went, what was shown of the stock."""
    assert deal.maker is not None
    notes = [note("R9", _("The buy-in: everybody now has %(number)s cards more."), number=rules.buy_in)]
    upcard = format_card(deal.upcard)
    if rules.upcard in (UpcardGoes.DEALER, UpcardGoes.MAKER):
        taker = deal.dealer if rules.upcard is UpcardGoes.DEALER else deal.maker
        notes.append(note("R10", _("%(seat)s takes the upcard %(card)s as one of them."), seat=taker, card=upcard))
    elif rules.upcard is UpcardGoes.UNDER:
        notes.append(note("R10", _("The upcard %(card)s goes out of play."), card=upcard))
    if deal.bottom is not None and rules.bottom_card is BottomCard.SHOWN:
        shown = _("The bottom card %(card)s is shown; nobody may take it.")
        notes.append(note("R11", shown, card=format_card(deal.bottom)))
    return tuple(notes)


def acted_notes(table: Table, action: Action, deal: Deal) -> tuple[Note, ...]:
    """An action of the seat to act that is no card; `deal` is what came of it."""
    before, rules = table.deal, table.rules
    if before.phase in (Phase.OFFER, Phase.ANSWER):
        notes: tuple[Note, ...] = (_offer(before, action),)
    elif before.phase is Phase.DAVA:
        notes = (_answer(before, action, deal),)
    elif before.phase is Phase.BID and action.kind in ("take", "pass", "trump"):
        notes = _bid(rules, before, action, deal)
    elif action is PASS:
        notes = (note("R20", _("%(seat)s is asked for the trump seven and exchanges nothing."), seat=before.to_act),)
    else:
        notes = _right(table, action, deal)
    return (*notes, *(_buy_in(rules, deal) if deal.play and not before.play else ()))


def _bid(rules: Rules, before: Deal, action: Action, deal: Deal) -> tuple[Note, ...]:
    seat = before.to_act
    if action is PASS:
        passed = note("R16", _("%(seat)s passes."), seat=seat)
        if deal.end is not End.ALL_PASS:
            return (passed,)
        return passed, note("R17", _("Everybody has passed twice: the cards are thrown in."))
    assert deal.trump is not None
    suit = format_suit(deal.trump)
    if action is TAKE:
        return (note("R16", _("%(seat)s takes: the upcard's suit %(suit)s is trumps."), seat=seat, suit=suit),)
    if rules.obligation and deal.asked == 2 * rules.players:
        bound = _("Everybody else has passed twice, so the dealer %(seat)s has to name trumps: %(suit)s.")
        return (note("R17", bound, seat=seat, suit=suit),)
    return (note("R16", _("%(seat)s names %(suit)s as trumps."), seat=seat, suit=suit),)


_OFFERS = {
    OFFER: _("%(seat)s offers fifty, so that the deal need not be played."),
    NO_OFFER: _("%(seat)s offers nothing."),
    ACCEPT: _("%(seat)s accepts the fifty, and the deal is over."),
    DECLINE: _("%(seat)s declines: the deal is played."),
}


def _offer(before: Deal, action: Action) -> Note:
    return note("R19", _OFFERS[action], seat=before.to_act)


def _answer(before: Deal, action: Action, deal: Deal) -> Note:
    if action is ACCEPT:
        text = _("%(seat)s accepts: the stake is now %(stake)s, and only %(seat)s may raise it again.")
        return note("R59", text, seat=before.to_act, stake=deal.stake)
    text = _("%(seat)s surrenders and loses the stake as it stood: %(stake)s.")
    return note("R59", text, seat=before.to_act, stake=before.stake)


def _right(table: Table, action: Action, deal: Deal) -> tuple[Note, ...]:
    before, seat = table.deal, table.deal.to_act
    if action is EXCHANGE:
        text = _("%(seat)s gives the trump seven for the upcard %(card)s.")
        return (note("R20", text, seat=seat, card=format_card(before.upcard)),)
    if action is ASK:
        return (_asked(seat, deal.history[-1].endswith("yes")),)
    if action is DECLARE:
        return declared_notes(table.rules, before, deal, seat)
    if action is CLOSE:
        return _closing(table, deal)
    if action is DAVA:
        stake = before.stake * 2 if table.rules.dava is Dava.GEOMETRIC else before.stake + 1
        text = _("%(seat)s says dava: to go on, the other has to accept a stake of %(stake)s.")
        return (note("R59", text, seat=seat, stake=stake),)
    return (_redeal(table.rules, before),)


def _asked(seat: int, good: bool) -> Note:
    if good:
        return note("R22", _("%(seat)s asks whether the terz from the trump nine would score: yes."), seat=seat)
    return note("R22", _("%(seat)s asks whether the terz from the trump nine would score: no."), seat=seat)


def _redeal(rules: Rules, before: Deal) -> Note:
    """A claim is true, so the first reason that holds is the reason."""
    seat, hand = before.to_act, before.hands[before.to_act]
    if rules.redeal_four_sevens and hand & FOUR_SEVENS == FOUR_SEVENS:
        return note("R21", _("%(seat)s shows all four sevens: the cards are dealt again."), seat=seat)
    first_six = before.phase is Phase.BID
    points = points_in(first_cards(rules, before, seat) if first_six else hand, None)
    if first_six:
        text = _("%(seat)s shows first cards with %(points)s points, fewer than %(limit)s: they are dealt again.")
        return note("R21", text, seat=seat, points=points, limit=rules.redeal_below)
    text = _("%(seat)s shows a hand with %(points)s points, no more than %(limit)s: the cards are dealt again.")
    return note("R21", text, seat=seat, points=points, limit=rules.redeal_poor)


def _closing(table: Table, deal: Deal) -> tuple[Note, ...]:
    """What was counted, and whether it was enough."""
    rules, seat = table.rules, table.deal.to_act
    values = {
        "seat": seat,
        "total": table.totals[rules.side_of(seat)],
        "count": closing_count(rules, table.deal, seat),
        "target": rules.target,
    }
    if deal.end is End.CLOSED:
        text = _("%(seat)s closes: %(total)s and %(count)s of this deal reach %(target)s.")
        return (note("R55", text, **values),)
    false = note("R55", _("%(seat)s closes: %(total)s and %(count)s of this deal do not reach %(target)s."), **values)
    if deal.end is End.FALSE_CLOSE:
        return (false,)
    return false, note("R56", _("Play goes on, and %(seat)s may not close again in this deal."), seat=seat)
