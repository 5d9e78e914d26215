"""What holds at every table of two, whatever it has agreed on."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    IllegalAction,
    PartySetup,
    Rules,
    Table,
    apply,
    default_action,
    legal_actions,
    observe,
    record_of,
    replay,
    rules_of,
    start,
    verify,
    why_not,
)
from engine.actions import ACTIONS
from engine.bots import house
from engine.cards import PACK, POINTS, Card, cards_in, mask_of, parse_card
from engine.deal import FIRST_CARDS
from engine.party import DealRecord

OPTIONS: dict[str, list[object]] = {
    "target": [60, 150, 301],
    "buy_in": [3, 4],
    "next_dealer": ["rotate", "deal_winner"],
    "hang_dealer": ["next", "maker"],
    "obligation": ["on", "off"],
    "first_lead": ["eldest", "maker"],
    "upcard": ["table", "dealer", "maker", "under"],
    "seven_swap": ["first_card", "buy_in", "off"],
    "bottom_card": ["shown", "hidden", "top_after_trick_1"],
    "overtrump": ["led", "always"],
    "sequence_tie": ["trump_order", "order", "suit", "last_trick", "trump_last_trick"],
    "declare": ["manual", "auto"],
    "declare_until": ["first_card", "second_card"],
    "sequence_needs_trick": ["on", "off"],
    "bella_needs_trick": ["on", "off"],
    "hundred": ["off", 5, 6],
    "split_runs": ["on", "off"],
    "bella_when": ["any_card", "pair_card", "first_card"],
    "bella_to": ["holder", "trick_winner", "one_wins", "halves"],
    "beat": ["each"],
    "bait_to": ["highest", "halves"],
    "hang_to": ["all", "defenders"],
    "hang_repeat": ["sum", "queue", "release_first", "split_defenders"],
    "bait_fine_from": ["off", 1, 3],
    "bait_fine_then": ["each", "every_third"],
    "no_tricks_fine": [0, 50],
    "redeal_four_sevens": ["on", "off"],
    "redeal_below": ["off", 2, 12],
    "redeal_poor": ["off", 13, 30],
    "both_reach": ["highest", "last_trick", "maker"],
    "hang_blocks_end": ["on", "off"],
    "lead_limit": ["off", 100],
    "close": ["on", "off"],
    "false_close": ["lose", "nothing", "double"],
    "close_not_on_jack": ["on", "off"],
    "ask_terz": ["on", "off"],
    "deals": ["off", 1, 3],
    "offer": ["off", "fifty"],
}
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def agreements(draw: st.DrawFn) -> Rules:
    """Rules of a playable preset with any of the options that concern two."""
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), unique=True, max_size=12))
    overrides = {name: draw(st.sampled_from(OPTIONS[name])) for name in names}
    return rules_of(draw(st.sampled_from(["moscow/2", "kharkov/2", "fifties/2"])), {"target": 150, **overrides})


SEEDS = st.integers(0, 2**32)


def walk(agreed: Rules, seed: int) -> list[Table]:
    """All tables of a party of random play, of at most 300 actions."""
    rng, bot = random.Random(seed), house("random")
    tables = [start(PartySetup(agreed, rng.randbytes(32)))]
    while (seat := tables[-1].seat_to_act) is not None and len(tables) < 300:
        tables.append(apply(tables[-1], bot.choose(observe(tables[-1], seat), rng)))
    return tables


@given(agreements(), SEEDS)
@FEW
def test_the_seat_to_act_always_may_do_something(agreed: Rules, seed: int) -> None:
    for table in walk(agreed, seed):
        legal = legal_actions(table)
        assert bool(legal) is not table.over
        assert list(legal) == sorted(legal, key=ACTIONS.index)
        if not table.over:
            default = default_action(table)
            assert default in legal
            assert default.kind in ("pass", "no_offer", "decline", "trump", "play")
            assert not default.bella


@given(agreements(), SEEDS)
@settings(FEW, max_examples=30)
def test_why_not_agrees_with_legal_over_all_actions(agreed: Rules, seed: int) -> None:
    for table in walk(agreed, seed)[::3]:
        for action in ACTIONS:
            reason = why_not(table, action)
            assert (reason is None) is (action in table.legal)
            if reason is not None:
                assert reason.code
                assert reason.text
                with pytest.raises(IllegalAction) as caught:
                    apply(table, action)
                assert caught.value.reason == reason


def played_cards(actions: tuple[str, ...]) -> list[Card]:
    return [parse_card(text.split("play:")[1][:2]) for text in actions if "play:" in text]


@given(agreements(), SEEDS)
@FEW
def test_cards_are_conserved(agreed: Rules, seed: int) -> None:
    for table in walk(agreed, seed):
        deal = table.deal
        played = played_cards(deal.actions)
        hands = [*deal.hands, mask_of(played), 1 << deal.upcard]
        taken = deal.play is not None and agreed.upcard in ("dealer", "maker")
        everywhere = hands[:-1] if taken else hands
        dealt = FIRST_CARDS * 2 + (agreed.buy_in * 2 if deal.play else 0)
        # Nothing is in two places, and nothing has come from or gone to the stock.
        assert sum(hand.bit_count() for hand in everywhere) == dealt + (not taken)
        first = dealt if taken else dealt + 1
        assert mask_of(cards_in(sum(everywhere))) == mask_of(deal.deck[:first])


def worth(deal: DealRecord) -> int:
    """Card points of all cards played, and the last trick."""
    assert deal.trump is not None
    return sum(POINTS[deal.trump][card] for card in played_cards(deal.actions)) + 10


@given(agreements(), SEEDS)
@FEW
def test_every_point_is_scored_once(agreed: Rules, seed: int) -> None:
    party = walk(agreed, seed)[-1].party
    totals, waiting = (0,) * agreed.sides, 0
    for deal in party.deals:
        waits = sum(pool.points for pool in deal.waiting)
        lines = zip(totals, deal.written, deal.fines, strict=True)
        assert deal.totals == tuple(before + written - fine for before, written, fine in lines)
        if deal.end == "played":
            assert sum(deal.written) + waits == sum(deal.points) + waiting
            extras = sum(deal.points) - worth(deal)
            assert extras >= 0
            assert extras % 10 == 0  # sequences and bella
        else:
            assert waits == waiting
            assert not any(deal.fines)
        totals, waiting = deal.totals, waits
    assert party.totals == totals


@given(agreements(), SEEDS)
@FEW
def test_a_record_gives_the_party_back(agreed: Rules, seed: int) -> None:
    table = walk(agreed, seed)[-1]
    record = json.loads(json.dumps(record_of(table)))
    assert verify(record) is None
    if table.over:
        assert replay(record) == table


@given(agreements(), SEEDS)
@settings(FEW, max_examples=30)
def test_views_are_json_and_add_up(agreed: Rules, seed: int) -> None:
    tables = walk(agreed, seed)
    for table in tables:
        for seat in range(2):
            view = observe(table, seat)
            seen = view.as_json()
            assert json.loads(json.dumps(seen)) == seen
            assert view.events[len(view.events) - len(view.history) :] == view.history
            assert view.ply == table.ply
    assert [table.ply for table in tables] == list(range(len(tables)))


@given(agreements(), SEEDS)
@settings(FEW, max_examples=30)
def test_events_tell_every_seat_everything_once(agreed: Rules, seed: int) -> None:
    """Joined over a seat's decisions they are all that the table has seen till then, but for its own actions."""
    told: dict[int, list[str]] = {0: [], 1: []}
    acted: dict[int, int | None] = {0: None, 1: None}
    for table in walk(agreed, seed):
        if (seat := table.seat_to_act) is None:
            return
        told[seat] += observe(table, seat, acted[seat]).events
        seen = observe(table, seat).events
        assert told[seat] == [line for line in seen if not line.startswith(f"{seat} ")]
        deals = [*(deal.actions for deal in table.party.deals), table.deal.actions]
        assert [line for line in seen if not line.startswith("!")] == [text for deal in deals for text in deal]
        acted[seat] = table.ply + 1


