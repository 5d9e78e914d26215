"""Batches inside the fast core: what they deal, play and count is what the reference deals, plays and writes."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from engine.actions import ACTIONS
from engine.cards import Card
from engine.deal import End
from engine.fast.batches import batch_deals
from engine.fast.chance import Chance
from engine.fast.deal import FastDeal, begin, hand
from engine.fast.dealing import begin_drawn, pack_of
from engine.fast.random_play import batch_random, play_random
from engine.fast.rollout import play_out
from engine.fast.rows import FACTS, Rows
from engine.fast.terms import terms_of
from engine.presets import PRESETS, rules_of
from engine.rules import Rules
from engine.scoring import Verdict
from engine.table import PartySetup, Table, apply, rest, start
from tests.engine.agreements import FULL

DEALS = 400 if FULL else 15
SEED = 20261130
RANDOM, MIXED = 0, 0x0101

AGREED = (
    *((preset, {}) for preset in PRESETS),
    ("short/3", {"short": "bait"}),
    ("kharkov_full/4", {"short": "plain", "jackpot": "off"}),
    ("klabor/pairs", {"short": "plain", "jackpot": "off"}),
    ("short_dava/2", {"dava": "geometric", "short": "bait"}),
    ("house/3", {"bait_fine_from": 1, "redeal_poor": 40}),
    ("moscow/2", {"jackpot": {"length": 6, "trumps_only": False, "from_ace": False, "first_cards": False,
                              "prize": "party"}, "target": 60}),
)  # fmt: skip


def board(preset: str, overrides: dict[str, object]) -> Rules:
    """The rules of one deal that stands alone: Short as it is, else a party of one deal (R71)."""
    rules = rules_of(preset, overrides)
    return rules if rules.short else rules_of(preset, overrides | {"deals": 1})


@dataclass(frozen=True)
class Row:
    """A row of a batch, taken out of its columns."""

    points: tuple[int, ...]
    written: tuple[int, ...]
    stakes: tuple[int, ...]
    fines: tuple[int, ...]
    waiting: int
    facts: dict[str, int]


def halves(column: list[int]) -> list[int]:
    """The 32-bit numbers of a column, signed."""
    return [(half ^ 1 << 31) - (1 << 31) for word in column for half in (word & 0xFFFFFFFF, word >> 32 & 0xFFFFFFFF)]


def rows_of(rows: Rows) -> Iterator[Row]:
    """Every row of a batch."""
    sides = rows.sides
    columns = [halves(column) for column in (rows.points, rows.written, rows.stakes)]
    fined = dict(zip(rows.fined[::2], rows.fined[1::2], strict=True))
    waiting = dict(zip(rows.waiting[::2], rows.waiting[1::2], strict=True))
    for number, facts in enumerate(rows.facts):
        in_bytes = (facts % 2**64).to_bytes(8, "little")
        points, written, stakes = (tuple(column[number * sides : number * sides + sides]) for column in columns)
        yield Row(
            points,
            written,
            stakes,
            tuple(fined.get(number * 4 + side, 0) for side in range(sides)),
            waiting.get(number, 0),
            {name: (byte ^ 128) - 128 for name, byte in zip(FACTS, in_bytes, strict=True)},
        )


def replayed(rules: Rules, number: int, policies: int) -> Table:
    """A deal of the study played by the core with its log on, and done again by the reference from the same pack."""
    chance, d = Chance(SEED, number), FastDeal(terms_of(rules))
    d.logging = 1
    begin_drawn(d, number % rules.players, chance)
    pack = tuple(map(Card, pack_of(d)))
    play_out(d, chance, policies) if policies else play_random(d, chance)
    table = start(PartySetup(rules, None, first_dealer=number % rules.players, decks=(pack,)))
    for entry in d.log[:-1]:
        table = apply(table, ACTIONS[entry & 127])
        assert table.deal.to_act == d.log[len(table.deal.actions)] >> 7
    return rest(table, ACTIONS[d.log[-1] & 127])


def none(number: int | None) -> int:
    """How a row says None."""
    return -1 if number is None else number


@pytest.mark.parametrize("policies", [RANDOM, MIXED])
@pytest.mark.parametrize(("preset", "overrides"), AGREED)
def test_a_row_is_what_the_reference_writes(preset: str, overrides: dict[str, object], policies: int) -> None:
    rules = board(preset, overrides)
    rows = batch_deals(terms_of(rules), DEALS, SEED, 0, policies)
    for number, row in enumerate(rows_of(rows)):
        table = replayed(rules, number, policies)
        deal, play, result = table.party.deals[-1], table.deal.play, table.party.result
        assert row.points == deal.points
        assert row.written == deal.written
        assert row.fines == deal.fines
        assert row.waiting == sum(pool.points for pool in deal.waiting)
        if rules.short:
            assert row.stakes == (result.stakes if result else (0,) * rules.sides)
            assert row.facts["winner"] == none(result.winner if result else None)
        last = rules.side_of(play.tricks.leader) if play and deal.end is End.PLAYED else None
        facts = (number % rules.players, none(deal.maker), none(deal.trump), list(End).index(deal.end), none(last))
        assert [row.facts[name] for name in ("dealer", "maker", "trump", "end", "last")] == list(facts)
        assert row.facts["ender"] == none(table.deal.ender)
        assert (row.facts["verdict"] >= 0) == (deal.end is End.PLAYED and not rules.short)
        if row.facts["verdict"] == list(Verdict).index(Verdict.MADE):
            assert row.written == row.points


@pytest.mark.parametrize("preset", ["moscow/2", "site/3", "short/3", "klabor/4", "klabor/pairs"])
def test_however_a_study_is_divided_its_deals_are_the_same(preset: str) -> None:
    terms = terms_of(board(preset, {}))
    whole = list(rows_of(batch_random(terms, 21, SEED, 100)))
    parts = [batch_random(terms, n, SEED, first) for n, first in ((9, 100), (0, 109), (11, 109), (1, 120))]
    assert [row for part in parts for row in rows_of(part)] == whole


@pytest.mark.parametrize("preset", PRESETS)
def test_r8_a_pack_of_a_drawn_deal_deals_it_again(preset: str) -> None:
    terms = terms_of(rules_of(preset))
    drawn, dealt = FastDeal(terms), FastDeal(terms)
    for number in range(20):
        begin_drawn(drawn, number % terms.players, Chance(SEED, number))
        dealt.deck = pack_of(drawn)
        begin(dealt, number % terms.players)
        assert [hand(dealt, seat) for seat in range(4)] == [hand(drawn, seat) for seat in range(4)]
        assert (dealt.upcard, dealt.buys) == (drawn.upcard, drawn.buys)
        assert (dealt.stock, dealt.under) == (drawn.stock, drawn.under)
