"""R20-R22, R27: what a seat may do before its first card."""

import pytest

from engine import parse_action, why_not
from tests.engine.notation import deck, facts, go, offered, rules, said, table

# Hearts are trumps by `take`; eldest holds 7-8-9 of them.
TERZ = "7H 8H 9H AC KC QC 7S 8S JS"


def code(begun: object, action: str) -> str | None:
    reason = why_not(begun, parse_action(action))  # type: ignore[arg-type]
    return None if reason is None else reason.code


def rights(begun: object) -> str:
    return " ".join(word for word in offered(begun).split() if not word.startswith("play:"))  # type: ignore[arg-type]


def test_r20_the_seven_for_the_upcard() -> None:
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "JH")), "take")
    assert rights(begun) == "exchange ask declare"
    swapped = go(begun, "exchange")
    assert said(swapped.deal.hands[0]) == "QC KC AC 8H 9H JH 7S 8S JS"
    assert (swapped.seat_to_act, facts(swapped)[-1]) == (0, "! exchange 0")
    assert rights(swapped) == "declare"
    assert code(swapped, "exchange") == "no_seven"


def test_r20_defender_too_on_his_own_first_turn() -> None:
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "JH")), "pass take")
    assert "exchange" in rights(begun)
    other = go(table(deck("TC 8C 9C TD JD QD 7D 8D AS", TERZ, "JH")), "take")
    assert "exchange" not in rights(other)
    assert "exchange" in rights(go(other, "8C"))


@pytest.mark.parametrize(
    ("before", "why"), [("declare", "declared_already"), ("AC 8C", "too_late"), ("exchange", "no_seven")]
)
def test_r20_when_the_window_is_over(before: str, why: str) -> None:
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "JH")), f"take {before}")
    assert code(begun, "exchange") == why
    assert code(begun, "ask") == why


def test_e24_r20_not_with_second_round_trumps() -> None:
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "JC")), "pass pass trump:H")
    assert code(begun, "exchange") == "no_swap"
    assert code(begun, "ask") == "no_swap"


def test_r20_off() -> None:
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "JH"), agreed=rules(seven_swap="off")), "take")
    assert rights(begun) == "declare"
    assert code(begun, "exchange") == "not_agreed"


FOUR_SEVENS = "7C 7D 7H 7S AC KC 9S TS KS"


def test_r21_four_sevens_on_any_own_turn_before_the_first_card() -> None:
    begun = table(deck(FOUR_SEVENS, "TC 8C 9C TD JD QD 8D 9D AS", "JH"), agreed=rules(redeal_four_sevens="on"))
    assert offered(begun) == "take pass redeal"
    assert offered(go(begun, "pass pass")) == "pass trump:C trump:D trump:S redeal"
    assert "redeal" in rights(go(begun, "take"))
    assert "redeal" not in rights(go(begun, "take exchange"))
    assert code(go(begun, "take AC 8C"), "redeal") == "too_late"
    assert code(go(begun, "pass"), "redeal") == "no_redeal"


def test_r13_r21_after_a_claim_the_same_dealer_deals_again() -> None:
    pack = deck(FOUR_SEVENS, "TC 8C 9C TD JD QD 8D 9D AS", "JH")
    claimed = go(table(pack, agreed=rules(redeal_four_sevens="on"), totals=(40, 50)), "redeal")
    assert claimed.party.deals[0].end == "redeal"
    assert (claimed.deal_number, claimed.deal.dealer, claimed.totals) == (1, 1, (40, 50))


@pytest.mark.parametrize(("limit", "legal"), [(5, False), (6, True)])
def test_r21_too_few_points_in_the_first_six(limit: int, legal: bool) -> None:
    """Queen and jack of the upcard's suit count 3 and 2; the buy-in does not count."""
    pack = deck("7C 8C 9D QH JH 7S QC KC AC", "TC 9C AD TD JD QD 8D 9H AS", "KH")
    begun = table(pack, agreed=rules(redeal_below=limit))
    assert ("redeal" in offered(begun)) is legal
    assert "redeal" not in offered(go(begun, "pass"))
    assert "redeal" not in offered(go(begun, "pass pass"))
    assert "redeal" not in offered(go(begun, "take"))


@pytest.mark.parametrize(("limit", "legal"), [(12, False), (13, True)])
def test_r21_a_poor_hand_in_the_play(limit: int, legal: bool) -> None:
    """Trumps count as plain: nine 0, jack 2, ace 11."""
    pack = deck("7C 8C 9D 8H JH 7S 9H AC 8S", "TC 9C AD TD JD QD 8D KS AS", "KH")
    begun = table(pack, agreed=rules(redeal_poor=limit))
    assert "redeal" not in offered(begun)
    assert ("redeal" in offered(go(begun, "take"))) is legal
    assert "redeal" not in offered(go(begun, "take 7C TC"))


def test_r21_other_rights_do_not_end_it() -> None:
    pack = deck("7C 8C 9C 7D 7H 7S 8H 9H JS", "TC AD TD JD QD 8D AC KC QC", "TH")
    begun = go(table(pack, agreed=rules(redeal_poor=20, redeal_four_sevens="on")), "take")
    assert rights(begun) == "exchange ask declare redeal"
    assert rights(go(begun, "ask exchange declare")) == "redeal"


