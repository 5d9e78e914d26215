"""What a deal's points are made of (R26-R31, R33-R36, R42, R43)."""

from __future__ import annotations

from engine.bella import bella_points, is_holder
from engine.deal import Deal
from engine.notes.facts import compared_notes, standing_of
from engine.notes.note import Note, note
from engine.rules import BellaTo, Rules
from engine.sequences import sequence_points
from engine.texts import gettext_noop as _
from engine.tricks import LAST_TRICK


def counted_notes(rules: Rules, deal: Deal, whole: bool) -> tuple[Note, ...]:
    """Sequences, bella, and each side's points; `whole`: the last trick has been taken."""
    return (
        *_sequence_notes(rules, deal, whole),
        *_bella_notes(rules, deal),
        *(side_note(rules, deal, side, whole) for side in range(rules.sides)),
    )


def _last_side(rules: Rules, deal: Deal, whole: bool) -> int | None:
    return rules.side_of(deal.in_play.tricks.leader) if whole else None


def _has_trick(rules: Rules, deal: Deal, side: int) -> bool:
    return deal.in_play.tricks.won_by_side(rules, side) > 0


def _scored(rules: Rules, deal: Deal, whole: bool) -> tuple[int, ...]:
    """Points of sequences by side, as they count."""
    scoring = standing_of(rules, deal).scoring(_last_side(rules, deal, whole))
    points = sequence_points(rules, deal.in_play.declarations.declared, scoring)
    return tuple(
        count if not rules.sequence_needs_trick or _has_trick(rules, deal, side) else 0
        for side, count in enumerate(points)
    )


def _sequence_notes(rules: Rules, deal: Deal, whole: bool) -> tuple[Note, ...]:
    """How the sequences were compared, and what became of each side's."""
    if deal.forced:
        return (note("R27", _("In a forced deal nothing is declared.")),)
    declared = deal.in_play.declarations.declared
    held = sequence_points(rules, declared, tuple(range(rules.sides)))
    best = standing_of(rules, deal).scoring(_last_side(rules, deal, whole))
    notes = list(compared_notes(rules, deal))
    for side, points in enumerate(held):
        if points:
            notes.append(_side_sequences(rules, deal, side, points, scores=side in best))
    return tuple(notes)


def _side_sequences(rules: Rules, deal: Deal, side: int, points: int, scores: bool) -> Note:
    values = {"side": side, "points": points}
    if not scores:
        return note("R29", _("%(side)s does not score the %(points)s points that it declared."), **values)
    if rules.sequence_needs_trick and not _has_trick(rules, deal, side):
        return note("R31", _("%(side)s took no trick and does not score its %(points)s points of sequences."), **values)
    if standing_of(rules, deal).pool and rules.defenders_pool:
        return note("R30", _("%(side)s scores %(points)s points of sequences."), **values)
    return note("R29", _("%(side)s scores all that it declared: %(points)s points."), **values)


def _bella(rules: Rules, deal: Deal) -> tuple[int, ...]:
    """Points of bella by side, as they count."""
    return tuple(
        count if not rules.bella_needs_trick or _has_trick(rules, deal, side) else 0
        for side, count in enumerate(bella_points(rules, deal.in_play.bella))
    )


def _bella_notes(rules: Rules, deal: Deal) -> tuple[Note, ...]:
    play = deal.in_play
    if play.bella.seat is None:
        silent = [seat for seat, came in enumerate(play.declarations.came) if is_holder(play.trump, came)]
        text = _("%(seat)s had bella and did not say it: it does not count.")
        return tuple(note("R36", text, seat=seat) for seat in silent)
    before = bella_points(rules, play.bella)
    if not any(before):
        return (note("R35", _("The bella of %(seat)s has won nothing."), seat=play.bella.seat),)
    side = max(range(rules.sides), key=lambda one: before[one])
    values = {"seat": play.bella.seat, "side": side, "points": before[side]}
    if not _bella(rules, deal)[side]:
        return (note("R31", _("%(side)s took no trick: the bella of %(seat)s does not count."), **values),)
    return (note("R35", _BELLA[rules.bella_to], **values),)


_BELLA = {
    BellaTo.HOLDER: _("%(side)s scores %(points)s for the bella of %(seat)s."),
    BellaTo.TRICK_WINNER: _("%(side)s took the trick in which %(seat)s said bella and scores %(points)s for it."),
    BellaTo.ONE_WINS: _("King or queen of %(seat)s took its own trick: %(side)s scores %(points)s for bella."),
    BellaTo.HALVES: _("%(side)s scores %(points)s for bella: 10 for each card of %(seat)s that took its own trick."),
}


def side_note(rules: Rules, deal: Deal, side: int, whole: bool) -> Note:
    """One side's points with the parts that there are; `whole`: the last trick has been taken."""
    parts = {
        "tricks": deal.in_play.tricks.points[side],
        "last": LAST_TRICK * (side == _last_side(rules, deal, whole)),
        "sequences": _scored(rules, deal, whole)[side],
        "bella": _bella(rules, deal)[side],
    }
    text = _SUMS[bool(parts["last"]), bool(parts["sequences"]), bool(parts["bella"])]
    return note("R43", text, side=side, points=sum(parts.values()), **parts)


_SUMS = {
    # last trick, sequences, bella
    (False, False, False): _("%(side)s: %(points)s points in tricks."),
    (False, False, True): _("%(side)s: %(tricks)s in tricks + %(bella)s bella = %(points)s points."),
    (False, True, False): _("%(side)s: %(tricks)s in tricks + %(sequences)s sequences = %(points)s points."),
    (False, True, True): _(
        "%(side)s: %(tricks)s in tricks + %(sequences)s sequences + %(bella)s bella = %(points)s points."
    ),
    (True, False, False): _("%(side)s: %(tricks)s in tricks + %(last)s last trick = %(points)s points."),
    (True, False, True): _(
        "%(side)s: %(tricks)s in tricks + %(last)s last trick + %(bella)s bella = %(points)s points."
    ),
    (True, True, False): _(
        "%(side)s: %(tricks)s in tricks + %(last)s last trick + %(sequences)s sequences = %(points)s points."
    ),
    (True, True, True): _(
        "%(side)s: %(tricks)s in tricks + %(last)s last trick + %(sequences)s sequences + %(bella)s bella = "
        "%(points)s points."
    ),
}
