"""An observation as JSON text, put together from pieces. Pure (protocol §2).

It says to the letter what the encoder would make of `View.as_json`, in a fifth of the time. Texts of the engine hold
nothing that JSON would have to escape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bots_api.wire import PROTOCOL, encode
from engine import View
from engine.cards import CARD_TEXTS, RANKS, SUITS, texts_of
from engine.view import Announced, pool_json


def opening(view: View) -> str:
    """The beginning of every decision of a game: what does not change in it."""
    rules = view.rules
    overrides = encode(dict(rules.overrides)).decode()
    return (
        f'{{"protocol":"{PROTOCOL}","rules":"{rules.name}","overrides":{overrides},"players":{rules.players},'
        f'"pairs":{truth(rules.pairs)},"target":{rules.target},"seat":{view.seat},"party":{view.party},'
    )


def text(beginning: str, view: View) -> str:
    """The whole observation; `beginning` is `opening` of any view of the same game."""
    return (
        f'{beginning}"deal":{view.deal},"ply":{view.ply},"phase":"{view.phase.value}",'
        f'"you":{{"hand":{_texts(texts_of(view.hand))},"side":{view.rules.side_of(view.seat)}}},'
        f'"table":{_table(view)},"history":{_texts(view.history)},"events":{_texts(view.events)},'
        f'"legal":{_texts([action.text for action in view.legal])},"default":{_default(view)}}}'
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


def truth(value: bool) -> str:
    """A truth value as JSON writes it."""
    return "true" if value else "false"
