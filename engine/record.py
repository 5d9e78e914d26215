"""A party as one JSON document and back (protocol §3), and the first difference between a record and its replay.

One walk serves both readers: `replay` wants a document that can be played, `verify` wants every number in it to be
the one that the rules give.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, NamedTuple, TypeVar

from engine.actions import ACTION_OF, Action
from engine.cards import CARD_TEXTS, SUITS, Card, parse_card
from engine.deal import End, check_deck
from engine.errors import CardError, RecordError, RulesError, SetupError
from engine.party import DealRecord, PartyResult
from engine.presets import rules_of
from engine.rules import Rules
from engine.shuffle import SHUFFLE_VERSION, commitment
from engine.table import FAULT, PartySetup, Table, apply, fault_of, forfeit, format_deck, rest, start, why_not_cause
from engine.version import ENGINE_VERSION
from engine.view import pool_json
from engine.wording import brief, plain

T = TypeVar("T")
FORMAT: Final = "manela/1"
_SAID: Final = re.compile(r"(?P<seat>\d) (?P<action>\S+)(?: !(?P<cause>\S+))?")
HEADER: Final = (
    "record",
    "engine",
    "rules",
    "overrides",
    "players",
    "pairs",
    "seed",
    "entropy",
    "commitment",
    "shuffle",
    "suits",
    "first_dealer",
    "first_dealer_by",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record first differs from what its rules and seed give.

    `deal` and `action` are places in the record from 0, None where the difference is in no deal or no action;
    `field` is the dotted path inside the record, the deal or the result.
    """

    deal: int | None
    action: int | None
    field: str
    expected: object
    found: object

    def __str__(self) -> str:
        where = [f"deal {self.deal}"] * (self.deal is not None) + [f"action {self.action}"] * (self.action is not None)
        found = f"expected {brief(self.expected)}, found {brief(self.found)}"
        return f"{', '.join([*where, plain(self.field)])}: {found}"


class Differs(Exception):
    """Ends a walk at the first difference."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference)
        self.difference = difference


class _Missing:
    """What is found where a record has nothing."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING: Final = _Missing()


def record_of(table: Table) -> dict[str, object]:
    """The record of a party; of one that goes on, its finished deals and no result.

    It holds the seed, from which every pack of the party follows, those to come too: it is secret until every card
    that depends on the seed has been played, in duplicate play by all who are dealt from it (R68).
    """
    return record_from(table.setup, table.party.deals, table.result)


def record_from(setup: PartySetup, deals: Iterable[DealRecord], result: PartyResult | None) -> dict[str, object]:
    """The record of a party dealt from this, with these finished deals; result None: it goes on."""
    return {
        **_header(setup),
        "deals": [deal_json(deal) for deal in deals],
        "result": None if result is None else result_json(result),
    }


def _header(setup: PartySetup) -> dict[str, object]:
    rules, seed = setup.rules, setup.seed
    values = (
        FORMAT,
        ENGINE_VERSION,
        rules.name,
        dict(rules.overrides),
        rules.players,
        rules.pairs,
        None if seed is None else seed.hex(),
        setup.entropy.hex(),
        None if seed is None else commitment(seed),
        SHUFFLE_VERSION,
        setup.suits,
        setup.dealer(),
        setup.first_dealer_by,
    )
    return dict(zip(HEADER, values, strict=True))


def deal_json(deal: DealRecord) -> dict[str, object]:
    """A finished deal as protocol §3 writes it."""
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "deck": [CARD_TEXTS[card] for card in deal.deck],
        "actions": list(deal.actions),
        "end": deal.end.value,
        "maker": deal.maker,
        "trump": None if deal.trump is None else SUITS[deal.trump],
        "points": list(deal.points),
        "written": list(deal.written),
        "waiting": [pool_json(pool) for pool in deal.waiting],
        "fines": list(deal.fines),
        "totals": list(deal.totals),
    }


def result_json(result: PartyResult) -> dict[str, object]:
    """A party's result as protocol §3 writes it."""
    return {
        "totals": list(result.totals),
        "winner": result.winner,
        "reason": result.reason.value,
        "stakes": None if result.stakes is None else list(result.stakes),
        "forfeiter": result.forfeiter,
    }


def verify(record: Mapping[str, object]) -> Difference | None:
    """The first difference between a record and what its rules, seed and actions give; None if there is none.

    Checks types, keys, the commitment, the lot, every pack, every action and every derived number. Keys at the top
    that it does not know are passed over: readers do so, and whoever keeps records may add to them (protocol). Raises
    for nothing that JSON can hold.
    """
    try:
        for _ in walk(record, strict=True):
            pass
    except Differs as found:
        return found.difference
    return None


