"""Protocol §2: one seat's view."""

import json
import random

import pytest

from engine import PartySetup, SetupError, apply, default_action, forfeit, observe, parse_action, start
from engine.cards import cards_in, format_card
from engine.scoring import Pool, PoolFrom
from tests.engine.notation import SEED, deck, finish, go, rules, table

ELDEST, DEALER = "7H 9C TD QD 9H JH 8S 7C TS", "7D 8D 9D AS AH KC QC JC TC"
PACK = deck(ELDEST, DEALER, "KH", "8C")

KEYS = ["protocol", "rules", "overrides", "players", "pairs", "target", "seat", "party", "deal", "ply", "phase", "you"]
KEYS += ["table", "history", "events", "legal", "default"]
TABLE_KEYS = ["dealer", "upcard", "trump", "maker", "bottom", "totals", "waiting", "baits", "announced", "bella"]
TABLE_KEYS += ["trick", "hand_sizes", "tricks_won", "stake"]


def test_keys_in_the_protocol_s_order() -> None:
    seen = observe(table(PACK), 0).as_json()
    assert list(seen) == KEYS
    assert list(seen["table"]) == TABLE_KEYS  # type: ignore[call-overload]
    assert seen["protocol"] == "1"


def test_a_view_in_the_bidding() -> None:
    assert observe(table(PACK, totals=(120, 87)), 0, party=3).as_json() == {
        "protocol": "1",
        "rules": "moscow/2@1",
        "overrides": {},
        "players": 2,
        "pairs": False,
        "target": 501,
        "seat": 0,
        "party": 3,
        "deal": 0,
        "ply": 0,
        "phase": "bid",
        "you": {"hand": ["9C", "TD", "QD", "7H", "9H", "JH"], "side": 0},
        "table": {
            "dealer": 1,
            "upcard": "KH",
            "trump": None,
            "maker": None,
            "bottom": None,
            "totals": [120, 87],
            "waiting": [],
            "baits": [0, 0],
            "announced": [],
            "bella": [],
            "trick": [],
            "hand_sizes": [6, 6],
            "tricks_won": [0, 0],
            "stake": 1,
        },
        "history": [],
        "events": [],
        "legal": ["take", "pass"],
        "default": "pass",
    }


def test_a_view_in_the_play() -> None:
    """The dealer took hearts, declared a terz, answered the lead and leads hearts now."""
    at = go(table(PACK), "pass take 9C declare KC AH")
    seen = observe(at, 0, since=3).as_json()
    assert seen["history"] == [
        "0 pass",
        "1 take",
        "! bottom 8C",
        "0 play:9C",
        "1 declare",
        "! announce 1 fifty",
        "1 play:KC",
        "! show 1 TC JC QC KC 7D 8D 9D",
        "1 play:AH",
    ]
    assert seen["events"] == seen["history"][4:]  # type: ignore[index]
    assert (seen["ply"], seen["phase"], seen["legal"], seen["default"]) == (
        6,
        "play",
        ["play:9H", "play:JH"],
        "play:9H",
    )
    assert seen["table"] == {
        "dealer": 1,
        "upcard": "KH",
        "trump": "H",
        "maker": 1,
        "bottom": "8C",
        "totals": [0, 0],
        "waiting": [],
        "baits": [0, 0],
        "announced": [{"seat": 1, "kind": "fifty", "top": "K", "cards": ["TC", "JC", "QC", "KC", "7D", "8D", "9D"]}],
        "bella": [],
        "trick": [{"seat": 1, "card": "AH"}],
        "hand_sizes": [8, 7],
        "tricks_won": [0, 1],
        "stake": 1,
    }


def test_announced_as_far_as_the_table_has_learned() -> None:
    at = go(table(PACK), "pass take 9C declare")
    assert observe(at, 0).as_json()["table"]["announced"] == [  # type: ignore[index]
        {"seat": 1, "kind": "fifty", "top": None, "cards": []}
    ]


def test_a_height_is_known_without_the_cards() -> None:
    pack = deck("QC KC AC 7D 8D TD 9S AS 9H", "7C 8C TC 9D JD QD KD JH TH", "8H")
    at = go(table(pack), "take declare AC declare")
    assert [(known.seat, known.top, known.cards) for known in observe(at, 1).announced] == [(0, 7, ()), (1, None, ())]


def test_waiting_and_bella_on_the_table() -> None:
    pack = deck("KH QH AC TC 7D 8D 7S 8S 9S", "JH 9H AH 7C 8C TD JD QD TS", "8H")
    begun = table(pack, waiting=(Pool(81, (0, 1), PoolFrom.HANG),))
    seen = observe(go(begun, "take AC+bella"), 1).as_json()["table"]
    assert seen["bella"] == [0]  # type: ignore[index]
    assert seen["waiting"] == [{"points": 81, "eligible": [0, 1], "from": "hang"}]  # type: ignore[index]


def test_legal_and_default_only_for_the_seat_to_act() -> None:
    waiting = observe(table(PACK), 1)
    assert (waiting.legal, waiting.default) == ((), None)
    assert waiting.as_json()["default"] is None


@pytest.mark.parametrize("seat", [-1, 2])
def test_no_such_seat(seat: int) -> None:
    with pytest.raises(SetupError, match="a seat is a number from 0 to 1"):
        observe(table(PACK), seat)


