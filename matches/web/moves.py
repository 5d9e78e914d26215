"""A party step by step in words: what happened and why, with its clauses, and who bid what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine import Step
from engine.notes import Note
from engine.steps import StepKind
from matches.web.clauses import clause_words
from matches.web.wording import DEAL_END, cause_words

BIDS = ("take", "pass", "trump")
ROUNDS = 2
FAULT_CLAUSE = "R66"


@dataclass(frozen=True, slots=True)
class Names:
    """How seats and sides of the table are called."""

    seats: tuple[str, ...]
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence; cards stand in it as `[JH]`, suits as `[H]`. `is_clause`: the rule book has a sentence for it."""

    words: str
    clause: str = ""

    @property
    def is_clause(self) -> bool:
        return bool(clause_words(self.clause))


@dataclass(frozen=True, slots=True)
class Move:
    """A step in words: the first sentence says what happened, the others why and what came of it."""

    deal: int
    step: int
    index: int
    kind: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Bid:
    """What a seat said in one round of the bidding, and at which step; empty where its turn did not come."""

    words: str = ""
    index: int | None = None
    names: bool = False


@dataclass(frozen=True, slots=True)
class BidsOfSeat:
    name: str
    rounds: tuple[Bid, ...]


def move_of(step: Step, number: int, index: int, names: Names) -> Move:
    return Move(
        deal=step.deal + 1, step=number, index=index, kind=step.kind, said=(*_head(step), *_sentences(step, names))
    )


def _head(step: Step) -> tuple[Said, ...]:
    """A deal's last step says first how it ended; everywhere else the engine's own sentences say what happened."""
    if step.kind is not StepKind.SCORE:
        return ()
    return (Said(_("The deal is over: %(end)s") % {"end": DEAL_END.get(str(step.end), step.end)}),)


def _sentences(step: Step, names: Names) -> tuple[Said, ...]:
    said = tuple(said_of(note, names) for note in step.notes)
    punished = any(one.clause == FAULT_CLAUSE for one in said)
    if step.cause is None or step.seat is None or punished:
        return said
    why = _("Played by default: %(name)s %(cause)s.") % {
        "name": names.seats[step.seat],
        "cause": cause_words(step.cause),
    }
    return (*said, Said(why))


def said_of(note: Note, names: Names) -> Said:
    """A sentence of the engine in the reader's language, with names for seats and sides."""
    return Said(note.said(names.seats, names.sides, translate=_, card=lambda card: f"[{card}]"), note.clause)


def bids_of(of_deal: Sequence[Step], first_index: int, names: Names) -> tuple[BidsOfSeat, ...]:
    """Who said what in rounds one and two, from eldest to dealer; nothing where nobody bids (R18)."""
    seats = len(names.seats)
    bids = [(index, step) for index, step in enumerate(of_deal, first_index) if _is_bid(step)]
    if not bids:
        return ()
    said: dict[tuple[int, int], Bid] = {}
    for turn, (index, step) in enumerate(bids):
        said[step.seat or 0, turn // seats] = Bid(_bid_words(step), index, names=step.action != "pass")
    order = [(of_deal[0].dealer + 1 + place) % seats for place in range(seats)]
    return tuple(
        BidsOfSeat(names.seats[seat], tuple(said.get((seat, number), Bid()) for number in range(ROUNDS)))
        for seat in order
    )


def _is_bid(step: Step) -> bool:
    """A pass in another phase, when a maker is there, is none."""
    word = (step.action or "").partition(":")[0]
    return word in BIDS and (word != "pass" or step.maker is None)


def _bid_words(step: Step) -> str:
    if step.action == "pass":
        return _("pass")
    return (
        _("names %(suit)s") % {"suit": f"[{step.trump}]"} if step.action != "take" else _("takes") + f" [{step.trump}]"
    )
