"""Why things happened: every step of a record has notes, and their numbers are the record's."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    PartySetup,
    RecordError,
    Rules,
    RulesError,
    Table,
    apply,
    forfeit,
    observe,
    record_of,
    rules_of,
    start,
)
from engine.actions import PLAYS
from engine.bots import house
from engine.cards import SUITS, Card, Suit
from engine.deal import Deal, End, Play
from engine.dealers import next_dealer
from engine.notes import KINDS, Note, score_notes
from engine.notes.ending import ending_notes
from engine.notes.facts import compared_notes
from engine.notes.note import CARDS, SEATS, SIDES, WORDS
from engine.notes.writing import written_notes
from engine.party import DealRecord, EndReason, Outcome, Party, PartyResult
from engine.presets import presets
from engine.scoring import Pool, PoolFrom, write_deal
from engine.sequences import Declarations, sequences_in
from engine.steps import Step, StepKind, steps
from engine.table import fault_of
from engine.tricks import no_tricks
from tests.engine.notation import deck, finish, go, hand, rules, table

CLAUSE = re.compile(r"R([1-9]|[1-6][0-9]|7[01])|protocol §3")
JACKPOT = {"length": 6, "trumps_only": False, "from_ace": False, "first_cards": False, "prize": "party"}


def played(agreed: Rules, seed: str, rare: float = 0.0) -> Table:
    """A party of bots of both kinds; now and then an illegal card where it has a price, or a forfeit."""
    rng = random.Random(seed)
    now, bots = start(PartySetup(agreed, rng.randbytes(32))), (house("random"), house("greedy"))
    while (seat := now.seat_to_act) is not None:
        bad = [card for card in PLAYS if fault_of(now, card)] if rng.random() < rare else []
        if bad:
            now = apply(now, rng.choice(bad), "illegal")
        elif rng.random() < rare / 10:
            now = forfeit(now, seat)
        else:
            now = apply(now, rng.choice(bots).choose(observe(now, seat), rng))
    return now


def told(step: Step) -> list[str]:
    return [f"{note.clause} {note}" for note in step.notes]


def assert_reads_well(note: Note, agreed: Rules) -> None:
    assert CLAUSE.fullmatch(note.clause)
    assert set(re.findall(r"%\((\w+)\)s", note.text)) <= set(note.values)
    text = str(note)
    assert text[0].isupper() or text.startswith(("seat ", "side "))
    assert text.endswith(".")
    for key, value in note.values.items():
        each = value if isinstance(value, tuple) else (value,)
        if key in SEATS | SIDES:
            assert set(each) <= set(range(agreed.players if key in SEATS else agreed.sides))
        elif key in CARDS:
            assert all(re.fullmatch(r"[7-9TJQKA][CDHS]", one) for one in each)
        elif key == "suit":
            assert str(value) in SUITS
        elif key in WORDS:
            assert str(value) in KINDS
        else:
            assert key == "top" or all(type(one) is int for one in each)


def added_up(notes: tuple[Note, ...], key: str, sides: int) -> tuple[int, ...]:
    """What the notes give each side under a key."""
    sums = [0] * sides
    for note in notes:
        if key in note.values:
            side, amount = note.values["side"], note.values[key]
            assert isinstance(side, int)
            assert isinstance(amount, int)
            sums[side] += amount
    return tuple(sums)


VARIANTS: list[dict[str, object]] = [
    {},
    {"target": 200, "illegal_move": "rules"},
    {"deals": 3, "illegal_move": "rules", "fault_table": "kharkov_full"},
    {"illegal_move": "rules", "fault_table": "klabor", "declare": "auto", "sequence_tie": "last_trick"},
    {"hang": "forced", "target": 900, "jackpot": JACKPOT | {"prize": "target"}},
    {"bella_to": "halves", "sequence_needs_trick": "on", "bella_needs_trick": "on", "no_tricks_fine": 50},
    {"close": "on", "false_close": "double", "redeal_poor": 20, "redeal_four_sevens": "on", "overtrump": "led"},
]


@pytest.mark.parametrize("preset", presets())
def test_every_step_is_explained_by_the_records_own_numbers(preset: str) -> None:
    """Whatever a side writes or is fined stands in exactly one note; deal points stand in R43's."""
    seen = set()
    for number, variant in enumerate(VARIANTS):
        try:
            agreed = rules_of(preset, variant)
        except RulesError:  # not at this table
            continue
        party = played(agreed, f"{preset} {number}", rare=0.02)
        for step in steps(record_of(party)):
            seen.add(step.kind)
            assert step.notes
            for note in step.notes:
                assert_reads_well(note, agreed)
            if step.kind is StepKind.SCORE:
                assert added_up(step.notes, "writes", agreed.sides) == step.written, told(step)
                assert added_up(step.notes, "fine", agreed.sides) == step.fines, told(step)
                if step.end is End.PLAYED:
                    sums = tuple(note.values["points"] for note in step.notes if note.clause == "R43")
                    assert sums == step.points
        if party.result and party.result.stakes:
            last = steps(record_of(party))[-1]
            assert stakes_told(last, agreed.sides) == party.result.stakes
    assert seen == set(StepKind)