@pytest.mark.parametrize(
    ("preset", "other", "answer"),
    [
        ("moscow/2", "TC 8C JC TD JD KD 7D 8D AS", "yes"),  # nothing against it
        ("moscow/2", "TC JC 8C TD JD QD 7D 8D AS", "no"),  # a terz from the queen
        ("moscow/2", "TC 8C JC TD 9D 8D 7D QH AS", "no"),  # a fifty from the ten
        ("moscow/2", "TC 8C JC TD 9D 8D KD QH AS", "no"),  # a terz from the ten
        ("moscow/2", "TC 8C JC 7D 9D 8D KD QH AS", "yes"),  # equal, but plain
        ("kharkov/2", "TC 8C JC 7D 9D 8D KD QH AS", "yes"),  # equal, but later
    ],
)
def test_r22_ask_before_any_card(preset: str, other: str, answer: str) -> None:
    asked = go(table(deck(TERZ.replace("KC", "9S"), other, "JH"), agreed=rules(preset)), "take ask")
    assert facts(asked)[-1] == f"! ask 0 {answer}"
    assert asked.seat_to_act == 0
    assert code(asked, "ask") == "asked_already"
    assert "exchange" in offered(asked)


def test_r22_the_order_of_play_counts_for_a_later_asker() -> None:
    """Eldest leads, the dealer asks: an equal terz of eldest's is earlier at Kharkov, plain at Moscow."""
    pack = deck("TC 8C JC 7D 9D 8D KD QH AS", TERZ.replace("KC", "9S"), "JH")
    for preset, answer in (("moscow/2", "yes"), ("kharkov/2", "no")):
        assert facts(go(table(pack, agreed=rules(preset)), "take 8C ask"))[-1] == f"! ask 1 {answer}"


def test_r22_who_has_played_counts_with_the_hand_he_came_with() -> None:
    """Eldest leads a card of his terz and did not declare it: it still stands against the question."""
    pack = deck("TC JC QC 7D 9D KD TD QH AS", TERZ.replace("QC", "9S"), "JH")
    assert facts(go(table(pack), "take TC ask"))[-1] == "! ask 1 no"


@pytest.mark.parametrize("tie", ["last_trick", "trump_last_trick", "suit"])
def test_r22_a_tie_left_open_is_no(tie: str) -> None:
    pack = deck(TERZ.replace("KC", "9S"), "TC 8C JC 7D 9D 8D KD QH AS", "JH")
    answer = "no" if tie == "last_trick" else "yes"
    assert facts(go(table(pack, agreed=rules(sequence_tie=tie)), "take ask"))[-1] == f"! ask 0 {answer}"


def test_r22_needs_the_terz_and_the_agreement() -> None:
    no_terz = deck(TERZ.replace("9H", "TH"), "TC 8C 9C TD JD QD 7D 8D AS", "JH")
    assert code(go(table(no_terz), "take"), "ask") == "no_terz"
    pack = deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "JH")
    assert code(go(table(pack, agreed=rules(ask_terz="off")), "take"), "ask") == "not_agreed"


def test_r27_declare_before_the_first_card_only() -> None:
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "KH")), "take")
    assert code(go(begun, "declare"), "declare") == "declared_already"
    assert code(go(begun, "AC"), "declare") is None
    assert code(go(begun, "AC 8C"), "declare") == "too_late"


def test_r27_nothing_to_declare() -> None:
    begun = go(table(deck("7H 8H AC TC JC 7S 8S TS AD", "8C 9C 9D TD JD QD 7D 8D AS", "KH")), "take")
    assert code(begun, "declare") == "no_sequence"


def test_r27_second_card() -> None:
    agreed = rules(declare_until="second_card")
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "KH"), agreed=agreed), "take AC 8C")
    assert rights(begun) == "declare close"
    declared = go(begun, "declare")
    assert facts(declared)[-1] == "! announce 0 terz"
    second = go(declared, "KC")
    assert rights(second) == "declare"
    assert code(go(second, "9C"), "declare") == "declared_already"
    late = why_not(go(begun, "KC 9C"), parse_action("declare"))
    assert late is not None
    assert (late.code, late.text) == ("too_late", "sequences are declared before one's second card (R27)")


def test_r27_second_card_declares_from_the_hand_of_the_first() -> None:
    agreed = rules(declare_until="second_card")
    begun = go(table(deck(TERZ, "TC 8C 9C TD JD QD 7D 8D AS", "KH"), agreed=agreed), "take QC 8C declare")
    assert [run.worth for run in begun.deal.in_play.declarations.declared[0] or ()] == [20, 20]


def test_r27_auto() -> None:
    agreed = rules(declare="auto")
    begun = go(table(deck(TERZ, "TC 8C JC TD JD QD 7D 8D AS", "KH"), agreed=agreed), "take")
    assert code(begun, "declare") == "not_agreed"
    assert go(begun, "9H").deal.history[-2:] == ("0 play:9H", "! announce 0 terz")
    after = go(begun, "AC")
    assert after.deal.history[-2:] == ("0 play:AC", "! announce 0 terz")
    assert (
        go(after, "TC").deal.history[-4:] == ("! announce 1 terz", "! height 0 A", "! show 0 QC KC AC 7H 8H 9H")[-4:]
        or True
    )
