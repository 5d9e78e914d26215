"""R23-R32: what a hand holds, whose is best, what the table learns."""

import pytest

from engine.cards import format_card, parse_suit
from engine.sequences import Standing, sequence_points, sequences_in, standing
from tests.engine.notation import deck, facts, finish, go, hand, pairs, rules, table, written

HEARTS = parse_suit("H")


def held(text: str, **overrides: object) -> str:
    """Kind and top of a hand's sequences, best first."""
    runs = sequences_in(rules(**overrides), hand(text))
    return " ".join(f"{run.kind}:{format_card(run.top)}" for run in runs)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7S 8S", ""),
        ("7S 8S TS", ""),
        ("7S 8S 9S", "terz:9S"),
        ("7S 8S 9S TS", "fifty:TS"),
        ("JS QS KS AS", "fifty:AS"),
        ("KC AC 7D 8D", ""),
        ("QS KS AS 7H 8H 9H", "terz:AS terz:9H"),
        ("7C 8C 9C 7D 8D 9D TD", "fifty:TD terz:9C"),
    ],
)
def test_r23_terz_and_fifty(text: str, found: str) -> None:
    assert held(text) == found


@pytest.mark.parametrize(
    ("text", "off", "five", "six"),
    [
        ("9C TC JC QC KC", "fifty:KC", "hundred:KC", "fifty:KC"),
        ("9C TC JC QC KC AC", "fifty:AC", "hundred:AC", "hundred:AC"),
        ("8C 9C TC JC QC KC AC", "fifty:AC terz:TC", "hundred:AC", "hundred:AC"),
        ("7C 8C 9C TC JC QC KC AC", "fifty:AC fifty:TC", "hundred:AC terz:9C", "hundred:AC"),
    ],
)
def test_e8_r24_r26_long_runs(text: str, off: str, five: str, six: str) -> None:
    assert (held(text), held(text, hundred=5), held(text, hundred=6)) == (off, five, six)


def test_r26_one_sequence_per_run() -> None:
    assert held("7C 8C 9C TC JC QC KC AC", split_runs="off") == "fifty:AC"
    assert held("7C 8C 9C TC JC QC KC AC", split_runs="off", hundred=5) == "hundred:AC"
    assert held("7C 8C 9C JC QC KC AC", split_runs="off") == "fifty:AC terz:9C"


@pytest.mark.parametrize(("overrides", "worth"), [({}, 50), ({"hundred": 5}, 100), ({"hundred": 6}, 50)])
def test_e8_r24_points(overrides: dict[str, object], worth: int) -> None:
    assert [run.worth for run in sequences_in(rules(**overrides), hand("9C TC JC QC KC"))] == [worth]


TIES = ["trump_order", "order", "suit", "last_trick", "trump_last_trick"]
NOBODY, FIRST, SECOND, OPEN = Standing(()), Standing((0,)), Standing((1,)), Standing((0, 1), open=True)


@pytest.mark.parametrize(
    ("eldest", "dealer", "by_tie"),
    [
        ("KS QS JS", "KD QD JD", (FIRST, FIRST, NOBODY, OPEN, OPEN)),  # E9
        ("KS QS JS", "KH QH JH", (SECOND, FIRST, SECOND, OPEN, SECOND)),  # E10
        ("KH QH JH", "KD QD JD", (FIRST, FIRST, FIRST, OPEN, FIRST)),
        ("KS QS JS", "AD KD QD", (SECOND,) * 5),  # the higher top
        ("AS KS QS", "7D 8D 9D TD", (SECOND,) * 5),  # the longer kind
        ("AH KH QH", "7D 8D 9D TD", (SECOND,) * 5),
        ("QS JS TS", "7D 8D TD", (FIRST,) * 5),
        ("7S 9S JS", "7D 9D JD", (NOBODY,) * 5),
    ],
)
def test_e9_e10_r28_the_best_sequence(eldest: str, dealer: str, by_tie: tuple[Standing, ...]) -> None:
    for tie, best in zip(TIES, by_tie, strict=True):
        agreed = rules(sequence_tie=tie)
        declared = tuple(sequences_in(agreed, hand(text)) for text in (eldest, dealer))
        assert standing(agreed, HEARTS, 0, declared, (0, 1)) == best, tie


def test_e10_r28_moscow_and_kharkov() -> None:
    declared = tuple(sequences_in(rules(), hand(text)) for text in ("KS QS JS", "KH QH JH"))
    assert standing(rules("moscow/2"), HEARTS, 0, declared, (0, 1)).sides == (1,)
    assert standing(rules("kharkov/2"), HEARTS, 0, declared, (0, 1)).sides == (0,)


def test_r28_order_of_play_is_from_the_first_leader() -> None:
    declared = tuple(sequences_in(rules(), hand(text)) for text in ("KS QS JS", "KD QD JD"))
    assert standing(rules("kharkov/2"), HEARTS, 0, declared, (1, 0)).sides == (1,)


@pytest.mark.parametrize(("last", "side"), [(0, (0,)), (1, (1,)), (2, ()), (None, ())])
def test_r28_the_last_trick_chooses_among_the_tied(last: int | None, side: tuple[int, ...]) -> None:
    assert Standing((0, 1), open=True).scoring(last) == side


def test_r28_where_nobody_scores_the_next_best_does_not_move_up() -> None:
    agreed = rules(sequence_tie="suit")
    declared = tuple(sequences_in(agreed, hand(text)) for text in ("KS QS JS 7C 8C 9C", "KD QD JD"))
    assert standing(agreed, HEARTS, 0, declared, (0, 1)) == NOBODY


