"""R33-R36: who holds bella, when it is said, who gets it."""

import pytest

from engine import parse_action, why_not
from tests.engine.notation import deck, finish, go, offered, rules, table, written

# Hearts by `take`. Eldest leads and holds the pair.
ELDEST, DEALER = "KH QH AC TC 7D 8D 7S 8S 9S", "JH 9H AH 7C 8C TD JD QD TS"
PACK = deck(ELDEST, DEALER, "8H", "AS")


def said_with(begun: object) -> str:
    return " ".join(word[5:7] for word in offered(begun).split() if word.endswith("+bella"))  # type: ignore[arg-type]


def bella_of(actions: str, pack: tuple[int, ...] = PACK, **overrides: object) -> tuple[int, ...]:
    """What bella brings each side: the deal with it said, less the same deal in silence."""
    said = finish(go(table(pack, agreed=rules(**overrides)), f"take {actions}"))  # type: ignore[arg-type]
    silent = finish(go(table(pack, agreed=rules(**overrides)), f"take {actions}".replace("+bella", "")))  # type: ignore[arg-type]
    pairs = zip(written(said)["points"], written(silent)["points"], strict=True)  # type: ignore[call-overload]
    return tuple(with_it - without for with_it, without in pairs)


def test_r34_any_card_while_one_is_in_hand() -> None:
    begun = go(table(PACK), "take")
    assert said_with(begun) == "TC AC 7D 8D QH KH 7S 8S 9S"
    assert said_with(go(begun, "KH 9H JD 8D")) == ""  # the dealer's turn
    one_left = go(begun, "AC 7C KH 9H TD")
    assert said_with(one_left) == "7D 8D"
    assert said_with(go(begun, "QH 9H AH KH JD")) == ""  # both are gone


def test_r34_pair_card() -> None:
    begun = go(table(PACK, agreed=rules(bella_when="pair_card")), "take")
    assert said_with(begun) == "QH KH"
    assert said_with(go(begun, "AC 7C")) == "QH KH"
    assert said_with(go(begun, "KH 9H AH")) == "QH"  # with the second of them


def test_r34_first_card() -> None:
    begun = go(table(PACK, agreed=rules(bella_when="first_card")), "take")
    assert said_with(begun) == "TC AC 7D 8D QH KH 7S 8S 9S"
    assert said_with(go(begun, "AC 7C")) == ""


def test_r33_said_once() -> None:
    assert said_with(go(table(PACK), "take AC+bella 7C")) == ""


def test_r33_only_with_both_at_the_first_card() -> None:
    begun = go(table(deck(ELDEST.replace("QH", "TH"), DEALER, "8H")), "take")
    assert said_with(begun) == ""
    reason = why_not(begun, parse_action("play:KH+bella"))
    assert reason is not None
    assert reason.code == "no_bella"


def test_r20_r33_the_exchange_may_make_the_pair() -> None:
    begun = go(table(deck(ELDEST.replace("QH", "7H"), DEALER, "QH")), "take")
    assert said_with(begun) == ""
    assert said_with(go(begun, "exchange")) == "TC AC 7D 8D QH KH 7S 8S 9S"


def test_r36_twenty_for_the_holder_if_it_is_said() -> None:
    assert bella_of("AC+bella") == (20, 0)
    assert bella_of("KH+bella 9H") == (20, 0)


# Klabor: the pair is said with the king, and the other side takes the trick.
def test_e23_r34_r35_the_taker_of_the_trick() -> None:
    klabor = {"bella_when": "pair_card", "bella_to": "trick_winner"}
    assert bella_of("KH+bella 9H", **klabor) == (0, 20)
    low = deck(ELDEST, DEALER.replace("JH", "7H").replace("9H", "JC").replace("AH", "KC"), "8H", "AS")
    assert bella_of("KH+bella 7H", low, **klabor) == (20, 0)


NO_HIGH_TRUMPS = deck(ELDEST, DEALER.replace("JH", "7H").replace("9H", "JC").replace("AH", "KC"), "8H", "AS")


@pytest.mark.parametrize(
    ("actions", "pack", "one_wins", "halves"),
    [
        ("KH+bella 9H AH QH", PACK, 0, 0),  # both lost
        ("KH+bella 7H QH 7C", NO_HIGH_TRUMPS, 20, 20),  # both take their own tricks
        ("KH 7H QH+bella 7C", NO_HIGH_TRUMPS, 20, 20),  # said after the first
        ("AC+bella 7C KH 9H AH QH", PACK, 0, 0),  # the ace's trick is not theirs
    ],
)
def test_r35_by_their_own_tricks(actions: str, pack: tuple[int, ...], one_wins: int, halves: int) -> None:
    assert bella_of(actions, pack, bella_to="one_wins") == (one_wins, 0)
    assert bella_of(actions, pack, bella_to="halves") == (halves, 0)


def test_r35_one_of_the_two() -> None:
    """The king takes its trick, the queen falls to the ace."""
    pack = deck(ELDEST, DEALER.replace("JH", "7H").replace("9H", "JC"), "8H", "AS")
    king_first = "AC+bella 7C 7D TD 7H KH"
    assert bella_of(f"{king_first} QH AH", pack, bella_to="one_wins") == (20, 0)
    assert bella_of(f"{king_first} QH AH", pack, bella_to="halves") == (10, 0)


# The holder takes no trick at all.
BEATEN = deck("KH QH 7C 8C 7D 8D 7S 8S 9S", "JH 9H AH AC TC AD TD AS TS", "8H")


@pytest.mark.parametrize(
    ("needs_trick", "bella_to", "worth"),
    [("off", "holder", (20, 0)), ("on", "holder", (0, 0)), ("on", "trick_winner", (0, 20))],
)
def test_r31_bella_without_a_trick(needs_trick: str, bella_to: str, worth: tuple[int, ...]) -> None:
    overrides = {"bella_needs_trick": needs_trick, "bella_to": bella_to}
    assert bella_of("KH+bella 9H AH QH", BEATEN, **overrides) == worth


def test_e7_r26_r36_seven_trumps() -> None:
    seven = deck("AH KH QH JH TH 7H 9H 8C 8D", "7C 9C TC 7D 9D TD 7S 9S TS", "8H")
    begun = go(table(seven), "take exchange declare")
    run = begun.deal.in_play.declarations.declared[0] or ()
    assert sum(sequence.worth for sequence in run) + 20 == 50 + 20 + 20
    said = finish(go(begun, "AH+bella 7C"))
    silent = finish(go(table(seven), "take exchange AH 7C"))
    assert written(said)["points"][0] - written(silent)["points"][0] == 90  # type: ignore[index]