def stakes_told(step: Step, sides: int) -> tuple[int, ...]:
    won = [note for note in step.notes if "stakes" in note.values and "wins" in note.text]
    paid = [note for note in step.notes if "stakes" in note.values and "pays" in note.text]
    gains, losses = added_up(tuple(won), "stakes", sides), added_up(tuple(paid), "stakes", sides)
    return tuple(gain - loss for gain, loss in zip(gains, losses, strict=True))


def test_notes_are_said_with_names_in_any_language() -> None:
    note = Note("R28", "%(seat)s: %(kind)s %(card)s, %(suit)s, %(others)s", {"seat": 1, "kind": "terz", "card": "KH"})
    note = replace(note, values={**note.values, "suit": "H", "others": (0, 2)})
    said = note.said(["Anna", "Bohdan"], ["A", "B", "C"], translate=lambda text: text.replace("terz", "терц"))
    assert said == "Bohdan: терц KH, H, A, C"
    assert note.said(["", "x"], ["A", "B", "C"], card=lambda card: f"[{card}]") == "x: terz [KH], [H], A, C"


TERZES = deck("QS KS AS 7C 8D 9C TD 7D 8C", "9H TH JH JD QD KD 9S KC QC", "7S")
FIFTY = deck("JS QS KS AS 8D 9C TD 7D 8C", "9H TH JH JD QD KD 9S KC QC", "7H")
LONG = deck("9C TC JC QC KC AC 7D 8D 7S", "9H TH JH JD QD KD 9S AH AS", "7H")
SWAP = deck("7S 8S 9S 7C 8D 9C TD 7D 8C", "9H TH JH JD QD KD TS KC QC", "AS")
RUFF = deck("AC KC QC 7C 8D 9D TD 7D AD", "9H TH JH 7H 8S 9S TS KS QS", "8H")
TRICKLESS = deck("9H AH TH AC KC TC AD KD TD", "7H QH KH 7C 8C 9C 7D 8D 9D", "JH")
GOOD = deck("7S 8S 9S 7C 8D 9C TD 7D 8C", "9H TH AH JD QD 7H TS KC QC", "AS")
SHORT = {"short": "plain", "dava": "geometric"}


