"""R16, R17 and the phase swap of R20."""

import pytest

from engine import default_action, parse_action, why_not
from engine.scoring import Pool, PoolFrom
from tests.engine.notation import deck, facts, go, offered, rules, said, table, written

PACK = deck("7C 8C 9C TC JC QC 7D 8D 9D", "7H 8H 9H TH JH QH 7S 8S 9S", "KH")


def test_r16_round_one_from_eldest_to_dealer() -> None:
    begun = table(PACK)
    assert (begun.seat_to_act, offered(begun)) == (0, "take pass")
    passed = go(begun, "pass")
    assert (passed.seat_to_act, offered(passed)) == (1, "take pass")


def test_r16_round_two_names_another_suit() -> None:
    second = go(table(PACK), "pass pass")
    assert (second.seat_to_act, offered(second)) == (0, "pass trump:C trump:D trump:S")
    assert offered(go(second, "pass")) == "pass trump:C trump:D trump:S"


@pytest.mark.parametrize(
    ("bids", "maker", "trump"),
    [("take", 0, "H"), ("pass take", 1, "H"), ("pass pass trump:S", 0, "S"), ("pass pass pass trump:C", 1, "C")],
)
def test_r16_who_names_trumps_is_the_maker(bids: str, maker: int, trump: str) -> None:
    named = go(table(PACK), bids)
    assert (named.deal.maker, "CDHS"[named.deal.trump or 0], named.phase) == (maker, trump, "play")


def test_r17_nobody_names_trumps() -> None:
    thrown_in = go(table(PACK), "pass pass pass pass")
    assert thrown_in.party.deals[0].end == "all_pass"
    assert (thrown_in.totals, thrown_in.deal_number) == ((0, 0), 1)


def test_e25_r17_obligation() -> None:
    last = go(table(PACK, agreed=rules(obligation="on")), "pass pass pass")
    assert offered(last) == "trump:C trump:D trump:S"
    reason = why_not(last, parse_action("pass"))
    assert reason is not None
    assert (reason.code, reason.text) == ("obligation", "the dealer may not pass in round two (R17)")


def test_r17_obligation_binds_the_dealer_alone() -> None:
    agreed = rules(obligation="on")
    assert offered(go(table(PACK, agreed=agreed), "pass pass")).startswith("pass ")
    assert offered(go(table(PACK, agreed=agreed), "pass")) == "take pass"


@pytest.mark.parametrize(
    ("bids", "action", "code"),
    [
        ("", "trump:C", "first_round"),
        ("", "trump:H", "first_round"),
        ("pass pass", "take", "second_round"),
        ("pass pass", "trump:H", "upcard_suit"),
        ("", "play:7C", "wrong_phase"),
        ("", "close", "wrong_phase"),
        ("", "exchange", "wrong_phase"),
        ("", "offer", "wrong_phase"),
        ("", "accept", "wrong_phase"),
        ("take", "pass", "wrong_phase"),
        ("take", "take", "wrong_phase"),
        ("take", "dava", "not_agreed"),
    ],
)
def test_why_not_bid(bids: str, action: str, code: str) -> None:
    reason = why_not(go(table(PACK), bids), parse_action(action))
    assert reason is not None
    assert reason.code == code


FIFTIES = rules("fifties/2")


@pytest.mark.parametrize(("bids", "maker"), [("take", 0), ("pass take", 1), ("pass pass pass trump:S", 1)])
def test_r19_the_defender_offers_and_the_maker_answers(bids: str, maker: int) -> None:
    named = go(table(PACK, agreed=FIFTIES), bids)
    assert (named.phase, named.seat_to_act, offered(named)) == ("offer", 1 - maker, "offer no_offer")
    answer = go(named, "offer")
    assert (answer.phase, answer.seat_to_act, offered(answer)) == ("answer", maker, "accept decline")
    assert go(named, "no_offer").phase == go(answer, "decline").phase == "play"
    assert (default_action(named).text, default_action(answer).text) == ("no_offer", "decline")


