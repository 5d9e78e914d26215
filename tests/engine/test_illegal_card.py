"""R66: an illegal card where the table plays `illegal_move=rules`."""

import json

import pytest

from engine import IllegalAction, Rules, Table, apply, fault_of, observe, parse_action, record_of, replay, steps, verify
from engine.illegal_card import _before_held
from engine.scoring import Pool, PoolFrom, given_up
from tests.engine.notation import dealt, deck, go, rules, table, written

# Hearts by `take`; seat 0 leads clubs, seat 1 has some and lays a diamond.
STRONG, WEAK = "AC TC 9C 8D TD KD JH 9H AH", "7C 8C KC 7D JD QD 7S 8S 9S"
PACK = deck(STRONG, WEAK, "QH")


def playing(preset: str = "moscow/2", **overrides: object) -> Rules:
    return rules(preset, illegal_move="rules", **overrides)


def before(agreed: Rules, actions: str = "take AC", pack: tuple[int, ...] = PACK, **party: object) -> Table:
    return go(table(pack, agreed=agreed, **party), actions)  # type: ignore[arg-type]


def faulted(at: Table, card: str) -> Table:
    return apply(at, parse_action(f"play:{card}"), "illegal")


@pytest.mark.parametrize(
    ("actions", "action", "card"),
    [
        ("take AC", "play:7D", "play:7D"),
        ("take AC", "play:7D+bella", "play:7D"),  # the card is on the table, the bella is not
        ("take AC", "play:7C", None),  # legal
        ("take AC", "play:7C+bella", None),  # the card is legal, the bella is an ordinary fault
        ("take AC", "play:AS", None),  # not in hand
        ("take AC", "pass", None),
        ("take AC", "declare", None),
        ("take", "play:7C", None),  # another's card
        ("", "play:AC", None),  # nobody plays yet
    ],
)
def test_r66_which_action_is_such_a_fault(actions: str, action: str, card: str | None) -> None:
    found = fault_of(before(playing(), actions), parse_action(action))
    assert (None if found is None else found.text) == card
    assert fault_of(before(rules(), actions), parse_action(action)) is None


def test_r66_only_where_it_is_agreed_and_only_with_its_cause() -> None:
    wrong = parse_action("play:7D")
    with pytest.raises(IllegalAction, match="R38"):
        apply(before(rules()), wrong, "illegal")
    for cause in (None, "timeout"):
        with pytest.raises(IllegalAction, match="R38"):
            apply(before(playing()), wrong, cause)
    with pytest.raises(IllegalAction, match="not in your hand"):
        apply(before(playing()), parse_action("play:AS"), "illegal")
    over = faulted(before(playing(deals=1)), "7D")
    assert fault_of(over, wrong) is None


def test_r66_a_legal_default_may_carry_the_cause_as_ever() -> None:
    on = faulted(before(playing()), "7C")
    assert (on.party.deals, on.deal.actions[-1]) == ((), "1 play:7C !illegal")


@pytest.mark.parametrize("faults", ["bait_on_cards", "none"])
def test_r66_a_bait_on_the_cards(faults: str) -> None:
    agreed = playing(fault_table=faults, bait_fine_from=1, no_tricks_fine=50)
    on = faulted(before(agreed, "take AC 7C TC", waiting=(Pool(9, (0, 1), PoolFrom.HANG),)), "7D")
    line = written(on)
    assert on.party.deals[0].actions[-1] == "1 play:7D !illegal"
    assert on.earlier[0][-2:] == ("1 play:7D", "! fault 1")  # the table learns it, the record has its suffix
    assert observe(on, 0, since=on.ply - 1).events[:2] == ("1 play:7D", "! fault 1")
    assert (line["end"], line["points"], line["written"]) == ("fault", (11, 0), (11, 0))
    assert (line["fines"], on.party.baits, on.totals) == ((0, 100), (0, 1), (11, -100))  # none for no tricks
    assert line["waiting"] == [(9, (0, 1), "hang")]
    assert on.deal.dealer == 0  # R12


def test_r66_the_offender_s_points_go_to_the_other() -> None:
    at = before(playing(), "take KC AC 8D QD 7C", deck(WEAK, STRONG, "QH"))
    line = written(faulted(at, "TD"))
    assert (line["points"], line["written"]) == ((3, 15), (18, 0))


def test_r66_declared_sequences_and_said_bella_count() -> None:
    pack = deck("AC TC KC KH QH 7D 8D 9D JS", "7C 8C 9C TD JD QD 7S 8S 9S", "AH")
    line = written(faulted(before(playing(), "take declare AC+bella declare", pack), "TD"))
    assert (line["points"], line["written"]) == ((20, 60), (80, 0))


def test_r66_what_waits_for_the_last_trick_does_not_count() -> None:
    tied = deck("AC TC KC KH QH 7D 8D 9D JS", "7C 8C JC TD JD KD 7S 8S 9S", "AH")
    line = written(faulted(before(playing(sequence_tie="last_trick"), "take declare AC+bella declare", tied), "TD"))
    assert line["points"] == (20, 0)