@pytest.mark.parametrize(
    ("dealt", "agreed", "actions", "says"),
    [
        (TERZES, {}, "", "R15 seat 1 deals first, as the match has it."),
        (TERZES, {}, "", "R8 seat 1 deals six cards to everybody and turns up 7S."),
        (TERZES, {}, "pass", "R16 seat 0 passes."),
        (TERZES, {}, "take", "R16 seat 0 takes: the upcard's suit S is trumps."),
        (TERZES, {}, "take", "R9 The buy-in: everybody now has 3 cards more."),
        (TERZES, {}, "take", "R11 The bottom card JS is shown; nobody may take it."),
        (TERZES, {"upcard": "dealer"}, "take", "R10 seat 1 takes the upcard 7S as one of them."),
        (TERZES, {"upcard": "under"}, "take", "R10 The upcard 7S goes out of play."),
        (TERZES, {}, "pass pass pass pass", "R17 Everybody has passed twice: the cards are thrown in."),
        (TERZES, {}, "pass pass trump:H", "R16 seat 0 names H as trumps."),
        (
            TERZES,
            {"obligation": "on"},
            "pass pass pass trump:H",
            "R17 Everybody else has passed twice, so the dealer seat 1 has to name trumps: H.",
        ),
        (TERZES, {"offer": "fifty"}, "take offer", "R19 seat 1 offers fifty, so that the deal need not be played."),
        (TERZES, {"offer": "fifty"}, "take offer accept", "R19 seat 0 accepts the fifty, and the deal is over."),
        (TERZES, {"offer": "fifty"}, "take offer accept", "R19 side 0 writes the 50 that were offered; nothing else"),
        (
            TERZES,
            {"seven_swap": "buy_in"},
            "take pass",
            "R20 seat 0 is asked for the trump seven and exchanges",
        ),
        (SWAP, {}, "take exchange", "R20 seat 0 gives the trump seven for the upcard AS."),
        (SWAP, {}, "take ask", "R22 seat 0 asks whether the terz from the trump nine would score: no."),
        (GOOD, {}, "take ask", "R22 seat 0 asks whether the terz from the trump nine would score: yes."),
        (TERZES, {"redeal_below": 40}, "redeal", "R21 seat 0 shows first cards with 18 points, fewer than 40"),
        (TERZES, {"redeal_poor": 80}, "take redeal", "R21 seat 0 shows a hand with 28 points, no more than 80"),
        (TERZES, {}, "take declare", "R32 seat 0 announces: terz."),
        (
            TERZES,
            {},
            "take declare QS declare",
            "R32 Two announced the same, so heights are told: that of",
        ),
        (
            FIFTY,
            {},
            "take declare JS declare",
            "R32 What seat 1 holds stays unknown: a better kind has",
        ),
        (
            FIFTY,
            {},
            "take declare JS declare 9S",
            "R28 The fifty of seat 0 up to AS is best: longer than the terz of",
        ),
        (FIFTY, {}, "take declare JS 9S", "R28 The fifty of seat 0 up to AS is best: no other side declared any."),
        (FIFTY, {}, "take declare JS 9S", "R32 seat 0 shows JS QS KS AS."),
        (FIFTY, {"declare": "auto"}, "take JS", "R27 seat 0 declares."),
        (
            TERZES,
            {},
            "take declare QS declare 9S",
            "R28 The terz of seat 0 up to AS is best: that of seat 1 ends",
        ),
        (TERZES, {}, "take QS", "R37 seat 0, at the dealer's left, leads QS to the first trick."),
        (TERZES, {"first_lead": "maker"}, "pass take 9S", "R37 seat 1, the maker, leads 9S to the first trick."),
        (TERZES, {}, "take TD JD 8D", "R37 seat 0 took that trick and leads 8D."),
        (TERZES, {}, "take QS 9S", "R39 Trumps are led: seat 1 beats them with 9S."),
        (TERZES, {}, "take TD JD", "R38 seat 1 follows suit with JD."),
        (TERZES, {}, "take QS 9S", "R41 seat 1 takes the trick with 9S: 17 points."),
        (RUFF, {}, "take AC TH", "R38 seat 1 has no C and ruffs with TH."),
        (RUFF, {}, "take 8D 7H", "R38 seat 1 has no D and ruffs with 7H."),
        (RUFF, {}, "pass take AC 9H JH 7C", "R38 seat 0 has no trump and throws off 7C."),
        (TERZES, {}, "take QS+bella", "R33 seat 0 says bella, having both king and queen of trumps."),
        (
            TRICKLESS,
            {"bella_needs_trick": "on"},
            "take 9H QH+bella AH 7H TH KH AC 7C KC 8C TC 9C AD 7D KD 8D TD 9D",
            "R31 side 1 took no trick: the bella of seat 1 does not count.",
        ),
        (TERZES, SHORT, "take dava", "R59 seat 0 says dava: to go on, the other has to accept a stake of 2."),
        (TERZES, SHORT, "take dava accept", "R59 seat 1 accepts: the stake is now 2"),
        (TERZES, SHORT, "take dava accept QS dava surrender", "R59 seat 0 has lost the deal and pays the stake."),
        (TERZES, SHORT, "take dava accept QS dava surrender", "R58 side 0 pays 2 in stakes."),
        (TERZES, {}, "take QS", "protocol §3 seat 0 gives the party up: nothing is written for this deal."),
        (TERZES, SHORT, "take QS", "protocol §3 seat 0 gives the party up and pays the stake."),
        (
            LONG,
            {"jackpot": JACKPOT},
            "take declare",
            "R25 It is a jackpot: 9C TC JC QC KC AC. The deal is over",
        ),
        (LONG, {"jackpot": JACKPOT}, "take declare", "R25 The jackpot wins the party: side 0 has won."),
        (
            LONG,
            {"jackpot": JACKPOT, "declare": "auto"},
            "take 7D",
            "R25 It is a jackpot: 9C TC JC QC KC AC. The deal is over",
        ),
        (
            LONG,
            {"jackpot": JACKPOT | {"prize": "target"}, "target": 77},
            "take declare",
            "R25 side 0 has a jackpot and writes the target's 77; nobody else writes.",
        ),
    ],
)
def test_a_step_in_words(dealt: tuple[Card, ...], agreed: dict[str, object], actions: str, says: str) -> None:
    party = go(table(dealt, agreed=rules(**agreed)), actions)
    assert says in "\n".join(line for step in steps(record_of(rested(party))) for line in told(step))