def test_r19_accepted_the_maker_writes_fifty_and_counts_as_the_winner() -> None:
    waiting = (Pool(81, (0, 1), PoolFrom.HANG),)
    for bids, dealer, lines in (("take", 0, (50, 0)), ("pass take", 1, (0, 50))):
        done = go(table(PACK, agreed=FIFTIES, waiting=waiting), f"{bids} offer accept")
        assert written(done) == {
            "end": "offer_accepted",
            "points": (0, 0),
            "written": lines,
            "waiting": [(81, (0, 1), "hang")],
            "fines": (0, 0),
        }
        assert done.deal.dealer == dealer


def test_r19_accepted_may_end_the_party_and_counts_as_a_deal() -> None:
    done = go(table(PACK, agreed=FIFTIES, totals=(451, 300)), "take offer accept")
    assert done.result is not None
    assert (done.result.winner, done.result.reason) == (0, "target")
    led = go(table(PACK, agreed=FIFTIES, totals=(200, 0)), "take offer accept")
    assert led.result is not None
    assert (led.result.winner, led.result.reason) == (0, "lead")
    one = go(table(PACK, agreed=rules("fifties/2", deals=1)), "take offer accept")
    assert one.result is not None
    assert one.result.reason == "deals"


def test_r19_the_offer_comes_before_the_window_of_the_seven() -> None:
    agreed = rules("fifties/2", seven_swap="buy_in")
    assert go(table(PACK, agreed=agreed), "take no_offer").phase == "swap"
    assert go(table(PACK, agreed=agreed), "take offer decline").phase == "swap"


def test_r19_r21_nothing_else_is_said_then() -> None:
    named = go(table(PACK, agreed=FIFTIES), "take")
    for action in ("redeal", "pass", "accept", "play:7C", "exchange"):
        reason = why_not(named, parse_action(action))
        assert reason is not None
        assert reason.text == f"{action} is not for now: offer or no_offer (R19)"


SWAP = rules(seven_swap="buy_in")


def test_r20_every_seat_is_asked_before_the_buy_in() -> None:
    first = go(table(PACK, agreed=SWAP), "take")
    assert (first.phase, first.seat_to_act, offered(first)) == ("swap", 0, "pass")
    second = go(first, "pass")
    assert (second.phase, second.seat_to_act, offered(second)) == ("swap", 1, "pass exchange")
    swapped = go(second, "exchange")
    assert (swapped.phase, facts(swapped)[0]) == ("play", "! exchange 1")
    assert said(swapped.deal.hands[1]) == "8H 9H TH JH QH KH 7S 8S 9S"
    assert go(second, "pass").phase == "play"
    assert "exchange" not in offered(go(second, "pass 7C"))


def test_r20_after_an_exchange_nobody_else_is_asked() -> None:
    seven_with_eldest = deck("7H 8H 9H TH JH QH 7S 8S 9S", "7C 8C 9C TC JC QC 7D 8D 9D", "KH")
    swapped = go(table(seven_with_eldest, agreed=SWAP), "take exchange")
    assert swapped.phase == "play"


def test_r20_no_window_when_trumps_are_another_suit() -> None:
    assert go(table(PACK, agreed=SWAP), "pass pass trump:S").phase == "play"
    assert go(table(PACK, agreed=rules(seven_swap="buy_in", upcard="under")), "take").phase == "play"


@pytest.mark.parametrize(
    ("action", "code"),
    [("exchange", "no_seven"), ("take", "wrong_phase"), ("redeal", "wrong_phase"), ("play:7C", "wrong_phase")],
)
def test_r20_why_not_in_the_window(action: str, code: str) -> None:
    reason = why_not(go(table(PACK, agreed=SWAP), "take"), parse_action(action))
    assert reason is not None
    assert reason.code == code
