"""R37-R42: leads, duties, who takes, the last trick."""

from dataclasses import replace

import pytest

from engine import parse_action, why_not
from engine.cards import format_card, parse_card, parse_suit
from engine.tricks import first_leader, lay, legal_plays, no_tricks, why_not_card, winner_of
from tests.engine.notation import (
    cards,
    deck,
    finish,
    go,
    hand,
    offered,
    pairs,
    rules,
    said,
    table,
    three_seats,
    written,
)

HEARTS = parse_suit("H")


def trick(text: str, leader: int = 0) -> tuple[tuple[int, int], ...]:
    return tuple((leader + place, card) for place, card in enumerate(cards(text)))


def legal(led: str, held: str, agreed: object = None, seat: int | None = None) -> str:
    laid = trick(led)
    mask = legal_plays(agreed or rules(), HEARTS, hand(held), laid, len(laid) if seat is None else seat)
    return said(mask)


@pytest.mark.parametrize(("agreed", "dealer", "maker", "leader"), [("eldest", 1, 1, 0), ("maker", 1, 1, 1)])
def test_r37_first_lead(agreed: str, dealer: int, maker: int, leader: int) -> None:
    assert first_leader(rules(first_lead=agreed), dealer, maker) == leader
    pack = deck("7C 8C 9C TC JC QC 7D 8D 9D", "7H 8H 9H TH JH QH 7S 8S 9S", "KH")
    assert go(table(pack, agreed=rules(first_lead=agreed)), "pass take").seat_to_act == leader


def test_r37_the_winner_leads() -> None:
    pack = deck("7C 8C 9C TC JC QC 7D 8D 9D", "KC AC 9H TH JH QH 7S 8S 9S", "KH")
    begun = go(table(pack), "take 7C KC")
    assert begun.seat_to_act == 1
    assert go(begun, "7S 8D").seat_to_act == 1


@pytest.mark.parametrize(
    ("led", "held", "right"),
    [
        ("TH", "9H KH AS", "9H"),  # E1: the nine beats the ten
        ("TH", "KH 7H AS", "7H KH"),  # E2: cannot beat it, any trump
        ("TS", "7S AS KH", "7S AS"),  # follow; a plain card need not be beaten
        ("TS", "7C KH 8H", "8H KH"),  # void: a trump
        ("TS", "7C AC 8D", "7C AC 8D"),  # no trump either: anything
        ("TH", "7C AC 8D", "7C AC 8D"),
        ("JH", "9H AH 7S", "9H AH"),
    ],
)
@pytest.mark.parametrize("overtrump", ["led", "always"])
def test_e1_e2_r38_r39_two_players(overtrump: str, led: str, held: str, right: str) -> None:
    assert legal(led, held, rules(overtrump=overtrump)) == right


@pytest.mark.parametrize(
    ("held", "always", "led"),
    [
        ("8H TH 7C", "TH", "8H TH"),  # E3
        ("8H QH", "8H QH", "8H QH"),  # E4
    ],
)
def test_e3_e4_r39_a_ruff_over_a_ruff(held: str, always: str, led: str) -> None:
    assert legal("AS KH", held, three_seats(rules(overtrump="always"))) == always
    assert legal("AS KH", held, three_seats(rules(overtrump="led"))) == led


def test_r40_partner_s_trump_need_not_be_beaten() -> None:
    agreed = pairs(rules())
    assert legal("AS 7S KH", "8H TH", agreed) == "TH"  # seat 2, an opponent, wins
    assert legal("AS KH 7S", "8H TH", agreed) == "8H TH"  # seat 1 is the partner
    assert legal("KH 7H", "8H TH 9S", agreed) == "8H TH"  # following stays a duty
    dutiful = replace(agreed, overtrump_partner=True)
    assert legal("AS KH 7S", "8H TH", dutiful) == "TH"


def test_r38_lead_anything() -> None:
    assert legal("", "9H KH AS") == "9H KH AS"


@pytest.mark.parametrize(
    ("laid", "seat", "card"),
    [
        ("AS KH TH", 2, "TH"),  # E5
        ("JS 7H 8H", 2, "8H"),  # E6
        ("7S 8S", 1, "8S"),
        ("8S 7S", 0, "8S"),
        ("TS AS", 1, "AS"),
        ("KS TS", 1, "TS"),
        ("7S AD", 0, "7S"),
        ("9H AH", 0, "9H"),
        ("9H JH", 1, "JH"),
        ("AS 7H", 1, "7H"),
    ],
)
def test_e5_e6_r41_who_takes(laid: str, seat: int, card: str) -> None:
    winner, best = winner_of(trick(laid), HEARTS)
    assert (winner, format_card(best)) == (seat, card)


def test_e5_r41_the_taker_gets_all_the_points() -> None:
    agreed = three_seats(rules())
    tricks = no_tricks(agreed, 0)
    for seat, text in enumerate(["AS", "KH", "TH"]):
        tricks = lay(agreed, HEARTS, tricks, seat, parse_card(text))
    assert (tricks.points, tricks.won, tricks.leader, tricks.trick) == ((0, 0, 25), (0, 0, 1), 2, ())
    assert tricks.last_card == parse_card("TH")


@pytest.mark.parametrize(
    ("led", "held", "card", "code"),
    [
        ("TH", "9H KH AS", "KH", "must_overtrump"),
        ("TH", "9H KH AS", "AS", "must_follow_suit"),
        ("TS", "7S AS KH", "KH", "must_follow_suit"),
        ("TS", "7C KH", "7C", "must_trump"),
        ("TS", "7C KH", "8C", "not_in_hand"),
        ("TH", "9H KH AS", "9H", None),
    ],
)
def test_why_not_card(led: str, held: str, card: str, code: str | None) -> None:
    reason = why_not_card(rules(), HEARTS, hand(held), trick(led), 1, parse_card(card))
    assert (reason and reason.code) == code


def test_why_not_names_the_clause() -> None:
    pack = deck("TH 8C 9C TC JC QC 7D 8D 9D", "7H AH 9H 7C JH QH 7S 8S 9S", "KH")
    reason = why_not(go(table(pack), "take TH"), parse_action("play:7C"))
    assert reason is not None
    assert reason.text == "7C does not follow TH, and you can (R38)"
    assert offered(go(table(pack), "take TH")).endswith("declare play:9H play:JH play:AH")


def test_r42_the_last_trick_is_worth_ten_once() -> None:
    pack = deck("7C 8C 9C 7D 8D 9D 7S 8S 9S", "TC JC QC KC AC TD JD QD KD", "TH")
    played = finish(go(table(pack), "take"))
    assert sum(written(played)["points"]) == 10 + 2 + 3 + 4 + 11 + 10 + 2 + 3 + 4 + 10  # type: ignore[call-overload]