def rested(party: Table) -> Table:
    """The party given up where it stands, so that its running deal is in the record."""
    return party if party.over else forfeit(party, 0)


@pytest.mark.parametrize(
    ("tie", "trump", "says"),
    [
        ("trump_order", "trump:H", "that of seat 0 is best, who plays before seat 1."),
        ("order", "trump:D", "that of seat 0 is best, who plays before seat 1."),
        ("trump_order", "trump:D", "that of seat 1 is best, it is in trumps."),
        ("suit", "trump:H", "nobody scores, for neither is in trumps."),
        ("last_trick", "trump:D", "the one that takes the last trick scores."),
        ("trump_last_trick", "trump:D", "that of seat 1 is best, it is in trumps."),
        ("trump_last_trick", "trump:H", "the one that takes the last trick scores."),
    ],
)
def test_r28_equal_sequences_in_words(tie: str, trump: str, says: str) -> None:
    dealt = deck("JS QS KS 7C 8C 9S TH 7H 8H", "JD QD KD 7D 8D TC AC TS AS", "7S")
    party = go(table(dealt, agreed=rules(sequence_tie=tie)), f"pass pass {trump} declare 9S declare TS")
    lines = [line for step in steps(record_of(finish(party))) for line in told(step)]
    assert f"R28 side 0, side 1 have a terz up to K: {says}" in lines


def a_sheet(
    agreed: Rules, maker: int, points: tuple[int, ...], before: Party, trickless: tuple[int, ...] = ()
) -> tuple[Party, Deal]:
    """A played deal with these points, written into a party that stood as `before`."""
    sheet = write_deal(agreed, maker, points, trickless, before.waiting, before.baits)
    lines = zip(before.totals, sheet.written, sheet.fines, strict=True)
    totals = tuple(total + written - fine for total, written, fine in lines)
    record = DealRecord(
        0, 0, (), (), End.PLAYED, maker, None, points, sheet.written, sheet.waiting, sheet.fines, totals
    )
    after = replace(before, totals=totals, baits=sheet.baits, waiting=sheet.waiting, deals=(record,))
    won = tuple(int(agreed.side_of(seat) not in trickless) for seat in range(agreed.players))
    seats = (0,) * agreed.players
    play = Play(Suit(2), replace(no_tricks(agreed, 0), won=won), Declarations(seats, (None,) * agreed.players))
    deal = start(PartySetup(agreed, bytes(32), first_dealer=0)).deal
    return after, replace(deal, end=End.PLAYED, maker=maker, play=play)


def a_party(agreed: Rules, waiting: tuple[Pool, ...] = (), totals: tuple[int, ...] = (), baits: int = 0) -> Party:
    return Party(totals or (0,) * agreed.sides, (baits,) * agreed.sides, waiting)


