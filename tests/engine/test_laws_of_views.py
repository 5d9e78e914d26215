"""What a seat sees does not change, byte for byte, when the cards change that it does not see."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Table, apply, fault_of, observe, parse_action, rules_of, start, why_not
from engine.actions import ACTIONS
from engine.cards import PACK, Card, cards_in, mask_of, parse_card
from engine.deal import FIRST_CARDS
from engine.presets import PRESETS
from engine.table import PartySetup
from tests.engine.agreements import table_of
from tests.engine.drawing import FEW, SEEDS, agreements, party
from tests.engine.test_laws import played_cards, tables

EVERY_PRESET = pytest.mark.parametrize("preset", PRESETS)
SWAPS = 4
"""Other worlds that are tried for a seat at a table."""


def seen(table: Table, seat: int) -> bytes:
    """A seat's view as it goes over the wire."""
    return json.dumps(observe(table, seat).as_json()).encode()


# --- the cards of others replaced where they lie


def stirred(table: Table, seat: int, rng: random.Random) -> Table:
    """The table with other cards in the hands of others and in the stock, whatever has been said and played.

    A void, an announcement, a claim follow from what a seat saw; nothing that it sees may follow from the cards.
    """
    deal = table.deal
    own = deal.hands[seat] | 1 << deal.upcard | mask_of(played_cards(deal.actions))
    own |= 0 if deal.bottom is None else 1 << deal.bottom
    hidden = [card for card in PACK if not own >> card & 1]
    new = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    hands = [hand if at == seat else renamed(hand, new) for at, hand in enumerate(deal.hands)]
    deal = replace(deal, hands=tuple(hands), deck=tuple(new.get(card, card) for card in deal.deck))
    if deal.play is not None:
        known = deal.play.declarations
        came = [hand if at == seat else renamed(hand, new) for at, hand in enumerate(known.came)]
        deal = replace(deal, play=replace(deal.play, declarations=replace(known, came=tuple(came))))
    return replace(table, deal=deal)


def renamed(hand: int, new: dict[Card, Card]) -> int:
    return mask_of(new.get(card, card) for card in cards_in(hand))


@EVERY_PRESET
@given(st.data())
@FEW
def test_a_view_follows_from_nothing_hidden(preset: str, data: st.DataObject) -> None:
    agreed, seed = data.draw(agreements(preset)), data.draw(SEEDS)
    rng = random.Random(seed)
    for table in tables(party(agreed, seed))[data.draw(st.integers(0, 6)) :: 7]:
        for seat in range(agreed.players):
            other = stirred(table, seat, rng)
            assert seen(other, seat) == seen(table, seat)
            if table.seat_to_act == seat:
                # `legal` came along with the table: that it would be the same is asked of the rules themselves.
                assert tuple(action for action in ACTIONS if why_not(other, action) is None) == table.legal


# --- other packs, and the same things said and played


def dealt_again(table: Table, deck: tuple[Card, ...]) -> Table | None:
    """The same actions over another pack for the running deal; None if they are not possible or show other things."""
    decks = (*(deal.deck for deal in table.party.deals), deck, *[PACK] * 9)
    again = start(PartySetup(table.rules, None, first_dealer=table.setup.dealer(), decks=decks))
    for text in [*(text for deal in table.party.deals for text in deal.actions), *table.deal.actions]:
        said, _, cause = text.partition(" !")
        action = parse_action(said.split()[1])
        fits = action in again.legal or (cause == "illegal" and fault_of(again, action))
        if not said.startswith(f"{again.seat_to_act} ") or not fits:
            return None
        again = apply(again, action, cause if cause == "illegal" else None)
    return again if again.deal.history == table.deal.history else None


def swapped(deck: tuple[Card, ...], places: list[int], rng: random.Random, pairs: int) -> tuple[Card, ...]:
    """The deck with so many pairs of cards at these places exchanged."""
    out = list(deck)
    for _ in range(pairs if len(places) > 1 else 0):
        one, other = rng.sample(places, 2)
        out[one], out[other] = out[other], out[one]
    return tuple(out)


def hidden_places(table: Table, seat: int) -> list[int]:
    """Where in the pack lie cards that the seat does not see and has not seen."""
    deal = table.deal
    known = deal.hands[seat] | mask_of(played_cards(deal.actions)) | 1 << deal.deck[FIRST_CARDS * table.rules.players]
    known |= 1 << deal.upcard
    for line in deal.history:
        if line.startswith(("! show", "! bottom")):
            known |= mask_of(parse_card(word) for word in line.split()[2:] if len(word) == 2)
    return [place for place, card in enumerate(deal.deck) if not known >> card & 1]


def stock_places(table: Table) -> list[int]:
    """Where lie cards that nobody holds, or held, or saw."""
    held = 0
    for hand in table.deal.hands:
        held |= hand
    at = table.seat_to_act
    assert at is not None
    return [place for place in hidden_places(table, at) if not held >> table.deal.deck[place] & 1]


@EVERY_PRESET
@given(st.data())
@FEW
def test_a_view_is_the_same_in_every_world_that_looks_the_same(preset: str, data: st.DataObject) -> None:
    agreed, seed = data.draw(agreements(preset)), data.draw(SEEDS)
    rng = random.Random(seed)
    running = [turn.before for turn in party(agreed, seed)]
    table = running[data.draw(st.integers(0, len(running) - 1))]
    if len(table.party.deals) > 6:  # all of them are played again for every world
        return
    if table.deal.play is not None:
        unseen = dealt_again(table, swapped(table.deal.deck, stock_places(table), rng, 9))
        assert unseen is not None  # the stock changes nothing that anybody could do
        for seat in range(agreed.players):
            assert seen(unseen, seat) == seen(table, seat)
    for seat in range(agreed.players):
        for _ in range(SWAPS):
            other = dealt_again(table, swapped(table.deal.deck, hidden_places(table, seat), rng, 2))
            if other is not None:
                assert seen(other, seat) == seen(table, seat)


def test_there_are_such_worlds_at_every_table() -> None:
    """Guards the law above against proving nothing: many other worlds are possible, and other hands lie in them."""
    possible: Counter[str] = Counter()
    for preset in ("moscow/2", "kharkov_full/3", "house/4", "klabor/pairs"):
        for seed in range(25):
            running = [turn.before for turn in party(rules_of(preset), seed, most=40)]
            table = running[len(running) * 2 // 3]
            places = hidden_places(table, 0)
            other = dealt_again(table, swapped(table.deal.deck, places, random.Random(seed), 2))
            possible[table_of(preset)] += other is not None and other.deal.hands != table.deal.hands
    assert min(possible[table] for table in ("2", "3", "4", "pairs")) >= 5, possible