def replay(record: Mapping[str, object]) -> Table:
    """The table at the end of a record; raises RecordError if the record cannot be played.

    Where the decks of a running party end with its last deal, nobody acts at it.
    """
    try:
        visits = list(walk(record, strict=False))
    except Differs as found:
        raise RecordError(str(found)) from None
    if not visits:
        raise RecordError(str(Difference(None, None, "deals", "a deck", NOTHING)))
    return visits[-1].table


class Visit(NamedTuple):
    """A table on the way through a record, the place of its deal, and the action taken at it.

    The action is None where the party was forfeited, and at the last table.
    """

    deal: int
    table: Table
    action: Action | None = None
    cause: str | None = None


def walk(record: Mapping[str, object], strict: bool) -> Iterator[Visit]:
    """Every table of a record in turn; none where no deal is finished and there are only decks to deal from.

    Raises Differs at what cannot be played and, if `strict`, at whatever is not as derived.
    """
    setup = _setup_of(record)
    if strict:
        _compare(_header(setup) | {"engine": record["engine"]}, {key: record[key] for key in HEADER})
    result, deals = None, _list_at(record, "deals")
    if deals or setup.seed is not None:
        table = start(setup)
        for index, deal in enumerate(deals):
            table = yield from _walk_deal(table, record, index, deal, strict)
        yield Visit(len(table.party.deals), table)
        result = None if table.result is None else result_json(table.result)
    if strict:
        _compare(result, record["result"], "result")


def _walk_deal(
    table: Table, record: Mapping[str, object], index: int, deal: object, strict: bool
) -> Generator[Visit, None, Table]:
    if table.over:
        raise Differs(Difference(index, None, "deals", NOTHING, deal))
    deal = _deal_object(deal, index)
    running = table.deal
    dealt = {"number": running.number, "dealer": running.dealer, "deck": format_deck(running.deck)}
    _compare(dealt, {key: deal[key] for key in dealt}, deal=index)
    texts = _list_at(deal, "actions", index)
    for place, text in enumerate(texts):
        if len(table.party.deals) > index:
            raise Differs(Difference(index, place, "actions", NOTHING, text))
        action, cause = _action_at(table, index, place, text)
        yield Visit(index, table, action, cause)
        table = _after(table, action, cause)
    if len(table.party.deals) == index:
        yield Visit(index, table)
        table = _forfeited(table, record, index, deal, len(texts))
    if strict:
        _compare(deal_json(table.party.deals[index]), deal, deal=index)
    return table


def _after(table: Table, action: Action, cause: str | None) -> Table:
    """The table after an action; the decks of a running party may end with its last deal."""
    try:
        return apply(table, action, cause)
    except SetupError:
        return rest(table, action, cause)


def _forfeited(table: Table, record: Mapping[str, object], index: int, deal: Mapping[str, object], place: int) -> Table:
    """The table after a deal that stops in its middle, which only a forfeit explains."""
    if deal["end"] != End.FORFEIT:
        raise Differs(Difference(index, place, "actions", _choices(table), NOTHING))
    result = record["result"]
    seat = result.get("forfeiter") if isinstance(result, Mapping) else NOTHING
    if type(seat) is not int or seat not in range(table.rules.players):
        raise Differs(Difference(None, None, "result.forfeiter", "a seat", seat))
    return forfeit(table, seat)


def _action_at(table: Table, index: int, place: int, text: object) -> tuple[Action, str | None]:
    """The action of a text such as `1 play:7C !timeout`, legal at this table or a fault that it punishes."""
    matched = _SAID.fullmatch(text) if isinstance(text, str) else None
    if matched and matched["seat"] == str(table.seat_to_act):
        action = ACTION_OF.get(matched["action"])
        if action and _fits(table, action, matched["cause"]):
            return action, matched["cause"]
    raise Differs(Difference(index, place, "actions", _choices(table), text))


def _fits(table: Table, action: Action, cause: str | None) -> bool:
    if action not in table.legal:
        return cause == FAULT and fault_of(table, action) is action
    return cause is None or why_not_cause(table, action, cause) is None


def _choices(table: Table) -> list[str]:
    return [f"{table.seat_to_act} {action}" for action in table.legal]


