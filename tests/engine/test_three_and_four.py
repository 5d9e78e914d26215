"""What three, four and two pairs do otherwise than two: the deal, the rights, sequences, closing, who deals."""

from dataclasses import replace

import pytest

from engine import SetupError, Table, forfeit, next_first_dealer
from engine.cards import Suit
from engine.closing import best_other
from engine.counting import points_so_far
from engine.dealers import first_dealer_after
from engine.party import EndReason, PartyResult
from engine.sequences import Announcement, Declared, announce, sequence_points, sequences_in, standing
from tests.engine.notation import dealt, facts, go, hand, offered, rules, said, table, written

HEARTS = Suit(2)
THREE = (
    "AC TC KC AD TD KD 7S 8S 9S",
    "7C 8C 9C 7D 8D 9D AS TS KS",
    "JC QC JH JD QD 9H JS QS TH",
)
FOUR = (
    "AC TC KC AD TD KD 7S 8S",
    "7C 8C 9C 7D 8D 9D AS TS",
    "JC QC JH JD QD 9H JS QS",
    "8H 9S QH KH AH KS TH",
)
PACK_OF_THREE = dealt(*THREE, upcard="7H", bottom="8H")
PACK_OF_FOUR = dealt(*FOUR, upcard="7H")


def three(preset: str = "moscow/3", actions: str = "", **overrides: object) -> Table:
    return go(table(PACK_OF_THREE, agreed=rules(preset, **overrides)), actions)


def four(preset: str = "house/4", actions: str = "", **overrides: object) -> Table:
    return go(table(PACK_OF_FOUR, agreed=rules(preset, **overrides)), actions)


def hands(at: Table) -> list[str]:
    return [said(held) for held in at.deal.hands]


def sorted_cards(text: str) -> str:
    return said(hand(text))


def test_r8_r9_three_get_packets_of_three_and_a_buy_in_of_three() -> None:
    assert hands(three()) == [sorted_cards(" ".join(held.split()[:6])) for held in THREE]
    assert hands(three(actions="take")) == [sorted_cards(held) for held in THREE]


def test_r9_a_buy_in_of_four_leaves_three_one_card_of_stock() -> None:
    on = three(actions="take", buy_in=4)
    assert [held.bit_count() for held in on.deal.hands] == [10, 10, 10]
    assert facts(on) == ["! bottom 8H"]


@pytest.mark.parametrize(
    ("preset", "bids", "taker"),
    [
        ("house/4", "take", 3),  # the dealer
        ("klabor/pairs", "pass take", 3),
        ("kharkov_full/4", "pass take", 1),  # the maker
        ("kharkov_full/pairs", "pass pass take", 2),
    ],
)
def test_r10_with_four_the_whole_pack_is_in_play(preset: str, bids: str, taker: int) -> None:
    on = four(preset, bids)
    held = sum(on.deal.hands)
    assert held == 2**32 - 1
    assert [cards.bit_count() for cards in on.deal.hands] == [8, 8, 8, 8]
    assert on.deal.hands[taker] & hand("7H")


def test_r11_four_have_no_bottom_card_and_three_have_the_last() -> None:
    assert facts(four("house/4", "take")) == []
    assert facts(three(actions="take")) == ["! bottom 8H"]
    assert facts(three("fpclub/3", "take AC 7C JC"))[-1] == "! bottom QH"  # the top of the stock of four
    after = four("fpclub/4", "take AC 7C JC 8H")
    assert [line for line in facts(after) if "bottom" in line] == []


def test_e25_r16_r17_two_rounds_from_eldest_to_dealer() -> None:
    on = four("house/4", "pass pass pass pass pass pass pass")
    assert (on.seat_to_act, offered(on)) == (3, "trump:C trump:D trump:S")
    named = go(on, "trump:S")
    assert (named.deal.maker, named.phase) == (3, "play")
    thrown = three(actions="pass pass pass pass pass pass")
    assert (written(thrown)["end"], thrown.deal.dealer) == ("all_pass", 0)  # R13


@pytest.mark.parametrize(("preset", "leader"), [("moscow/3", 0), ("klabor/3", 1), ("site/3", 1), ("house/3", 0)])
def test_r37_first_lead_of_three(preset: str, leader: int) -> None:
    assert three(preset, "pass take").seat_to_act == leader