def known_to(table: Table, seat: int) -> int:
    """The mask of cards of which a seat knows where they are or were."""
    deal = table.deal
    known = deal.hands[seat] | 1 << deal.upcard | mask_of(played_cards(deal.actions))
    known |= 1 << deal.deck[FIRST_CARDS * 2]
    for line in deal.history:
        if line.startswith(("! show", "! bottom")):
            known |= mask_of(parse_card(word) for word in line.split() if len(word) == 2 and word[0] in "789TJQKA")
    return known


def with_deck(table: Table, deck: tuple[Card, ...]) -> Table | None:
    """The same public actions over another pack for the running deal; None if they are not possible."""
    decks = (*(deal.deck for deal in table.party.deals), deck, *[PACK] * 9)
    setup = PartySetup(table.rules, None, first_dealer=table.setup.dealer(), decks=decks)
    again = start(setup)
    said = [*(text for deal in table.party.deals for text in deal.actions), *table.deal.actions]
    for text in said:
        action = next((action for action in again.legal if text == f"{again.seat_to_act} {action}"), None)
        if action is None:
            return None
        again = apply(again, action)
    return again


def shuffled(deck: tuple[Card, ...], places: list[int], rng: random.Random) -> tuple[Card, ...]:
    """The deck with the cards at these places permuted."""
    cards = [deck[place] for place in places]
    rng.shuffle(cards)
    out = list(deck)
    for place, card in zip(places, cards, strict=True):
        out[place] = card
    return tuple(out)


