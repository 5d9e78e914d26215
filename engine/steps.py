"""A record step by step with all cards open, for a page that replays it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import TypedDict

from engine.actions import Action, ActionKind
from engine.cards import CARD_TEXTS, SUITS, texts_of
from engine.deal import Deal, End
from engine.errors import RecordError
from engine.notes import Note, acted_notes, dealt_notes, played_notes, score_notes
from engine.party import Party
from engine.record import Differs, Visit, walk
from engine.rules import Rules
from engine.scoring import Pools
from engine.table import deal_after
from engine.tricks import Trick


class StepKind(StrEnum):
    """A pack is dealt, a seat acts, a deal is written."""

    DEAL = "deal"
    ACTION = "action"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Step:
    """The table after one thing has happened; cards are texts.

    `deal` counts the record's deals from 0, `number` is the deal's own; `hands`, `tricks_won` are by seat,
    `card_points` and the last five, which only a score has, by side. `trick` holds the card just played, also when
    it completes the trick, and `winner` is then the seat that took it. `facts` are new with this step. `notes` say what
    happened and why: every step has some.
    """

    deal: int
    number: int
    dealer: int
    kind: StepKind
    hands: tuple[tuple[str, ...], ...]
    upcard: str
    trump: str | None
    maker: int | None
    bottom: str | None
    trick: tuple[tuple[int, str], ...]
    winner: int | None
    tricks_won: tuple[int, ...]
    card_points: tuple[int, ...]
    seat: int | None = None
    action: str | None = None
    cause: str | None = None
    facts: tuple[str, ...] = ()
    end: End | None = None
    points: tuple[int, ...] = ()
    written: tuple[int, ...] = ()
    waiting: Pools = ()
    fines: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()


def steps(record: Mapping[str, object]) -> tuple[Step, ...]:
    """Every step of a record, in order; raises RecordError if the record cannot be played."""
    try:
        visits = list(walk(record, strict=False))
    except Differs as found:
        raise RecordError(str(found)) from None
    by_deal = [list(of_deal) for _deal, of_deal in groupby(visits[:-1], key=lambda visit: visit.deal)]
    after = [of_deal[0].table.party for of_deal in by_deal[1:]] + [visit.table.party for visit in visits[-1:]]
    return tuple(step for of_deal, party in zip(by_deal, after, strict=False) for step in _deal_steps(of_deal, party))


def _deal_steps(visits: list[Visit], after: Party) -> Iterator[Step]:
    """One deal: the pack is dealt, every action, what was written; `after` is the party with it."""
    first = visits[0].table
    deal, rules, index = first.deal, first.rules, visits[0].deal
    yield Step(
        kind=StepKind.DEAL,
        facts=tuple(line for line in deal.history if line.startswith("!")),
        notes=dealt_notes(first, first=not index),
        **_cards(rules, deal, index),
    )
    for visit in visits:
        if visit.action is not None:
            deal = deal_after(visit.table, visit.action, visit.cause)
            yield _action_step(visit, visit.action, deal)
    written = after.deals[index]
    yield Step(
        kind=StepKind.SCORE,
        end=written.end,
        points=written.points,
        written=written.written,
        waiting=written.waiting,
        fines=written.fines,
        totals=written.totals,
        notes=score_notes(rules, first.party, after, replace(deal, end=written.end)),
        **_cards(rules, deal, index),
    )


def _action_step(visit: Visit, action: Action, deal: Deal) -> Step:
    before = visit.table.deal
    said = played_notes if action.kind is ActionKind.PLAY else acted_notes
    cards = _cards(visit.table.rules, deal, visit.deal)
    if deal.play and before.play and deal.play.tricks.done > before.play.tricks.done:
        cards |= {"trick": _trick(deal.play.tricks.last), "winner": deal.play.tricks.leader}
    return Step(
        kind=StepKind.ACTION,
        seat=before.to_act,
        action=action.text,
        cause=visit.cause,
        facts=deal.history[len(before.history) + 1 :],
        notes=said(visit.table, action, deal),
        **cards,
    )


class _Cards(TypedDict):
    """What every step shows of the table."""

    deal: int
    number: int
    dealer: int
    hands: tuple[tuple[str, ...], ...]
    upcard: str
    trump: str | None
    maker: int | None
    bottom: str | None
    trick: tuple[tuple[int, str], ...]
    winner: int | None
    tricks_won: tuple[int, ...]
    card_points: tuple[int, ...]


def _cards(rules: Rules, deal: Deal, index: int) -> _Cards:
    tricks = deal.play.tricks if deal.play else None
    return _Cards(
        deal=index,
        number=deal.number,
        dealer=deal.dealer,
        hands=tuple(tuple(texts_of(hand)) for hand in deal.hands),
        upcard=CARD_TEXTS[deal.upcard],
        trump=None if deal.trump is None else SUITS[deal.trump],
        maker=deal.maker,
        bottom=None if deal.bottom is None else CARD_TEXTS[deal.bottom],
        trick=_trick(tricks.trick) if tricks else (),
        winner=None,
        tricks_won=tricks.won if tricks else (0,) * rules.players,
        card_points=tricks.points if tricks else (0,) * rules.sides,
    )


def _trick(trick: Trick) -> tuple[tuple[int, str], ...]:
    return tuple((seat, CARD_TEXTS[card]) for seat, card in trick)