SEVEN_WITH_THE_SECOND = dealt(
    "AC TC KC AD TD KD 8S 9S JD", "7C 8C 7H 7D 8D 9D AS TS KS", "JC QC JH 9C QD 9H JS QS TH", upcard="AH"
)


def test_r20_before_the_buy_in_everybody_is_asked_from_eldest_on() -> None:
    asked = go(table(SEVEN_WITH_THE_SECOND, agreed=rules("classic/3")), "take")
    assert (asked.phase, asked.seat_to_act, offered(asked)) == ("swap", 0, "pass")
    second = go(asked, "pass")
    assert (second.seat_to_act, offered(second)) == (1, "pass exchange")
    exchanged = go(second, "exchange")
    assert exchanged.phase == "play"  # nobody else is asked
    assert exchanged.deal.hands[1] & hand("AH")
    declined = go(second, "pass")
    assert (declined.phase, declined.seat_to_act, offered(declined)) == ("swap", 2, "pass")
    assert go(declined, "pass").phase == "play"


def test_r20_before_one_s_own_first_card() -> None:
    on = go(table(SEVEN_WITH_THE_SECOND, agreed=rules("moscow/3")), "take AC")
    assert offered(on).split()[:2] == ["exchange", "declare"]
    assert "ask" not in offered(on)


def test_r21_klabor_s_poor_first_cards_in_round_one() -> None:
    poor = dealt(
        "7C 8C 9C 7D 8D 9D AH TH",
        "AC TC KC AD TD KD 7S 8S",
        FOUR[2].replace("9H", "9S"),
        "8H 9H QH KH AS KS TS",
        upcard="7H",
    )
    on = table(poor, agreed=rules("klabor/4"))
    assert offered(on) == "take pass redeal"
    assert (go(on, "redeal").deal.dealer, facts(go(on, "redeal"))) == (3, [])
    assert "redeal" not in offered(go(on, "pass pass pass pass"))


def test_r21_thirteen_points_in_the_hand_of_four() -> None:
    poor = dealt(
        "7C 8C 9C 7D 8D 9D JH TD",
        FOUR[0].replace("TD", "TS"),
        "JC QC JS JD QD 9H QS AS",
        "8H 9S QH KH AH KS TH",
        upcard="7H",
    )
    on = go(table(poor, agreed=rules("site/4")), "take")
    assert offered(on).split()[0] == "redeal"
    assert "redeal" not in offered(go(table(poor, agreed=rules("site/4", redeal_poor=11)), "take"))


def declared(*texts: str) -> tuple[Declared | None, ...]:
    return tuple(sequences_in(rules("moscow/3"), hand(text)) if text else None for text in texts)


@pytest.mark.parametrize(
    ("tie", "maker", "held", "last", "scoring", "shown"),
    [
        ("order", 0, ("AC KC QC", "AS KS QS JS", "7D 8D 9D"), None, (1, 2), (1, 2)),  # a defender's is best
        ("order", 0, ("AC KC QC JC", "AS KS QS", "7D 8D 9D"), None, (0,), (0,)),  # the maker's is
        ("order", 0, ("", "AS KS QS", "AD KD QD"), None, (1, 2), (1, 2)),  # a tie of defenders is none
        ("suit", 0, ("", "AS KS QS", "AD KD QD"), None, (1, 2), (1, 2)),
        ("last_trick", 0, ("", "AS KS QS", "AD KD QD"), None, (1, 2), (1, 2)),
        ("order", 1, ("AS KS QS", "AD KD QD", "7C 8C 9C"), None, (2, 0), (2, 0)),  # earlier than the maker
        ("order", 0, ("AS KS QS", "AD KD QD", "7C 8C 9C"), None, (0,), (0,)),
        ("suit", 0, ("AS KS QS", "AD KD QD", "7C 8C 9C"), None, (), ()),
        ("trump_order", 0, ("AS KS QS", "7C 8C 9C", "AH KH QH"), None, (1, 2), (1, 2)),
        ("last_trick", 0, ("AS KS QS", "AD KD QD", "7C 8C 9C"), None, (), (0, 1, 2)),
        ("last_trick", 0, ("AS KS QS", "AD KD QD", "7C 8C 9C"), 0, (0,), (0, 1, 2)),
        ("last_trick", 0, ("AS KS QS", "AD KD QD", "7C 8C 9C"), 1, (1, 2), (0, 1, 2)),
        ("last_trick", 0, ("AS KS QS", "AD KD QD", "7C 8C 9C"), 2, (), (0, 1, 2)),  # not one of the tied
    ],
)
def test_r30_both_defenders_score(
    tie: str, maker: int, held: tuple[str, ...], last: int | None, scoring: tuple[int, ...], shown: tuple[int, ...]
) -> None:
    agreed = rules("moscow/3", sequence_tie=tie)
    best = standing(agreed, HEARTS, maker, declared(*held), (0, 1, 2))
    assert (best.scoring(last), best.shown) == (scoring, shown)