HANG, BAIT, HELD = PoolFrom.HANG, PoolFrom.BAIT, PoolFrom.HELD


@pytest.mark.parametrize(
    ("preset", "agreed", "maker", "points", "waiting", "says"),
    [
        ("moscow/2", {}, 0, (70, 92), (), "R46 Bait: side 0 named trumps and has 70, less than side 1 with 92."),  # E13
        ("moscow/2", {}, 0, (70, 92), (), "R46 side 1 gets all 70 of them."),
        ("site/3", {}, 0, (52, 55, 55), (), "R46 side 1, side 2 are equal, so the 52 points wait for these."),  # E14
        ("moscow/3", {}, 0, (52, 55, 55), (), "R46 side 1 gets 26 of them as a share."),  # E14
        ("moscow/3", {}, 0, (81, 50, 31), (), "R47 Hang: side 0 named trumps and has 81, exactly as the defenders"),
        ("moscow/2", {}, 0, (81, 81), (), "R47 The 81 points of side 0 wait for whoever writes most in the next deal."),
        ("encyclopedia/3", {}, 0, (81, 81, 0), (), "R49 The 81 points of side 0 wait for the one of side 1, side 2"),
        (
            "moscow/2",
            {},
            0,
            (100, 62),
            (Pool(81, (0, 1), HANG),),
            "R49 side 0 writes most of those who may and wins",
        ),
        (
            "site/3",
            {},
            0,
            (90, 40, 40),
            (Pool(9, (1, 2), BAIT),),
            "R49 side 1, side 2 write the same: the 9 points",
        ),
        ("moscow/2", {}, 0, (75, 75), (Pool(81, (0, 1), HANG),), "R50 Hang upon hang: 156 points wait in all."),  # E16
        (
            "kharkov_full/2",
            {},
            0,
            (75, 75),
            (Pool(81, (0, 1), HANG),),
            "R50 Hang upon hang: the oldest points are won first, 81 of them.",
        ),
        (
            "kharkov_full/2",
            {},
            0,
            (92, 70),
            (Pool(81, (0, 1), HANG), Pool(75, (0, 1), HANG)),
            "R50 The 75 points of the later hang wait for the next deal.",
        ),
        (
            "site/2",
            {},
            1,
            (75, 75),
            (Pool(81, (0, 1), HANG),),
            "R50 Hang upon hang: side 1, the new maker, writes the 81 points that waited.",
        ),
        (
            "moscow/3",
            {},
            0,
            (81, 50, 31),
            (Pool(20, (0, 1, 2), HANG),),
            "R50 Hang upon hang: all 101 points that wait are shared out at once.",
        ),
        ("moscow/3", {}, 0, (81, 50, 31), (Pool(20, (0, 1, 2), HANG),), "R50 side 1 gets 51 of them."),
        ("moscow/3", {}, 0, (0, 0, 0), (), "R49 side 0 has no points that could wait."),
        ("klabor/2", {}, 0, (81, 81), (), "R48 Nobody writes: 81 points of side 1 are held."),
        (
            "klabor/2",
            {},
            0,
            (81, 81),
            (),
            "R48 The next deal is forced: seat 0 plays it without bidding",
        ),
        (
            "klabor/2",
            {},
            0,
            (100, 62),
            (Pool(81, (0,), HELD), Pool(81, (1,), HELD)),
            "R48 side 0 writes the points of all these deals: 81 + 100 = 181.",
        ),
        (
            "klabor/2",
            {},
            0,
            (62, 100),
            (Pool(81, (0,), HELD), Pool(81, (1,), HELD)),
            "R46 side 1 gets all 143 of them.",
        ),
        ("klabor/2", {}, 0, (62, 100), (), "R51 It is bait number 3 of side 0 in this party: fined 100."),  # E17
        (
            "house/2",
            {"bait_fine_from": 2},
            0,
            (62, 100),
            (),
            "R51 It is bait number 3 of side 0 in this party: not",
        ),
    ],
)
def test_what_is_written_in_words(
    preset: str, agreed: dict[str, object], maker: int, points: tuple[int, ...], waiting: tuple[Pool, ...], says: str
) -> None:
    table_rules = rules_of(preset, agreed)
    before = a_party(table_rules, waiting, baits=2)
    after, deal = a_sheet(table_rules, maker, points, before)
    notes = written_notes(table_rules, before, after, deal)
    assert says in "\n".join(f"{note.clause} {note}" for note in notes)