def test_r52_r54_r66_it_may_end_the_party() -> None:
    over = faulted(before(playing(), "take AC 7C TC", totals=(490, 10)), "7D")
    assert over.result is not None
    assert (over.result.winner, over.result.reason, over.totals) == (0, "target", (501, 10))
    led = faulted(before(playing(lead_limit=100, bait_fine_from=1), totals=(50, 0)), "7D")
    assert led.result is not None
    assert (led.result.winner, led.result.reason, led.totals) == (0, "lead", (50, -100))


def test_r66_redeal_100() -> None:
    on = faulted(before(playing(fault_table="klabor"), "take AC 7C TC", baits=(0, 1)), "7D")
    line = written(on)
    assert (line["end"], line["points"], line["written"], line["fines"]) == ("fault", (0, 0), (0, 0), (0, 100))
    assert (on.totals, on.party.baits, on.deal.dealer) == ((0, -100), (0, 1), 1)  # the same dealer, no bait


def test_r66_r71_a_fault_is_a_played_deal() -> None:
    over = faulted(before(playing(fault_table="klabor", deals=1)), "7D")
    assert over.result is not None
    assert (over.result.winner, over.result.reason) == (0, "deals")


SWEET = dealt(
    "AC TC KC AD TD KD 7S 8S 9S",
    "7C 8C 9C 7D 8D 9D AS TS KS",
    "JC QC JH JD QD 9H JS QS TH",
    upcard="7H",
)
# Seat 0 takes 6 and 14, seat 2 ruffs 10 with the trump jack, seat 1 takes 13 and leads a diamond.
TRICKS = "take KC 7C JC AC 8C QC TC 9C JH JS 7S AS 7D"


def sweet(actions: str, wrong: str) -> Table:
    return faulted(before(playing("kharkov_full/3", bait_fine_from=1), actions, SWEET), wrong)


def test_r66_the_richest_trick_passes_to_the_left_and_no_bait_is_counted() -> None:
    on = sweet(TRICKS + " JD", "8S")
    line = written(on)
    assert line["points"] == (6, 27, 30)
    assert line["written"] == (0, 30, 33)
    assert (line["end"], line["fines"], on.party.baits) == ("fault", (0, 0, 0), (0, 0, 0))


def test_r66_the_trump_jack_s_trick_does_not_pass() -> None:
    line = written(sweet(TRICKS, "TH"))
    assert (line["points"], line["written"]) == ((20, 13, 30), (35, 28, 0))


def test_r66_who_took_nothing_gives_nothing() -> None:
    line = written(sweet("take KC 7C JC AC", "7D"))
    assert (line["points"], line["written"]) == ((6, 0, 0), (6, 0, 0))


def test_r46_r66_points_for_equal_ones_wait_after_the_other_pools_and_before_what_is_held() -> None:
    agreed = rules("encyclopedia/3")
    new = Pool(39, (1, 2), PoolFrom.BAIT)
    assert given_up(agreed, 0, (39, 50, 50), (39, 50, 50)) == ((0, 50, 50), (new,))
    assert given_up(agreed, 0, (39, 50, 51), (39, 50, 51)) == ((0, 50, 90), ())
    old, held = Pool(7, (0, 1, 2), PoolFrom.HANG), Pool(8, (0,), PoolFrom.HELD)
    assert _before_held((old,), (new,)) == (old, new)
    assert _before_held((old, held), (new,)) == (old, new, held)


def test_r18_r66_a_fault_in_a_forced_deal_leaves_it_forced() -> None:
    held = tuple(Pool(54, (side,), PoolFrom.HELD) for side in range(2))
    on = faulted(before(playing("klabor/2"), "take AC", waiting=held, forced_maker=0), "7D")
    assert (on.deal.forced, on.deal.maker, on.party.waiting) == (True, 0, held)


@pytest.mark.parametrize("faults", ["bait_on_cards", "klabor", "kharkov_full"])
def test_r66_records_carry_the_illegal_card(faults: str) -> None:
    over = faulted(before(playing(fault_table=faults, deals=1)), "7D")
    record = json.loads(json.dumps(record_of(over)))
    assert record["deals"][0]["actions"][-1] == "1 play:7D !illegal"
    assert verify(record) is None
    assert replay(record).party == over.party
    assert [step.action for step in steps(record) if step.cause == "illegal"] == ["play:7D"]


@pytest.mark.parametrize("wrong", ["play:7D", "play:7D !timeout", "play:AS !illegal", "play:7D+bella !illegal"])
def test_r66_no_other_form_of_it_is_a_record(wrong: str) -> None:
    record = record_of(faulted(before(playing(deals=1)), "7D"))
    record["deals"][0]["actions"][-1] = f"1 {wrong}"  # type: ignore[index]
    found = verify(record)
    assert found is not None
    assert (found.deal, found.action, found.field) == (0, 2, "actions")