@pytest.mark.parametrize(
    ("since", "events"),
    [
        (None, ["0 pass", "1 take", "! bottom 8C", "0 exchange", "! exchange 0", "0 play:9C", "1 play:KC"]),
        (1, ["1 take", "! bottom 8C", "0 exchange", "! exchange 0", "0 play:9C", "1 play:KC"]),
        (2, ["! bottom 8C", "0 exchange", "! exchange 0", "0 play:9C", "1 play:KC"]),
        (3, ["! exchange 0", "0 play:9C", "1 play:KC"]),
        (4, ["1 play:KC"]),
        (5, []),
    ],
)
def test_events_are_what_is_new_since_one_s_last_action(since: int | None, events: list[str]) -> None:
    at = go(table(PACK), "pass take exchange 9C KC")
    assert (at.ply, list(observe(at, 0, since).events)) == (5, events)


def test_events_begin_with_how_the_deal_before_ended() -> None:
    """Seat 1's second pass threw the pack in; in the next deal seat 1 is eldest and passes again."""
    at = go(table(PACK), "pass pass pass pass pass")
    assert (at.deal_number, at.ply, at.seat_to_act) == (1, 5, 0)
    assert observe(at, 0, since=3).events == ("1 pass", "1 pass")
    assert observe(at, 1, since=5).events == ()
    assert observe(at, 1, since=2).events == ("0 pass", "1 pass", "1 pass")
    assert observe(at, 0, since=3).history == ("1 pass",)


def test_events_of_a_seat_that_has_not_acted_are_all_of_the_party() -> None:
    at = go(table(PACK), "pass pass pass pass pass")
    assert observe(at, 0).events == ("0 pass", "1 pass", "0 pass", "1 pass", "1 pass")


def test_events_tell_of_the_last_card_and_of_several_deals() -> None:
    one = finish(go(table(PACK, PACK), "pass take"))
    cards = [text for text in one.party.deals[0].actions if "play:" in text]
    assert observe(one, int(cards[-2][0]), since=one.ply - 1).events == (cards[-1],)
    three = go(one, "pass pass pass pass pass")
    assert observe(three, 0, since=one.ply - 1).events[0] == cards[-1]
    assert len(observe(three, 0, since=one.ply - 1).events) == 6


def test_r21_the_table_learns_the_hand_of_a_claim() -> None:
    """The claim ends the deal: who claims and the other both see the hand in the next one, as its first news."""
    sevens = deck("7C 7D 7H 7S 9H JH 8S 9C TS", "8D 9D TD AS AH KC QC JC TC", "KH")
    at = go(table(sevens, PACK, agreed=rules(redeal_four_sevens="on")), "redeal")
    shown = "! show 0 7C 7D 7H 9H JH 7S"
    assert (at.deal_number, observe(at, 1).history) == (1, ())
    assert observe(at, 1).events == ("0 redeal", shown)
    assert observe(at, 0, since=1).events == (shown,)


def test_events_of_a_false_close_and_of_a_party_that_is_over() -> None:
    closing = deck("JH KH QH 9C TC QC 7D 8D TD", "7H 8S 9S AC KC 9D JD TS QS", "8H")
    begun = go(table(closing, PACK, agreed=rules(false_close="double")), "take JH 7H")
    assert observe(go(begun, "close"), 1, since=begun.ply).events == ("0 close",)
    lost = go(table(closing), "take JH 7H close")
    assert (lost.over, observe(lost, 1, since=3).events) == (True, ("0 close",))
    assert observe(forfeit(begun, 0), 1, since=begun.ply).events == ()


def test_causes_are_for_records_and_not_for_the_table() -> None:
    at = apply(table(PACK), parse_action("pass"), cause="timeout")
    assert at.deal.actions == ("0 pass !timeout",)
    assert observe(at, 1).history == ("0 pass",)


@pytest.mark.parametrize(
    ("actions", "default", "overrides"),
    [
        ("", "pass", {}),
        ("pass pass pass", "trump:C", {"obligation": "on"}),
        ("take", "pass", {"seven_swap": "buy_in"}),
        ("pass take", "play:7C", {}),  # no points, the lowest, clubs first; not `exchange`
        ("pass take 9C KC", "play:7D", {}),
        ("take TD", "play:7D", {}),
        ("take 9H", "play:AH", {}),  # forced
    ],
)
def test_default(actions: str, default: str, overrides: dict[str, object]) -> None:
    assert default_action(go(table(PACK, agreed=rules(**overrides)), actions)).text == default


def test_default_counts_the_points_of_the_trumps_as_they_are() -> None:
    pack = deck("9H JS KC AD AS AC TD TS TC", "7C 8C 9C 7D 8D 9D 7S 8S 9S", "7H")
    assert default_action(go(table(pack), "take")).text == "play:JS"  # 2; the nine of trumps is 14


def test_no_view_holds_what_its_seat_does_not_know() -> None:
    """Not the seed, the deck or another's hand: by the types of what it is made of."""
    rng = random.Random(5)
    at = start(PartySetup(rules(), SEED))
    for _ in range(60):
        seen = observe(at, 0)
        assert not hasattr(seen, "__dict__")
        assert set(seen.__slots__).isdisjoint({"setup", "seed", "deck", "hands", "table", "stock"})
        text = json.dumps(seen.as_json())
        assert SEED.hex() not in text
        told = json.dumps([seen.as_json()["you"], seen.as_json()["legal"]])
        assert not any(format_card(card) in told for card in cards_in(at.deal.hands[1]))
        if at.over:
            break
        at = apply(at, rng.choice(at.legal))