@given(agreements(), SEEDS, st.integers(0, 299))
@settings(FEW, max_examples=120)
def test_a_view_does_not_change_when_hidden_cards_do(agreed: Rules, seed: int, place: int) -> None:
    tables = walk(agreed, seed)
    table, rng = tables[place % len(tables)], random.Random(seed)
    if table.over:
        return
    for seat in range(2):
        known, deck = known_to(table, seat), table.deal.deck
        hidden = [at for at in range(32) if not known >> deck[at] & 1]
        stock = [at for at in hidden if not any(hand >> deck[at] & 1 for hand in table.deal.hands)]
        stirred = with_deck(table, shuffled(deck, stock, rng))
        assert stirred is not None  # the stock changes nothing that anybody could do
        assert observe(stirred, seat) == observe(table, seat)
        for _ in range(3):
            # The other hand too, as far as the same public things could have happened.
            other = with_deck(table, shuffled(deck, hidden, rng))
            if other is not None and other.deal.history == table.deal.history:
                assert observe(other, seat).as_json() == observe(table, seat).as_json()


def test_the_hidden_cards_of_that_law_do_change() -> None:
    """Guards the law above against proving nothing: many of its other worlds are possible, and are other worlds."""
    possible = 0
    for seed in range(40):
        tables = walk(rules_of("moscow/2", {"target": 150}), seed)
        table = tables[len(tables) // 2]
        if table.over:
            continue
        known = known_to(table, 0)
        hidden = [at for at in range(32) if not known >> table.deal.deck[at] & 1]
        other = with_deck(table, shuffled(table.deal.deck, hidden, random.Random(seed)))
        if other is not None and other.deal.history == table.deal.history:
            possible += other.deal.hands[1] != table.deal.hands[1]
    assert possible > 5


def test_tables_are_values() -> None:
    """Applying an action leaves the table before it as it was."""
    tables = walk(rules_of("moscow/2"), 7)
    before = [replace(table) for table in tables[:50]]
    for table in tables[:50]:
        for action in table.legal:
            apply(table, action)
    assert before == tables[:50]