def test_r30_points_of_both_and_not_elsewhere() -> None:
    held = declared("", "AS KS QS JS", "7D 8D 9D 7C 8C 9C")
    best = standing(rules("moscow/3"), HEARTS, 0, held, (0, 1, 2))
    assert sequence_points(rules("moscow/3"), held, best.scoring(None)) == (0, 50, 40)
    alone = standing(rules("classic/3"), HEARTS, 0, held, (0, 1, 2))
    assert sequence_points(rules("classic/3"), held, alone.scoring(None)) == (0, 50, 0)


@pytest.mark.parametrize(("needs_trick", "points"), [("off", (0, 50, 20)), ("on", (0, 0, 20))])
def test_r30_r31_each_defender_needs_a_trick_of_his_own(needs_trick: str, points: tuple[int, ...]) -> None:
    agreed = rules("moscow/3", sequence_needs_trick=needs_trick)
    deal = go(table(PACK_OF_THREE, agreed=agreed), "take").deal
    play = deal.in_play
    declarations = replace(play.declarations, declared=declared("", "AS KS QS JS", "7D 8D 9D"))
    play = replace(play, declarations=declarations, tricks=replace(play.tricks, won=(0, 0, 2)))
    assert points_so_far(agreed, replace(deal, play=play)) == points


@pytest.mark.parametrize(
    ("held", "learned"),
    [
        (
            ("TC JC QC", "JS QS KS", "QD KD AD"),
            "announce 0 terz|announce 1 terz|height 0 Q|height 1 K|announce 2 terz|height 2 A",
        ),
        (("TC JC QC", "7S 8S 9S", "JD QD KD"), "announce 0 terz|announce 1 terz|height 0 Q|announce 2 terz|height 2 K"),
        (("TC JC QC", "7S 8S 9S", "8D 9D TD"), "announce 0 terz|announce 1 terz|height 0 Q|announce 2 terz"),
        (
            ("TC JC QC", "TS JS QS", "TD JD QD"),
            "announce 0 terz|announce 1 terz|height 0 Q|height 1 Q|announce 2 terz|height 2 Q",
        ),
        (("TC JC QC", "7S 8S 9S TS", "QD KD AD"), "announce 0 terz|announce 1 fifty"),  # a higher kind is announced
        (
            ("TC JC QC", "7S 8S 9S TS", "JD QD KD AD"),
            "announce 0 terz|announce 1 fifty|announce 2 fifty|height 1 T|height 2 A",
        ),
        (("7S 8S 9S TS", "QD KD AD", "9C TC JC QC"), "announce 0 fifty|announce 2 fifty|height 0 T|height 2 Q"),
    ],
)
def test_r32_what_the_table_learns_of_three(held: tuple[str, ...], learned: str) -> None:
    """Heights are those of the kind announced twice: the earlier's once, the later's if it is higher or equal."""
    known: tuple[Announcement, ...] = ()
    lines: list[str] = []
    for seat, runs in enumerate(declared(*held)):
        known, new = announce(known, seat, runs or ())
        lines += new
    assert lines == [f"! {line}" for line in learned.split("|")]


def test_e12_r29_r32_both_partners_score_and_are_shown_in_order_of_play() -> None:
    pack = dealt(
        "AS KS QS 7C 8D 9C 7D TC",
        "8C AC KC 9D TD JD 7S 8S",
        "AD KD QD JC QC 9S TS JS",
        "8H 9H QH KH JH TH AH",
        upcard="7H",
    )
    on = go(table(pack, agreed=rules("encyclopedia/pairs")), "take declare 7C declare 8C declare JC 8H")
    assert facts(on) == [
        "! announce 0 terz",
        "! announce 1 terz",
        "! height 0 A",
        "! announce 2 terz",
        "! height 2 A",
        "! show 0 QS KS AS",
        "! show 2 QD KD AD 9S TS JS",
    ]
    assert points_so_far(on.rules, on.deal) == (0, 2)  # R31: no trick yet
    assert points_so_far(replace(on.rules, sequence_needs_trick=False), on.deal) == (60, 2)


