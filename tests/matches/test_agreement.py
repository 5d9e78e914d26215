"""Scores as people tell them: their text, what could be, and what follows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import rules_of
from matches.core.agreement import (
    MOST_POINTS,
    ReportedScore,
    ScoreRefused,
    forfeit_of,
    format_score,
    outcome_of,
    parse_score,
    terms_of,
    why_not_score,
)
from matches.core.outcome import PartyScore, Unit, is_decided
from matches.core.plan import Length, MatchPlan, parties_of, why_not_plan


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("3:1", ReportedScore((3, 1))),
        (" 120 : 80 : -20 ", ReportedScore((120, 80, -20))),
        ("120:−20", ReportedScore((120, -20))),
        ("420:380 (3:1)", ReportedScore((420, 380), (3, 1))),
        ("+:-", ReportedScore((0, 0), absent=frozenset({1}))),
        ("-:-", ReportedScore((0, 0), absent=frozenset({0, 1}))),
        ("3:-", ReportedScore((3, 0), absent=frozenset({1}))),
        ("12:6:-:0", ReportedScore((12, 6, 0, 0), absent=frozenset({2}))),
    ],
)
def test_a_score_is_read_from_text(text: str, score: ReportedScore) -> None:
    assert parse_score(text) == score


@pytest.mark.parametrize(
    "text", ["", ":", "3:", "three:one", "3-1", "3:1:", "3:1 (2:0", "3:1 ()", "3:1 (-1:0)", "1.5:0.5", "1:2\x00", "٣:١"]
)
def test_what_is_no_score_is_refused(text: str) -> None:
    with pytest.raises(ScoreRefused):
        parse_score(text)


@st.composite
def scores(draw: st.DrawFn) -> ReportedScore:
    sides = draw(st.integers(2, 4))
    absent = draw(st.frozensets(st.integers(0, sides - 1)))
    told = [draw(st.integers(-MOST_POINTS, MOST_POINTS)) for _ in range(sides)]
    parties = draw(st.none() | st.tuples(*[st.integers(0, 20)] * sides))
    return ReportedScore(tuple(0 if side in absent else one for side, one in enumerate(told)), parties, absent)


@given(scores())
def test_a_score_written_down_reads_the_same(score: ReportedScore) -> None:
    assert parse_score(format_score(score)) == score


BEST_OF_5 = ("moscow/2", {}, Length.BEST_OF, 5)
PARTIES_3 = ("moscow/3", {}, Length.PARTIES, 3)
BOARDS_2 = ("moscow/2", {"deals": 4}, Length.BOARDS, 2)
SHORT = ("short/2", {}, Length.PARTIES, 4)


@pytest.mark.parametrize(
    ("plan", "possible"),
    [
        (BEST_OF_5, "3:0 3:1 3:2 0:3 1:3 2:3 +:- -:+ -:- 3:- 2:-"),
        (PARTIES_3, "3:0:0 1:1:1 0:2:1 +:+:- 2:1:- 2:0:- -:-:-"),
        (BOARDS_2, "420:380 400:400 -20:1 0:0 +:- 300:-"),
        (SHORT, "4:-4 0:0 -2:2 +:- 3:-"),
    ],
)
def test_what_can_be(plan, possible: str) -> None:
    preset, overrides, length, boards = plan
    terms = terms_of(rules_of(preset, overrides), length, boards)
    assert [text for text in possible.split() if why_not_score(parse_score(text), terms)] == []


@pytest.mark.parametrize(
    ("plan", "text", "told"),
    [
        (BEST_OF_5, "2:2", "2:2 is level: best of 5 ends 3:0 to 3:2"),
        (BEST_OF_5, "4:1", "4:1 cannot be: best of 5 ends 3:0 to 3:2"),
        (BEST_OF_5, "2:1", "2:1 cannot be"),
        (BEST_OF_5, "3:3", "3:3 is level"),
        (BEST_OF_5, "4:-", "3 parties win the match"),
        (BEST_OF_5, "-1:3", "nobody wins fewer than 0"),
        (BEST_OF_5, "3:1:0", "3 numbers were given: this match has 2 sides"),
        (BEST_OF_5, "3:1 (2:2)", "leave the second numbers out"),
        (PARTIES_3, "3:1:0", "3:1:0 are 4 parties: this match has 3"),
        (PARTIES_3, "1:1:0", "each of them is won by somebody"),
        (PARTIES_3, "3:1:-", "are 4 parties"),
        (BOARDS_2, "100000:0", "99999 are the most"),
        (BOARDS_2, "4:3 (5:0)", "5:0 parties cannot be: this match has 4"),
        (BOARDS_2, "4:3 (1:0:0)", "Parties were given for 3 sides"),
        (BOARDS_2, "4:- (1:1)", "who is absent has won none"),
        (SHORT, "4:-3", "The stakes add up to 1"),
    ],
)
def test_what_cannot_be_and_why(plan, text: str, told: str) -> None:
    preset, overrides, length, boards = plan
    assert told in str(why_not_score(parse_score(text), terms_of(rules_of(preset, overrides), length, boards)))


def test_the_absent_have_nothing_and_are_at_the_table() -> None:
    terms = terms_of(rules_of("moscow/2"), Length.BEST_OF, 3)
    assert "who is absent has 0" in str(why_not_score(ReportedScore((0, 2), absent=frozenset({1})), terms))
    assert "no side 3" in str(why_not_score(ReportedScore((2, 0), absent=frozenset({2})), terms))
    assert why_not_score(forfeit_of(2, [0]), terms) is None


@pytest.mark.parametrize(
    ("text", "places", "outcomes"),
    [
        ("3:1", (1, 2), "won lost"),
        ("200:200", (1, 1), "drawn drawn"),
        ("+:-", (1, 2), "won lost"),
        ("-:-", (2, 2), "lost lost"),
        ("-20:-", (1, 2), "won lost"),  # who has come is before who has not, whatever he owes
        ("120:80:80:40", (1, 2, 2, 4), "won lost lost lost"),
        ("120:-:120:40", (1, 4, 1, 3), "drawn lost drawn lost"),
        ("+:-:-:-", (1, 2, 2, 2), "won lost lost lost"),
        ("-:-:-:-", (2, 2, 2, 2), "lost lost lost lost"),
    ],
)
def test_what_follows_from_a_score(text: str, places: tuple[int, ...], outcomes: str) -> None:
    decided = outcome_of(parse_score(text), Unit.POINTS)
    assert (decided.places, " ".join(decided.outcomes)) == (places, outcomes)
    assert decided.card_points == decided.points


@given(scores())
def test_a_place_at_the_top_is_won_or_drawn_and_never_by_the_absent(score: ReportedScore) -> None:
    decided = outcome_of(score, Unit.POINTS)
    for side, (place, outcome) in enumerate(zip(decided.places, decided.outcomes, strict=True)):
        assert 1 <= place <= 4
        assert (outcome == "lost") is (place > 1)
        assert not (side in score.absent and place == 1)
    assert (1 in decided.places) is (len(score.absent) < len(score.points))


def test_parties_that_count_are_the_points_and_others_are_told_beside_them() -> None:
    assert outcome_of(parse_score("3:1"), Unit.PARTIES).parties == (3, 1)
    assert outcome_of(parse_score("3:1"), Unit.PARTIES).card_points == (0, 0)  # nobody has said
    assert outcome_of(parse_score("420:380 (3:1)"), Unit.POINTS).parties == (3, 1)
    assert outcome_of(parse_score("420:380"), Unit.POINTS).parties is None


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("3:1", "3:1", True),
        ("3:1", "3:2", False),
        ("+:-", "0:0", False),
        ("420:380 (3:1)", "420:380", True),
        ("420:380 (3:1)", "420:380 (2:2)", False),
    ],
)
def test_what_agrees(one: str, other: str, agree: bool) -> None:
    assert parse_score(one).agrees_with(parse_score(other)) is agree
    assert parse_score(other).agrees_with(parse_score(one)) is agree


@pytest.mark.parametrize(
    ("winners", "planned", "decided"),
    [
        ("0", 1, True),
        ("0", 3, False),
        ("00", 3, True),
        ("01", 3, False),
        ("010", 3, True),
        ("0100", 5, True),
        ("0101", 5, False),
        (".0", 3, False),  # a party that nobody won counts as played, and the last one could draw level
        ("..0", 3, True),
        ("...", 3, False),
    ],
)
def test_when_nobody_catches_the_first_any_more(winners: str, planned: int, decided: bool) -> None:
    parties = [PartyScore((0, 0), winner=None if one == "." else int(one)) for one in winners]
    assert is_decided(parties, planned) is decided


@pytest.mark.parametrize(
    ("preset", "boards", "told"),
    [
        ("moscow/2", 3, None),
        ("klabor/pairs", 1, None),
        ("moscow/2", 4, "choose an odd number, 3 or 5"),
        ("moscow/3", 3, "has 3: play a number of parties"),
        ("short/2", 3, "In Short nobody may win a deal"),
    ],
)
def test_a_best_of_that_always_ends(preset: str, boards: int, told: str | None) -> None:
    plan = MatchPlan((1, 2), rules=preset, length=Length.BEST_OF, boards=boards)
    told_now = why_not_plan(plan, rules_of(preset))
    assert told_now is None if told is None else told in str(told_now)
    assert why_not_plan(MatchPlan((1, 2), length=Length.PARTIES, boards=boards), rules_of(preset)) is None


def test_how_many_parties_a_match_has_at_the_most() -> None:
    assert [parties_of(length, 3, 2) for length in Length] == [6, 3, 3]
    assert MatchPlan((1, 2)).deals_of_party == 4
    assert MatchPlan((1, 2), length=Length.BEST_OF).deals_of_party is None
