"""R25: a run so long that it ends the deal."""

import pytest

from engine import Rules, Table, rules_of
from engine.cards import Suit
from engine.jackpots import long_run
from engine.rules import Jackpot, Prize
from engine.scoring import Pool, PoolFrom
from tests.engine.notation import dealt, deck, facts, finish, go, hand, offered, rules, said, table, written

HEARTS = Suit(2)


def wanted(length: int = 7, trumps_only: bool = False, from_ace: bool = False) -> Jackpot:
    return Jackpot(length, trumps_only, from_ace, False, Prize.PARTY)


@pytest.mark.parametrize(
    ("jackpot", "held", "shown"),
    [
        (wanted(7), "7C AH KH QH JH TH 9H 8H", "8H 9H TH JH QH KH AH"),
        (wanted(7), "AC KC QC JC TC 9C 8C", "8C 9C TC JC QC KC AC"),
        (wanted(7), "AC KC QC JC TC 9C AH", ""),  # six only
        (wanted(7), "AC KC QC TC 9C 8C 7C", ""),  # not in a row
        (wanted(6), "KC QC JC TC 9C 8C AH", "8C 9C TC JC QC KC"),
        (wanted(6), "AC KC QC JC TC 9C 8C 7C", "7C 8C 9C TC JC QC KC AC"),  # a longer run is shown whole
        (wanted(6), "AC QC JC TC 9C 8C 7C", "7C 8C 9C TC JC QC"),
        (wanted(6, from_ace=True), "KC QC JC TC 9C 8C AH", ""),
        (wanted(6, from_ace=True), "AC QC JC TC 9C 8C 7C", ""),
        (wanted(6, from_ace=True), "AC KC QC JC TC 9C 8C", "8C 9C TC JC QC KC AC"),
        (wanted(7, trumps_only=True), "AC KC QC JC TC 9C 8C", ""),
        (wanted(7, trumps_only=True), "AH KH QH JH TH 9H 8H", "8H 9H TH JH QH KH AH"),
    ],
)
def test_r25_what_is_a_jackpot(jackpot: Jackpot, held: str, shown: str) -> None:
    run = long_run(jackpot, hand(held), HEARTS)
    assert said(sum(1 << card for card in run.cards) if run else 0) == shown


def playing(preset: str = "moscow/2", jackpot: dict[str, object] | None = None, **overrides: object) -> Rules:
    """A preset with a jackpot of seven of any suit for the party, save what a test says otherwise."""
    kind = {"length": 7, "trumps_only": False, "from_ace": False, "first_cards": False, "prize": "party"}
    return rules(preset, jackpot=kind | (jackpot or {}), **overrides)


PACK = deck("AC KC QC JC TC 9C 8C 7D TD", "JH 9H AH QH KH 8H 7S 8S 9S", "7H")


def begun(agreed: Rules, actions: str = "take", **party: object) -> Table:
    return go(table(PACK, agreed=agreed, **party), actions)


def test_r25_declared_it_wins_the_party_at_once() -> None:
    pool = Pool(81, (0, 1), PoolFrom.HANG)
    over = begun(playing(), "pass take declare", totals=(120, 400), waiting=(pool,))
    assert facts(over)[1:] == ["! announce 0 jackpot", "! show 0 8C 9C TC JC QC KC AC"]
    assert over.result is not None
    assert (over.result.winner, over.result.reason, over.totals) == (0, "jackpot", (120, 400))
    line = written(over)
    assert (line["end"], line["points"], line["written"], line["fines"]) == ("jackpot", (0, 0), (0, 0), (0, 0))
    assert line["waiting"] == [(81, (0, 1), "hang")]


def test_r25_undeclared_it_is_nothing() -> None:
    played = finish(begun(playing(), "take AC"))
    assert written(played)["end"] == "played"
    assert max(written(played)["points"]) < 162  # type: ignore[call-overload]  # no sequence in it either


def test_r25_declare_stands_in_the_list_as_for_a_sequence() -> None:
    assert offered(begun(playing())).split()[0] == "declare"


def test_r25_r27_declared_of_itself_by_the_first_card() -> None:
    over = begun(playing(declare="auto", bottom_card="top_after_trick_1"), "take AC")
    assert over.party.deals[0].actions == ("0 take", "0 play:AC")
    assert facts(over) == ["! announce 0 jackpot", "! show 0 8C 9C TC JC QC KC AC"]
    assert written(over)["end"] == "jackpot"


