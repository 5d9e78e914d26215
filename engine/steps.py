"""A record step by step with all cards open, for a page that replays it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TypedDict

from engine.actions import Action
from engine.cards import CARD_TEXTS, SUITS, texts_of
from engine.deal import Deal, End
from engine.errors import RecordError
from engine.party import DealRecord
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
    it completes the trick, and `winner` is then the seat that took it. `facts` are new with this step.
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


def steps(record: Mapping[str, object]) -> tuple[Step, ...]:
    """Every step of a record, in order; raises RecordError if the record cannot be played."""
    try:
        visits = list(walk(record, strict=False))
    except Differs as found:
        raise RecordError(str(found)) from None
    by_deal = groupby(visits[:-1], key=lambda visit: visit.deal)
    return tuple(
        step for index, of_deal in by_deal for step in _deal_steps(list(of_deal), visits[-1].table.party.deals[index])
    )


def _deal_steps(visits: list[Visit], written: DealRecord) -> Iterator[Step]:
    """One deal: the pack is dealt, every action, what was written."""
    deal, rules = visits[0].table.deal, visits[0].table.rules
    yield Step(kind=StepKind.DEAL, **_cards(rules, deal, visits[0].deal))
    for visit in visits:
        if visit.action is not None:
            deal = deal_after(visit.table, visit.action)
            yield _action_step(visit, visit.action, deal)
    yield Step(
        kind=StepKind.SCORE,
        end=written.end,
        points=written.points,
        written=written.written,
        waiting=written.waiting,
        fines=written.fines,
        totals=written.totals,
        **_cards(rules, deal, visits[0].deal),
    )


def _action_step(visit: Visit, action: Action, deal: Deal) -> Step:
    before = visit.table.deal
    cards = _cards(visit.table.rules, deal, visit.deal)
    if deal.play and before.play and deal.play.tricks.done > before.play.tricks.done:
        cards |= {"trick": _trick(deal.play.tricks.last), "winner": deal.play.tricks.leader}
    return Step(
        kind=StepKind.ACTION,
        seat=before.to_act,
        action=action.text,
        cause=visit.cause,
        facts=deal.history[len(before.history) + 1 :],
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