AMONG = st.lists(st.integers(0, 3), min_size=1, unique=True)
POOLS = st.tuples(st.integers(1, 160), AMONG, st.sampled_from((HANG, BAIT)))


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_r49_r50_all_that_is_written_is_explained(data: st.DataObject) -> None:
    """Whatever waited and whatever the points: the notes add up to what each side writes and pays."""
    preset = data.draw(st.sampled_from([name for name in presets() if not name.startswith("short")]))
    repeat = data.draw(st.sampled_from(("sum", "queue", "release_first", "split_defenders")))
    agreed = rules_of(preset, {"hang_repeat": repeat, "hang": data.draw(st.sampled_from(("wait", "forced")))})
    maker = data.draw(st.integers(0, agreed.players - 1))
    points = tuple(data.draw(st.sampled_from((0, 52, 55, 81, 110, 162))) for _ in range(agreed.sides))
    drawn = data.draw(st.lists(POOLS, max_size=3))
    waiting = tuple(
        Pool(count, sides, source)
        for count, among, source in drawn
        if (sides := tuple(side for side in among if side < agreed.sides))
    )
    held = tuple(Pool(data.draw(st.integers(0, 162)), (side,), HELD) for side in range(agreed.sides))
    waiting += held if agreed.hang == "forced" and data.draw(st.booleans()) else ()
    before = a_party(agreed, waiting, baits=data.draw(st.integers(0, 6)))
    trickless = tuple(data.draw(st.lists(st.integers(0, agreed.sides - 1), max_size=1)))
    after, deal = a_sheet(agreed, maker, points, before, trickless)
    notes = written_notes(agreed, before, after, deal)
    assert added_up(notes, "writes", agreed.sides) == after.deals[-1].written
    assert added_up(notes, "fine", agreed.sides) == after.deals[-1].fines


@pytest.mark.parametrize(
    ("agreed", "points", "totals", "result", "says"),
    [
        ({}, (100, 62), (300, 0), None, "R52 Nobody has reached 501: the party goes on."),
        ({}, (100, 62), (450, 0), ("target", 0), "R52 side 0 has 550, has reached 501 and has won."),
        (
            {},
            (100, 62),
            (420, 500),
            ("target", 0),
            "R52 side 0, side 1 have reached 501; side 0 took the last",
        ),
        (
            {"both_reach": "highest"},
            (100, 62),
            (420, 470),
            ("target", 1),
            "R52 side 0, side 1 have reached 501; side 1 has most with 532 and has won.",
        ),
        (
            {"both_reach": "maker"},
            (100, 62),
            (420, 470),
            ("target", 0),
            "R52 side 0, side 1 have reached 501; side 0 named trumps and has won.",
        ),
        (
            {"both_reach": "highest"},
            (100, 62),
            (410, 448),
            None,
            "R52 side 0, side 1 have reached 501 and are equal: another deal is played.",
        ),
        ({"hang_blocks_end": "on"}, (81, 81), (0, 490), None, "R53 A deal that ends in a hang ends no party here."),
        ({}, (81, 81), (0, 490), ("target", 1), "R53 The 81 points that still wait are lost."),
        (
            {"lead_limit": 250},
            (162, 0),
            (100, 0),
            ("lead", 0),
            "R54 side 0 leads everybody by 262, at least the 250",
        ),
        ({"deals": 2}, (100, 62), (0, 0), None, "R71 Played deals: 1 of 2."),
        (
            {"deals": 1},
            (100, 62),
            (0, 0),
            ("deals", 0),
            "R71 All 1 deals are played; side 0 has most with 100",
        ),
        (
            {"deals": 1},
            (100, 62),
            (0, 38),
            ("deals", None),
            "R71 All 1 deals are played; side 0, side 1 have the",
        ),
        ({}, (100, 62), (0, 0), None, "R12 side 0 has written most, so seat 0 deals next."),
        ({"beat": "each"}, (0, 0), (0, 0), None, "R14 After a hang the maker deals: seat 0."),
        ({"hang_dealer": "next"}, (0, 0), (0, 0), None, "R12 side 0, side 1 have written the same: seat 1, nearer to"),
        ({"next_dealer": "rotate"}, (100, 62), (0, 0), None, "R12 The deal goes round: seat 1 deals next."),
    ],
)
def test_why_a_party_goes_on_or_is_over(
    agreed: dict[str, object],
    points: tuple[int, ...],
    totals: tuple[int, ...],
    result: tuple[str, int | None] | None,
    says: str,
) -> None:
    table_rules = rules(**agreed)
    after, deal = a_sheet(table_rules, 0, points, a_party(table_rules, totals=totals))
    dealer = next_of(table_rules, deal, after)
    over = PartyResult(after.totals, result[1], EndReason(result[0])) if result else None
    after = replace(after, result=over, played=1, next_dealer=dealer)
    notes = ending_notes(table_rules, after, deal)
    assert says in "\n".join(f"{note.clause} {note}" for note in notes)


