"""What the table learned of sequences, and how they were compared (R25, R27-R32)."""

from __future__ import annotations

from engine.cards import RANKS, format_card, rank_of, suit_of
from engine.deal import Deal, End
from engine.notes.note import Note, note
from engine.rules import Rules, SequenceTie
from engine.sequences import WORTH, RunOfCards, Standing, standing
from engine.texts import gettext_noop as _

Runs = list[tuple[int, RunOfCards]]
"""Seats and their sequences, in order of play."""


def new_facts(before: Deal, deal: Deal) -> tuple[str, ...]:
    """The lines with `!` that an action has added to the history."""
    return tuple(line for line in deal.history[len(before.history) :] if line.startswith("!"))


def declared_notes(rules: Rules, before: Deal, deal: Deal, seat: int) -> tuple[Note, ...]:
    """What became known when a seat declared all that it holds; a jackpot ends the deal."""
    said = note("R27", _("%(seat)s declares."), seat=seat)
    if deal.end is End.JACKPOT:
        return (said, *_jackpot(deal, seat))
    announced = [line.split() for line in new_facts(before, deal) if not line.startswith("! show")]
    notes = [_announced(words) for words in announced if words[1] in ("announce", "height")]
    if not notes:
        text = _("What %(seat)s holds stays unknown: a better kind has been announced.")
        notes = [note("R32", text, seat=seat)]
    return (said, *notes)


def _jackpot(deal: Deal, seat: int) -> tuple[Note, ...]:
    run = (deal.in_play.declarations.declared[seat] or ())[0]
    text = _("It is a jackpot: %(cards)s. The deal is over at once.")
    return (note("R25", text, cards=tuple(format_card(card) for card in run.cards)),)


def _announced(words: list[str]) -> Note:
    seat = int(words[2])
    if words[1] == "announce":
        return note("R32", _("%(seat)s announces: %(kind)s."), seat=seat, kind=words[3])
    text = _("Two announced the same, so heights are told: that of %(seat)s goes up to %(top)s.")
    return note("R32", text, seat=seat, top="10" if words[3] == "T" else words[3])


def shown_notes(rules: Rules, before: Deal, deal: Deal) -> tuple[Note, ...]:
    """The cards of all that score, laid open when nobody can declare any more, and why these."""
    lines = [line.split() for line in new_facts(before, deal) if line.startswith("! show")]
    opened = deal.in_play.declarations != before.in_play.declarations and not deal.end
    compared = compared_notes(rules, deal) if lines and opened else ()
    text = _("%(seat)s shows %(cards)s.")
    return (*compared, *(note("R32", text, seat=int(words[2]), cards=tuple(words[3:])) for words in lines))


def standing_of(rules: Rules, deal: Deal) -> Standing:
    """Whose sequences are best by what has been declared."""
    play = deal.in_play
    assert deal.maker is not None
    order = rules.seats_from(play.tricks.first_leader)
    return standing(rules, play.trump, deal.maker, play.declarations.declared, order)


def _runs(rules: Rules, deal: Deal) -> Runs:
    play = deal.in_play
    order = rules.seats_from(play.tricks.first_leader)
    return [(seat, run) for seat in order for run in play.declarations.declared[seat] or ()]


def compared_notes(rules: Rules, deal: Deal) -> tuple[Note, ...]:
    """Which of the declared sequences is best, and by what; nothing where none was declared."""
    runs = _runs(rules, deal)
    if not runs:
        return ()
    best = max(run.rank for _seat, run in runs)
    tied = [(seat, run) for seat, run in runs if run.rank == best]
    if len({rules.side_of(seat) for seat, _run in tied}) > 1:
        return (_tie(rules, deal, tied),)
    seat, run = tied[0]
    others = [one for one in runs if rules.side_of(one[0]) != rules.side_of(seat)]
    return (_alone(seat, run) if not others else _better(seat, run, others),)


def _alone(seat: int, run: RunOfCards) -> Note:
    text = _("The %(kind)s of %(seat)s up to %(card)s is best: no other side declared any.")
    return note("R28", text, seat=seat, kind=run.kind.value, card=format_card(run.top))


def _better(seat: int, run: RunOfCards, others: Runs) -> Note:
    """The best sequence beside the best of the other sides."""
    other, second = max(others, key=lambda one: one[1].rank)
    values = {"seat": seat, "kind": run.kind.value, "card": format_card(run.top), "other_seat": other}
    if WORTH[run.kind] > WORTH[second.kind]:
        text = _("The %(kind)s of %(seat)s up to %(card)s is best: longer than the %(other_kind)s of %(other_seat)s.")
        return note("R28", text, **values, other_kind=second.kind.value)
    text = _("The %(kind)s of %(seat)s up to %(card)s is best: that of %(other_seat)s ends with %(other_card)s.")
    return note("R28", text, **values, other_card=format_card(second.top))


def _tie(rules: Rules, deal: Deal, tied: Runs) -> Note:
    """Equal sequences of several sides, and what decides between them."""
    trump, tie = deal.in_play.trump, rules.sequence_tie
    first, run = tied[0]
    second = next(seat for seat, _run in tied if rules.side_of(seat) != rules.side_of(first))
    sides = tuple(dict.fromkeys(rules.side_of(seat) for seat, _run in tied))
    values = {"sides": sides, "kind": run.kind.value, "top": RANKS[rank_of(run.top)].replace("T", "10")}
    best = standing_of(rules, deal)
    if best.pool and all(side in best.pool for side in sides):
        return note("R30", _("Both defenders have a %(kind)s up to %(top)s: both score."), **values)
    if best.open:
        text = _("%(sides)s have a %(kind)s up to %(top)s: the one that takes the last trick scores.")
        return note("R28", text, **values)
    if not best.sides:
        text = _("%(sides)s have a %(kind)s up to %(top)s: nobody scores, for neither is in trumps.")
        return note("R28", text, **values)
    by_trumps = [seat for seat, one in tied if suit_of(one.top) == trump]
    if by_trumps and tie not in (SequenceTie.ORDER, SequenceTie.LAST_TRICK):
        text = _("%(sides)s have a %(kind)s up to %(top)s: that of %(seat)s is best, it is in trumps.")
        return note("R28", text, **values, seat=by_trumps[0])
    text = _("%(sides)s have a %(kind)s up to %(top)s: that of %(seat)s is best, who plays before %(other_seat)s.")
    return note("R28", text, **values, seat=first, other_seat=second)
