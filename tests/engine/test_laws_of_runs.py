"""The laws of sequences over packs stacked for them: long runs, and the same run in both hands (R24-R31)."""

import json
import random
import re
from collections import Counter
from typing import NamedTuple

from hypothesis import given, settings

from engine import PartySetup, Rules, Table, apply, observe, record_of, rules_of, start, verify
from engine.actions import DECLARE, Action
from engine.bella import bella_points
from engine.cards import ALL_SUITS, PACK, Card, card_of, format_card
from engine.deal import Deal, End
from engine.table import deal_after
from tests.engine.drawing import FEW, SEEDS, agreements_of_two
from tests.engine.notation import deck


def stacked(rng: random.Random) -> tuple[Card, ...]:
    """A pack with a run for each hand, often of the same ranks in two suits, and as much of a terz as fits."""
    suits, length, low = rng.sample(ALL_SUITS, 4), rng.randint(3, 7), rng.randrange(3)
    lengths = (length, length if rng.random() < 0.7 else rng.randint(3, 7))
    hands = []
    for suit, terz, cards in zip(suits[:2], suits[2:], lengths, strict=True):
        run = [card_of(suit, min(low, 8 - cards) + step) for step in range(cards)]
        hands.append([*run, *(card_of(terz, rank) for rank in range(low, low + 3))][:9])
    rest = [card for card in PACK if card not in hands[0] + hands[1]]
    rng.shuffle(rest)
    for hand in hands:
        hand += [rest.pop() for _ in range(9 - len(hand))]
        rng.shuffle(hand)
    eldest, dealer, upcard = (" ".join(map(format_card, cards)) for cards in (*hands, rest[:1]))
    return deck(eldest, dealer, upcard)


class Held(NamedTuple):
    """A sequence by its worth, its top's rank, its suit and how many cards it has."""

    worth: int
    top: int
    suit: int
    length: int

    @property
    def cards(self) -> set[int]:
        return {self.suit * 8 + self.top - step for step in range(self.length)}


def runs_of(agreed: Rules, hand: int) -> list[Held]:
    """What a hand holds, read off a row of ones and noughts for each suit, ace first."""
    found = []
    for suit in range(4):
        row = f"{hand >> 8 * suit & 255:08b}"
        for run in re.finditer("1{3,}", row):
            top, left = 7 - run.start(), len(run[0])
            while left >= 3:
                taken = agreed.hundred if agreed.hundred and left >= agreed.hundred else min(left, 4)
                found.append(Held({3: 20, 4: 50}.get(taken, 100), top, suit, taken))
                top, left = top - taken, (left - taken) * agreed.split_runs
    return found


def scorer(agreed: Rules, deal: Deal, declared: list[list[Held]]) -> int | None:
    """The seat whose sequences score, by R28 read sentence by sentence."""
    leader, trump = deal.in_play.tricks.first_leader, deal.in_play.trump
    best = [max(((held.worth, held.top) for held in runs), default=(0, 0)) for runs in declared]
    if best == [(0, 0)] * 2:
        return None
    if best[0] != best[1]:
        return best.index(max(best))
    in_trumps = [seat for seat in (0, 1) if (*best[0], trump) in [held[:3] for held in declared[seat]]]
    tie = agreed.sequence_tie
    if in_trumps and tie in ("trump_order", "suit", "trump_last_trick"):
        return in_trumps[0]
    if tie == "suit":
        return None
    return leader if tie in ("trump_order", "order") else deal.in_play.tricks.leader


def chosen(table: Table, rng: random.Random) -> Action:
    """Declares nearly always, names trumps mostly; ends no deal before its time."""
    if DECLARE in table.legal and rng.random() < 0.9:
        return DECLARE
    asked = [action for action in table.legal if action.text not in ("close", "redeal", "accept")]
    naming = [action for action in asked if action.kind in ("take", "trump")]
    return rng.choice(naming) if naming and rng.random() < 0.7 else rng.choice(asked)


def played(agreed: Rules, seed: int) -> tuple[Table, Deal, Table] | None:
    """The table before the last card of a stacked deal, the deal after it, the table with it written.

    None if the deal was not played.
    """
    rng = random.Random(seed)
    table = start(PartySetup(agreed, None, first_dealer=1, decks=(stacked(rng), PACK)))
    while True:
        action = chosen(table, rng)
        deal = deal_after(table, action)
        if deal.end is not None:
            return (table, deal, apply(table, action)) if deal.end is End.PLAYED else None
        table = apply(table, action)


def declared_in(agreed: Rules, deal: Deal) -> list[list[Held]]:
    known = deal.in_play.declarations
    return [
        runs_of(agreed, came) if runs is not None else [] for came, runs in zip(known.came, known.declared, strict=True)
    ]


@given(agreements_of_two(), SEEDS)
@settings(FEW, max_examples=150)
def test_only_the_best_sequence_s_side_scores_and_all_of_its_own(agreed: Rules, seed: int) -> None:
    if (end := played(agreed, seed)) is None:
        return
    _, deal, after = end
    declared, tricks = declared_in(agreed, deal), deal.in_play.tricks
    seat = scorer(agreed, deal, declared)
    bella = bella_points(agreed, deal.in_play.bella)
    for side in (0, 1):
        worth = sum(held.worth for held in declared[side]) * (side == seat)
        trickless = not tricks.won[side]
        expected = tricks.points[side] + 10 * (tricks.leader == side)
        expected += worth * (not (agreed.sequence_needs_trick and trickless))
        expected += bella[side] * (not (agreed.bella_needs_trick and trickless))
        assert after.party.deals[0].points[side] == expected
    assert verify(json.loads(json.dumps(record_of(after)))) is None


@given(agreements_of_two(), SEEDS)
@settings(FEW, max_examples=60)
def test_shown_is_what_scores_or_may_by_the_last_trick(agreed: Rules, seed: int) -> None:
    """R32: the cards that both seats see of it are those of the sequences, no more and no less."""
    if (end := played(agreed, seed)) is None:
        return
    table, deal, _ = end
    declared = declared_in(agreed, deal)
    shown = {known.seat: known.cards for known in observe(table, 0).announced if known.cards}
    assert observe(table, 0).announced == observe(table, 1).announced
    best = scorer(agreed, deal, declared)
    assert best is None or best in shown
    if best is not None and "last_trick" not in agreed.sequence_tie:
        assert list(shown) == [best]
    for seat, cards in shown.items():
        assert sorted(cards) == sorted(set().union(*(held.cards for held in declared[seat])))


def test_the_packs_of_these_laws_have_ties_and_long_runs() -> None:
    """Guards the laws above against proving nothing."""
    seen: Counter[str] = Counter()
    agreed = rules_of("moscow/2", {"hundred": 6})
    for seed in range(60):
        if (end := played(agreed, seed)) is not None:
            best = [max(runs, default=None) for runs in declared_in(agreed, end[1])]
            seen["both"] += all(best)
            seen["tied"] += bool(best[0] and best[1] and best[0][:2] == best[1][:2])
            seen["hundred"] += any(held is not None and held.worth == 100 for held in best)
    assert (seen["both"] > 30, seen["tied"] > 15, seen["hundred"] > 5) == (True, True, True), seen