def _setup_of(record: object) -> PartySetup:
    """What the party was dealt from, every part of the header typed."""
    if not isinstance(record, Mapping):
        raise Differs(Difference(None, None, "record", "an object", record))
    for key in (*HEADER, "deals", "result"):
        if key not in record:
            raise Differs(Difference(None, None, key, "a value", NOTHING))
    _compare(FORMAT, record["record"], "record")
    _compare(SHUFFLE_VERSION, record["shuffle"], "shuffle")
    _typed(record, "engine", str)
    rules = _rules_of(record)
    seed = None if record["seed"] is None else _bytes_at(record, "seed")
    sources = ("match",) if seed is None else ("lot", "match")
    if record["first_dealer_by"] not in sources:
        raise Differs(Difference(None, None, "first_dealer_by", " or ".join(sources), record["first_dealer_by"]))
    dealer = _typed(record, "first_dealer", int)
    if dealer not in range(rules.players):
        raise Differs(Difference(None, None, "first_dealer", f"a seat from 0 to {rules.players - 1}", dealer))
    suits, entropy = _typed(record, "suits", str), _bytes_at(record, "entropy")
    if sorted(suits) != sorted(SUITS) or (seed is None and suits != SUITS):
        raise Differs(Difference(None, None, "suits", f"the letters {SUITS}", suits))
    if seed is None and entropy:
        raise Differs(Difference(None, None, "entropy", "", record["entropy"]))
    return PartySetup(
        rules,
        seed,
        entropy,
        suits,
        dealer if record["first_dealer_by"] == "match" else None,
        _decks_of(record) if seed is None else None,
    )


def _rules_of(record: Mapping[str, object]) -> Rules:
    name, overrides = _typed(record, "rules", str), record["overrides"]
    if not isinstance(overrides, Mapping):
        raise Differs(Difference(None, None, "overrides", "an object", overrides))
    try:
        return rules_of(name, overrides)
    except RulesError as error:
        named = error.code == "unknown_preset" or not overrides
        raise Differs(
            Difference(None, None, "rules" if named else "overrides", error.text, name if named else overrides)
        ) from None


def _bytes_at(record: Mapping[str, object], key: str) -> bytes:
    """32 bytes of lower-case hex; an empty text for entropy that nobody sent."""
    text = _typed(record, key, str)
    if not re.fullmatch("[0-9a-f]{64}", text) and not (key == "entropy" and text == ""):
        raise Differs(Difference(None, None, key, "64 hex digits", text))
    return bytes.fromhex(text)


def _decks_of(record: Mapping[str, object]) -> tuple[tuple[Card, ...], ...]:
    """The decks of a record without a seed, where they are the authority."""
    return tuple(_deck_of(_deal_object(deal, index), index) for index, deal in enumerate(_list_at(record, "deals")))


def _deck_of(deal: Mapping[str, object], index: int) -> tuple[Card, ...]:
    texts = _list_at(deal, "deck", index)
    try:
        deck = tuple(parse_card(text) for text in texts)  # type: ignore[arg-type]  # refused if it is no text
        check_deck(deck)
    except (CardError, SetupError, TypeError) as error:
        raise Differs(Difference(index, None, "deck", str(error), texts)) from None
    return deck


def _deal_object(deal: object, index: int) -> Mapping[str, object]:
    if not isinstance(deal, Mapping):
        raise Differs(Difference(index, None, "deals", "an object", deal))
    for key in ("number", "dealer", "deck", "actions", "end"):
        if key not in deal:
            raise Differs(Difference(index, None, key, "a value", NOTHING))
    return deal


def _list_at(holder: Mapping[str, object], key: str, deal: int | None = None) -> Sequence[object]:
    if not isinstance(holder[key], list):
        raise Differs(Difference(deal, None, key, "a list", holder[key]))
    return holder[key]  # type: ignore[return-value]  # just seen to be a list


def _typed(holder: Mapping[str, object], key: str, wanted: type[T]) -> T:
    value = holder[key]
    if type(value) is not wanted:  # a bool is no number here
        raise Differs(Difference(None, None, key, f"{wanted.__name__}", value))
    return value


def _compare(expected: object, found: object, path: str = "", deal: int | None = None) -> None:
    """Raises Differs at the first leaf that is not the same value of the same type."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in [*expected, *(key for key in found if key not in expected)]:
            name = key if isinstance(key, str) else brief(key)
            inner = f"{path}.{name}" if path else name
            _compare(expected.get(key, NOTHING), found.get(key, NOTHING), inner, deal)
    elif isinstance(expected, list) and isinstance(found, list):
        for place, (left, right) in enumerate(zip_longest(expected, found, fillvalue=NOTHING)):
            _compare(left, right, f"{path}.{place}", deal)
    elif type(expected) is not type(found) or expected != found:
        raise Differs(Difference(deal, None, path, expected, found))