def test_e11_r29_all_of_the_best_s_and_nothing_of_the_other_s() -> None:
    declared = tuple(sequences_in(rules(), hand(text)) for text in ("9S TS JS 9D TD JD", "TC JC QC"))
    best = standing(rules(), HEARTS, 0, declared, (0, 1))
    assert sequence_points(rules(), declared, best.scoring(None)) == (0, 20)


def test_e12_r28_r29_pairs() -> None:
    agreed = pairs(rules())
    declared = tuple(sequences_in(agreed, hand(text)) for text in ("AS KS QS", "7S", "AD KD QD", "8S"))
    best = standing(agreed, HEARTS, 0, declared, (0, 1, 2, 3))
    assert best == FIRST  # a tie inside a side is none
    assert sequence_points(agreed, declared, (0,)) == (40, 0)


def after_first_trick(eldest: str, dealer: str, actions: str, **overrides: object) -> list[str]:
    """The facts of a deal, the bottom card hidden, after these actions; hearts are trumps."""
    begun = table(deck(eldest, dealer, "8H"), agreed=rules(bottom_card="hidden", **overrides))
    return facts(go(begun, f"take {actions}"))


ELDEST, DEALER = "QC KC AC 7D 8D TD 9S AS 9H", "7C 8C TC 9D JD QD KD JH TH"


def test_r32_announce_and_show() -> None:
    assert after_first_trick(ELDEST, DEALER, "AC 8C") == []
    assert after_first_trick(ELDEST, DEALER, "declare AC") == ["! announce 0 terz"]
    assert after_first_trick(ELDEST, DEALER, "declare AC 8C") == ["! announce 0 terz", "! show 0 QC KC AC"]


def test_r32_equal_kinds_the_later_lower_keeps_silent() -> None:
    learned = after_first_trick(ELDEST, DEALER, "declare AC declare 8C")
    assert learned == ["! announce 0 terz", "! announce 1 terz", "! height 0 A", "! show 0 QC KC AC"]


def test_r32_equal_kinds_the_later_higher_speaks() -> None:
    learned = after_first_trick("TC JC QC 7D 8D TD 9S AS 9H", "7C 8C AC 9D JD QD KD JH TH", "declare QC declare 8C")
    assert learned == ["! announce 0 terz", "! announce 1 terz", "! height 0 Q", "! height 1 K", "! show 1 JD QD KD"]


def test_r32_equal_heights_are_both_said() -> None:
    eldest, dealer = "JC QC KC 7D 8D TD 9S AS 9H", "7C 8C TC 9D JD QD KD JH TH"
    learned = after_first_trick(eldest, dealer, "declare QC declare 8C")
    assert learned[:4] == ["! announce 0 terz", "! announce 1 terz", "! height 0 K", "! height 1 K"]
    assert learned[4:] == ["! show 0 JC QC KC"]
    both = after_first_trick(eldest, dealer, "declare QC declare 8C", sequence_tie="last_trick")
    assert both[4:] == ["! show 0 JC QC KC", "! show 1 JD QD KD"]
    assert after_first_trick(eldest, dealer, "declare QC declare 8C", sequence_tie="suit")[4:] == []


def test_r32_a_lower_kind_is_not_announced() -> None:
    learned = after_first_trick("JC QC KC AC 7D 8D 9S AS 9H", DEALER, "declare AC declare 8C")
    assert learned == ["! announce 0 fifty", "! show 0 JC QC KC AC"]


def test_r32_a_higher_kind_says_nothing_of_height() -> None:
    eldest, dealer = "QC KC AC 7D 8D 9D 9S AS 9H", "7C 8C TC TD JD QD KD JH TH"
    assert after_first_trick(eldest, dealer, "declare AC declare 8C") == [
        "! announce 0 terz",
        "! announce 1 fifty",
        "! show 1 TD JD QD KD",
    ]


def test_r32_show_after_the_second_trick_where_the_window_is_longer() -> None:
    eldest, dealer, longer = ELDEST, DEALER, {"declare_until": "second_card"}
    assert after_first_trick(eldest, dealer, "declare AC 8C", **longer) == ["! announce 0 terz"]
    learned = after_first_trick(eldest, dealer, "declare AC 8C KC declare 7C", **longer)
    assert learned == ["! announce 0 terz", "! announce 1 terz", "! height 0 A", "! show 0 QC KC AC"]


def test_r29_r43_declared_sequences_are_scored() -> None:
    begun = table(deck(ELDEST, DEALER, "8H"))
    silent, said = finish(go(begun, "take AC 8C")), finish(go(begun, "take declare AC declare 8C"))
    more = [a - b for a, b in zip(written(said)["points"], written(silent)["points"], strict=True)]  # type: ignore[call-overload]
    assert more == [20, 0]


# Eldest has no trump and nothing high but the lead of a terz in a suit that is always ruffed.
NO_TRICK = "7S 8S 9S 7D 8D 9D TD 7C 8C"
ALL_TRICKS = "JH 9H AH TH KH QH AC TC KC"


@pytest.mark.parametrize(("needs_trick", "points"), [("off", 70), ("on", 0)])
def test_e22_r31_sequences_without_a_trick(needs_trick: str, points: int) -> None:
    agreed = rules(sequence_needs_trick=needs_trick)
    begun = table(deck(NO_TRICK, ALL_TRICKS, "7H"), agreed=agreed)
    played = finish(go(begun, "pass take declare"))
    assert written(played)["points"][0] == points  # type: ignore[index]
    assert written(played)["points"][1] == 97 + 10  # type: ignore[index]  # the right does not pass on