def test_r25_r27_nothing_follows_it_where_its_card_completes_the_trick() -> None:
    pack = deck("JH 9H AH QH KH 8H 7S 8S 9S", "AC KC QC JC TC 9C 8C 7D TD", "7H")
    over = go(table(pack, agreed=playing(declare="auto", bottom_card="top_after_trick_1")), "take JH 7D")
    assert facts(over)[-2:] == ["! announce 1 jackpot", "! show 1 8C 9C TC JC QC KC AC"]
    assert over.result is not None
    assert over.result.winner == 1


def test_r25_r27_before_the_second_card_from_the_hand_before_the_first() -> None:
    second = begun(playing(declare_until="second_card"), "take AC JH 9H")
    assert written(go(second, "declare"))["end"] == "jackpot"
    assert facts(go(second, "declare"))[-1] == "! show 0 8C 9C TC JC QC KC AC"
    assert "declare" not in offered(go(second, "KC AH"))


def test_r25_prize_target_writes_the_target_and_then_r52() -> None:
    agreed = playing(jackpot={"prize": "target"})
    over = begun(agreed, "take declare", totals=(0, 500))
    assert written(over)["written"] == (501, 0)
    assert over.result is not None
    assert (over.result.winner, over.result.reason) == (0, "target")


def test_r25_a_total_below_zero_may_fall_short() -> None:
    agreed = playing(jackpot={"prize": "target"})
    on = begun(agreed, "take declare", totals=(-20, 100), waiting=(Pool(10, (0, 1), PoolFrom.HANG),), baits=(2, 0))
    assert (on.over, on.totals, on.party.baits) == (False, (481, 100), (2, 0))
    assert on.deal.dealer == 0  # R12: the deal's winner
    assert written(on)["waiting"] == [(10, (0, 1), "hang")]


def test_r25_r71_in_so_many_deals_the_party_is_the_target_s_points() -> None:
    on = begun(playing(deals=2), "take declare")
    assert (on.over, on.totals, on.party.played) == (False, (501, 0), 1)


@pytest.mark.parametrize(
    ("eldest", "end"),
    [
        ("AC KC QC JC TC 9C 7D 8D TD", "jackpot"),
        ("AC KC QC JC TC 7D 9C 8D TD", None),
        ("KC QC JC TC 9C 8C 7D 9D TD", None),
    ],
)
def test_r25_klabor_s_six_from_the_ace_among_the_first_cards(eldest: str, end: str | None) -> None:
    pack = deck(eldest, "JH 9H AH QH KH 8H 7S 8S 9S", "7H")
    declared = go(table(pack, agreed=rules_of("klabor/2")), "take declare")
    assert [deal.end.value for deal in declared.party.deals] == [end] * (end is not None)
    if end is None:
        assert facts(declared)[-1] == "! announce 0 fifty"


TERZ_RUN = "7H 8H 9H TH JH QH KH 8D 9D"


@pytest.mark.parametrize(
    ("asker", "other", "answer"),
    [
        (TERZ_RUN, "AC KC QC JC 7S 8S TS JD QD", "yes"),  # by sequences the other's fifty would be better
        (TERZ_RUN, "AC KC QC JC TC 9C 8C 7S 8S", "yes"),  # both: the asker is on turn
        ("7H 8H 9H TH JH 7D 8D TD KS", "KC QC JC TC 9C 8C 7C 7S 8S", "no"),
    ],
)
def test_r22_r25_a_jackpot_is_better_than_every_sequence(asker: str, other: str, answer: str) -> None:
    asked = go(table(deck(asker, other, "AH"), agreed=playing()), "take ask")
    assert facts(asked)[-1] == f"! ask 0 {answer}"


def test_r25_pairs_the_partner_s_jackpot_wins_too() -> None:
    pack = dealt(
        "7D 8D 9D TS JD QD KD 7S",
        "7H 8H 9H TD 8S 9S AD 7C",
        "8C 9C TC JC QC KC AC JS",
        "JH QH KH TH QS KS AS",
        upcard="AH",
    )
    over = go(table(pack, agreed=rules("fpclub/pairs")), "take 7D TD 8C")
    assert over.result is not None
    assert (over.result.winner, over.result.reason, over.totals) == (0, "jackpot", (0, 0))
