"""The game's notation for tests: hands, decks and whole deals as one writes them at the table.

The last seat deals first, so seat 0 is eldest, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import PartySetup, Rules, Table, apply, parse_action, rules_of, start
from engine.cards import PACK, Card, cards_in, format_card, mask_of, parse_card
from engine.deal import Deal
from engine.table import deal_after

SEED = bytes(range(32))


def cards(text: str) -> tuple[Card, ...]:
    """`"9H KH AS"` as cards."""
    return tuple(parse_card(word) for word in text.split())


def hand(text: str) -> int:
    """`"9H KH AS"` as a hand."""
    return mask_of(cards(text))


def said(mask: int) -> str:
    """A hand in the order of the pack, as text."""
    return " ".join(format_card(card) for card in cards_in(mask))


def dealt(*hands: str, upcard: str, bottom: str = "") -> tuple[Card, ...]:
    """A pack that gives the seats these cards, eldest's first and everybody's first six first (R8, R9).

    A seat that takes the upcard is written without it.
    """
    held = [cards(text) for text in hands]
    packet = 2 if len(held) == 4 else 3
    first = tuple(card for at in range(0, 6, packet) for one in held for card in one[at : at + packet])
    dealt = (*first, *cards(upcard), *(card for one in held for card in one[6:]))
    last = cards(bottom)
    return (*dealt, *(card for card in PACK if card not in {*dealt, *last}), *last)


def deck(eldest: str, dealer: str, upcard: str, bottom: str = "") -> tuple[Card, ...]:
    """A pack for two that gives eldest and dealer these cards."""
    return dealt(eldest, dealer, upcard=upcard, bottom=bottom)


SPARE = deck("7C 8C 9C TC JC QC KC AC 7D", "8D 9D TD JD QD KD AD 7S 8S", "9S")
"""What is dealt after the deals that a test is about."""


def rules(preset: str = "moscow/2", **overrides: object) -> Rules:
    """A preset's rules with overrides by name."""
    return rules_of(preset, overrides)


def three_seats(agreed: Rules) -> Rules:
    """The same options for three, for functions that serve every table."""
    return replace(agreed, players=3, sides=3)


def pairs(agreed: Rules) -> Rules:
    """The same options for four in pairs."""
    return replace(agreed, players=4, sides=2, pairs=True)


def table(*decks: tuple[Card, ...], agreed: Rules | None = None, dealer: int = -1, **party: object) -> Table:
    """A party from these packs and some spare ones; `party` sets what stood before, as `totals=(461, 300)`."""
    agreed = agreed or rules()
    setup = PartySetup(agreed, None, first_dealer=dealer % agreed.players, decks=decks + (SPARE,) * 20)
    begun = start(setup)
    return replace(begun, party=replace(begun.party, **party))


def go(table: Table, actions: str) -> Table:
    """The table after actions such as `"take declare 7C 8D+bella"`; a card alone is played."""
    for word in actions.split():
        table = apply(table, parse_action(f"play:{word}" if _is_card(word) else word))
    return table


def _is_card(word: str) -> bool:
    return word[:2] in {format_card(card) for card in PACK}


def finish(table: Table) -> Table:
    """The deal played to its end, every seat playing the first card it may."""
    number = len(table.party.deals)
    while len(table.party.deals) == number:
        table = apply(table, next(action for action in table.legal if action.text.startswith("play:")))
    return table


def last_deal(table: Table, action: str) -> Deal:
    """The running deal after an action that ends it, before anything is written."""
    return deal_after(table, parse_action(f"play:{action}" if _is_card(action) else action))


def offered(table: Table) -> str:
    """The legal actions as text."""
    return " ".join(action.text for action in table.legal)


def facts(table: Table) -> list[str]:
    """What the table has learned in the running deal."""
    return [line for line in table.deal.history if line.startswith("!")]


def written(table: Table, place: int = -1) -> Mapping[str, object]:
    """A finished deal's end, points, written, waiting and fines by name."""
    deal = table.party.deals[place]
    return {
        "end": deal.end.value,
        "points": deal.points,
        "written": deal.written,
        "waiting": [(pool.points, pool.eligible, pool.source.value) for pool in deal.waiting],
        "fines": deal.fines,
    }