def next_of(agreed: Rules, deal: Deal, after: Party) -> int:
    """Who deals after this deal, by the engine (R12, R14)."""
    record = after.deals[-1]
    sheet = write_deal(agreed, 0, record.points, (), (), (0,) * agreed.sides)
    verdict = sheet.verdict
    outcome = Outcome(record.points, record.written, (), record.fines, after.baits, verdict)
    return next_dealer(agreed, deal, outcome)


def test_r55_a_bella_not_said_counts_for_the_closer() -> None:
    dealt = deck("KS QS 7C 8C 8D 9C AD 7D 8H", "9H TH AH JD QD AC 9D KC QC", "7S")
    agreed = rules(target=30)
    party = go(table(dealt, agreed=agreed), "take AD 9D close")
    lines = told(steps(record_of(party))[-1])
    assert "R43 side 0: 11 points in tricks." in lines
    assert "R55 side 0 has a bella that could still be said: 20 more." in lines
    assert "R55 side 0 writes the 31 that it counted; nobody else writes." in lines


def test_r58_equal_at_the_top_in_words() -> None:
    agreed = rules_of("short/2")
    after, deal = a_sheet(agreed, 0, (81, 81), a_party(agreed))
    after = replace(after, waiting=(), result=PartyResult((81, 81), None, EndReason.SHORT, (0, 0)))
    lines = [f"{note.clause} {note}" for note in score_notes(agreed, a_party(agreed), after, deal)]
    assert "R58 side 0, side 1 have the same at the top: no stakes." in lines
    assert lines[-1] == "R58 The party is over; nobody has won it."


@pytest.mark.parametrize(
    ("maker", "says"),
    [
        (0, "R30 Both defenders have a terz up to K: both score."),
        (1, "R28 side 1, side 2 have a terz up to K: that of seat 1 is best, who plays before seat 2."),
    ],
)
def test_r30_a_tie_of_defenders_is_none(maker: int, says: str) -> None:
    agreed = rules_of("moscow/3")
    _, deal = a_sheet(agreed, maker, (0, 0, 0), a_party(agreed))
    declared = (None, sequences_in(agreed, hand("JS QS KS")), sequences_in(agreed, hand("JD QD KD")))
    play = replace(deal.in_play, declarations=Declarations((0, 0, 0), declared))
    (note,) = compared_notes(agreed, replace(deal, play=play))
    assert f"{note.clause} {note}" == says


def test_a_record_without_a_deal_has_no_steps() -> None:
    empty = record_of(start(PartySetup(rules(), None, first_dealer=0, decks=(TERZES,))))
    assert steps(empty) == ()


@pytest.mark.parametrize("change", [{"deals": 7}, {"rules": "nowhere/2"}, {"seed": "00"}])
def test_what_cannot_be_played_has_no_steps(change: dict[str, object]) -> None:
    with pytest.raises(RecordError):
        steps(record_of(played(rules(target=100), "short")) | change)