def test_r34_r35_pairs_bella_of_the_trick() -> None:
    pack = dealt(FOUR[0], FOUR[1], FOUR[2], FOUR[3], upcard="7H")
    on = go(table(pack, agreed=rules("klabor/pairs")), "take AC 7C JC QH+bella")
    assert on.deal.in_play.bella.trick_side == 1
    assert on.deal.in_play.tricks.won_by_side(on.rules, 1) == 1


PARTNERS = dealt(
    "AC TC KC AD TD KD 7S 8S",
    "QH JS 9S 7D 8D 9D AS TS",
    "7C 8C 9C JC QC JD QD TH",
    "8H 9H JH KH AH KS QS",
    upcard="7H",
)


@pytest.mark.parametrize(("partner", "may"), [("off", "7H 8H 9H JH KH AH"), ("on", "9H JH KH AH")])
def test_r40_a_partner_s_trump_need_not_be_beaten_at_the_table(partner: str, may: str) -> None:
    on = go(table(PARTNERS, agreed=rules("klabor/pairs", overtrump_partner=partner)), "take AC QH 7C")
    plays = [word.removeprefix("play:") for word in offered(on).split() if word.startswith("play:")]
    assert " ".join(word for word in plays if "+" not in word) == may


@pytest.mark.parametrize(("total", "closes"), [(438, True), (437, False)])
def test_r55_partners_count_together(total: int, closes: bool) -> None:
    """23 for the trick, and the closer's partner has a terz that stands and half of a bella that was not said."""
    pack = dealt(
        "JH 7C 8C 9D 7S 8S TD KD",
        "8H 9C TC 7D JC JD 9S TS",
        "KH QH AC KC QC 8D AD JS",
        "7H TH QD KS AS QS AH",
        upcard="9H",
    )
    at = go(table(pack, agreed=rules("encyclopedia/pairs"), totals=(total, 0)), "take JH 8H declare QH 7H close")
    assert at.over is closes
    if closes:
        assert written(at)["points"] == (63, 0)
    else:
        assert (at.seat_to_act, "close" in offered(at)) == (0, False)  # R56: nothing, but not twice


@pytest.mark.parametrize(
    ("last_dealer", "winner", "dealer"),
    [(0, 0, 2), (0, 1, 1), (1, 0, 2), (1, 1, 3), (3, 0, 0), (3, 1, 1), (2, None, 3)],
)
def test_r15_pairs_the_winner_nearer_to_the_last_dealer_s_left(
    last_dealer: int, winner: int | None, dealer: int
) -> None:
    result = PartyResult((501, 300), winner, EndReason.TARGET)
    assert first_dealer_after(rules("encyclopedia/pairs"), last_dealer, result) == dealer
    assert first_dealer_after(rules("klabor/pairs"), last_dealer, result) == (last_dealer + 1) % 4


def test_r15_of_a_table() -> None:
    begun = table(PACK_OF_THREE, agreed=rules("moscow/3"))
    with pytest.raises(SetupError, match="not over"):
        next_first_dealer(begun)
    assert next_first_dealer(forfeit(begun, 1)) == 2  # who won
    assert next_first_dealer(forfeit(table(PACK_OF_THREE, agreed=rules("house/3")), 1)) == 0  # in turn


def test_r56_three_lose_or_share() -> None:
    assert best_other(rules("moscow/3"), (10, 300, 200), 0) == 1
    pack = dealt(*THREE, upcard="7H", bottom="8H")
    agreed = rules("kharkov_full/3", jackpot="off")
    closed = go(table(pack, agreed=agreed, totals=(101, 20, 30)), "take AC 7C JC close")
    assert (written(closed)["end"], written(closed)["written"]) == ("false_close", (-101, 101, 101))
    assert (closed.totals, closed.party.baits, closed.over) == ((0, 121, 131), (0, 0, 0), False)


def test_forfeit_of_several_goes_to_the_highest_other() -> None:
    over = forfeit(table(PACK_OF_FOUR, agreed=rules("house/4"), totals=(10, 500, 60, 60)), 1)
    assert over.result is not None
    assert over.result.winner == 2
