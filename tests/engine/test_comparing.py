"""Differences between tables, and the digest of what is played."""

from itertools import combinations

import pytest

from engine import rules_of
from engine.comparing import differences, rules_digest
from engine.presets import presets


def test_a_table_does_not_differ_from_itself() -> None:
    assert differences(rules_of("moscow/2"), rules_of("moscow/2@1", {"target": 501})) == ()


def test_moscow_and_kharkov_differ_in_one_row() -> None:
    (only,) = differences(rules_of("moscow/2"), rules_of("kharkov/2"))
    assert (only.option, only.clause) == ("sequence_tie", "R28")
    assert str(only.left) == "Of two equal sequences the one in trumps is better, else that of whoever plays first."
    assert str(only.right) == "Of two equal sequences that of whoever plays first is better, trumps or not."


def test_each_side_speaks_of_its_own_table() -> None:
    told = {row.option: row for row in differences(rules_of("klabor/pairs"), rules_of("moscow/2"))}
    assert str(told["buy_in"].left) == "After the bidding each player is dealt 2 more cards, the buy-in."
    assert str(told["buy_in"].right) == "After the bidding each player is dealt 3 more cards, the buy-in."
    assert str(told["jackpot"].left).startswith("Jackpot: 6 or more in a row from the ace among one's first six cards")


@pytest.mark.parametrize("preset", presets())
def test_every_option_that_differs_is_told(preset: str) -> None:
    left, right = rules_of(preset), rules_of("moscow/2")
    ours, theirs = left.as_json(), right.as_json()
    rows = differences(left, right)
    assert {row.option for row in rows} == {option for option in ours if ours[option] != theirs[option]}
    assert all(str(row.left) != str(row.right) for row in rows)


def test_the_digest_knows_what_is_played_and_not_its_name() -> None:
    """fifties/2 is moscow/2 with two options (§15)."""
    fifties = rules_digest(rules_of("fifties/2"))
    assert fifties == rules_digest(rules_of("moscow/2", {"offer": "fifty", "lead_limit": 250}))
    assert fifties == rules_digest(rules_of("fifties/2@1", {"target": 501}))
    assert fifties != rules_digest(rules_of("moscow/2", {"offer": "fifty"}))
    assert len(bytes.fromhex(fifties)) == 32


def test_the_digest_of_a_table_never_changes() -> None:
    """Published beside events: another value of an option is other rules, and so is a new option."""
    assert rules_digest(rules_of("moscow/2")) == "ff56f66038cd4c7eb27da064cfb448a866fa5ebf92803b5ce5277e7b58906af7"


def test_no_two_presets_are_the_same_rules() -> None:
    assert all(
        rules_digest(rules_of(one)) != rules_digest(rules_of(other)) for one, other in combinations(presets(), 2)
    )
