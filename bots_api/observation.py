"""A decision as JSON text, put together from pieces. Pure (protocol §2, §4).

It says to the letter what the encoder would make of `View.as_json` and the ticket; the encoder alone would take as long
as all the rest of a decision. Texts of the engine hold nothing that JSON would have to escape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bots_api.wire import PROTOCOL, encode
from engine import View
from engine.cards import CARD_TEXTS, RANKS, SUITS, texts_of
from engine.view import Announced, pool_json


@dataclass(frozen=True, slots=True)
class Ticket:
    """What makes an observation a decision: which one, of which game, counted how."""

    decision_id: str
    seq: int
    game: str
    match: str
    round_number: int
    rated: bool


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The clock as a program sees it; milliseconds."""

    budget_ms: int
    bank_ms: int
    grace_ms: int
    hard_ms: int
    last_charged_ms: int
    last_rtt_ms: int


def opening(view: View) -> str:
    """The beginning of every decision of a game: what does not change in it."""
    rules = view.rules
    overrides = encode(dict(rules.overrides)).decode()
    return (
        f'{{"protocol":"{PROTOCOL}","rules":"{rules.name}","overrides":{overrides},"players":{rules.players},'
        f'"pairs":{_truth(rules.pairs)},"target":{rules.target},"seat":{view.seat},"party":{view.party},'
    )


def decision(beginning: str, view: View, ticket: Ticket, clock: ClockFace) -> str:
    """The whole message; `beginning` is `opening` of any view of the same game."""
    return (
        f'{beginning}"deal":{view.deal},"ply":{view.ply},"phase":"{view.phase.value}",'
        f'"you":{{"hand":{_texts(texts_of(view.hand))},"side":{view.rules.side_of(view.seat)}}},'
        f'"table":{_table(view)},"history":{_texts(view.history)},"events":{_texts(view.events)},'
        f'"legal":{_texts([action.text for action in view.legal])},"default":{_default(view)},'
        f'"type":"decision","decision_id":"{ticket.decision_id}","seq":{ticket.seq},"game":"{ticket.game}",'
        f'"match":"{ticket.match}","round":{ticket.round_number},"rated":{_truth(ticket.rated)},"clock":'
        f'{{"budget_ms":{clock.budget_ms},"bank_ms":{clock.bank_ms},"grace_ms":{clock.grace_ms},'
        f'"hard_ms":{clock.hard_ms},"last_charged_ms":{clock.last_charged_ms},"last_rtt_ms":{clock.last_rtt_ms}}}}}'
    )


def correction(message: str, code: str, detail: str) -> str:
    """The same decision asked again, with what was wrong (protocol §5)."""
    error = encode({"code": code, "detail": detail}).decode()
    return f'{message[:-1]},"attempt":2,"error":{error}}}'


def _table(view: View) -> str:
    trick = ",".join(f'{{"seat":{seat},"card":"{CARD_TEXTS[card]}"}}' for seat, card in view.trick)
    waiting = encode([pool_json(pool) for pool in view.waiting]).decode() if view.waiting else "[]"
    announced = ",".join(map(_announced, view.announced))
    return (
        f'{{"dealer":{view.dealer},"upcard":"{CARD_TEXTS[view.upcard]}","trump":{_name(SUITS, view.trump)},'
        f'"maker":{_number(view.maker)},"bottom":{_name(CARD_TEXTS, view.bottom)},"totals":{_numbers(view.totals)},'
        f'"waiting":{waiting},"baits":{_numbers(view.baits)},"announced":[{announced}],"bella":{_numbers(view.bella)},'
        f'"trick":[{trick}],"hand_sizes":{_numbers(view.hand_sizes)},"tricks_won":{_numbers(view.tricks_won)},'
        f'"stake":{view.stake}}}'
    )


def _announced(known: Announced) -> str:
    cards = _texts([CARD_TEXTS[card] for card in known.cards])
    return f'{{"seat":{known.seat},"kind":"{known.kind}","top":{_name(RANKS, known.top)},"cards":{cards}}}'


def _default(view: View) -> str:
    return "null" if view.default is None else f'"{view.default.text}"'


def _texts(texts: Sequence[str]) -> str:
    joined = '","'.join(texts)
    return f'["{joined}"]' if texts else "[]"


def _numbers(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"


def _name(names: Sequence[str], index: int | None) -> str:
    return "null" if index is None else f'"{names[index]}"'


def _number(number: int | None) -> str:
    return "null" if number is None else str(number)


def _truth(value: bool) -> str:
    return "true" if value else "false"
