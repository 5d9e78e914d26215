"""The drawing of a bracket: every match in it once, boxes that do not touch, words, no box cut by a page."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string

from tests.tournaments.brackets.laws import brackets_of
from tests.tournaments.brackets.playing import better_seed, played
from tournaments.formats import double_elimination, gauntlet, single_elimination
from tournaments.formats.brackets import OPEN, Bracket, Decision, Part, folded
from tournaments.web.bracket_drawing import Box, Drawing, Tie, Words, drawing_of, on_lines, shortened
from tournaments.web.bracket_layout import BOX, LINE, WIDTH

NAMES = ("Anna", "Bohdan", "Chrystyna", "Dmytro", "Єва <b>&amp;", "Fedir", "Halyna", "Ihor")


def drawn(bracket: Bracket, decisions: dict[int, Decision], gone: tuple[int, ...] = (), **ties: Tie) -> Drawing:
    slots, over = folded(bracket, decisions, gone)
    names = {seed: NAMES[(seed - 1) % len(NAMES)] for seed in range(1, bracket.entrants + 1)}
    return drawing_of(bracket, slots, Words("Cup", names, over, {int(number[1:]): tie for number, tie in ties.items()}))


def boxes_of(drawing: Drawing) -> list[list[Box]]:
    return [[box for band in panel.bands for box in band.boxes] for panel in drawing.panels]


def sentences(drawing: Drawing) -> list[str]:
    return [match.words for listed in drawing.rounds for match in listed.matches]


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13, 24, 33])
def test_every_match_that_two_can_meet_in_is_drawn_once_and_apart(entrants: int) -> None:
    for name, bracket in brackets_of(entrants):
        drawing = drawn(bracket, {})
        real = [match for match in bracket.matches if not match.is_bye]
        assert sum(map(len, boxes_of(drawing))) == len(real) == len(sentences(drawing)), name
        for panel in boxes_of(drawing):
            for one, other in combinations(panel, 2):
                is_apart = abs(one.left - other.left) >= WIDTH or abs(one.top - other.top) >= BOX + 20
                assert is_apart, f"{name}: {one.words} on {other.words}"


@pytest.mark.parametrize("entrants", [2, 13, 64])
def test_no_box_is_cut_between_two_sheets(entrants: int) -> None:
    for _, bracket in brackets_of(entrants):
        for panel in drawn(bracket, {}).panels:
            assert sum(band.height for band in panel.bands) == panel.bands[-1].top + panel.bands[-1].height
            for band in panel.bands:
                for box in band.boxes:
                    assert band.top <= box.label_base - 13
                    assert box.top + box.height < band.top + band.height


def test_whoever_has_a_bye_is_seen_where_he_first_plays() -> None:
    drawing = drawn(single_elimination.bracket_of(5), {})
    assert [box.label for box in boxes_of(drawing)[0]] == ["2", "5", "6", "7"]
    assert [[row.name for row in box.rows] for box in boxes_of(drawing)[0]] == [
        ["Dmytro", "Єва <b>&amp;"],
        ["Anna", "Winner of 2"],
        ["Bohdan", "Chrystyna"],
        ["Winner of 5", "Winner of 6"],
    ]


def test_columns_have_the_names_that_rounds_are_known_by() -> None:
    heads = [head.text for head in drawn(single_elimination.bracket_of(16), {}).panels[0].bands[0].heads]
    assert heads == ["Round 1", "Quarter-finals", "Semi-finals", "Final"]
    winners, losers = drawn(double_elimination.bracket_of(8), {}).panels
    assert [head.text for head in winners.bands[0].heads] == [
        "Round 1",
        "Round 2",
        "Winners' final",
        "Final",
        "Second final",
    ]
    assert [head.text for head in losers.bands[0].heads][-2:] == ["Losers' round 3", "Losers' final"]


def test_what_is_decided_is_said_in_words() -> None:
    bracket = single_elimination.bracket_of(4, single_elimination.Settings(third_place=True))
    drawing = drawn(
        bracket,
        {1: Decision((1, 2)), 2: Decision((2, 2))},
        m1=Tie("/m/one/", ("21", "17")),
        m2=Tie(note="both stayed away"),
    )
    assert sentences(drawing) == [
        "Match 1: Anna (1) beat Dmytro (4), 21 : 17.",
        "Match 2: Bohdan (2) and Chrystyna (3): nobody goes on (both stayed away).",
        "Match 3: Dmytro (4) goes on without playing.",
        "Match 4: Anna (1) goes on without playing.",
    ]
    assert [listed.name for listed in drawing.rounds] == ["Semi-finals", "Third place", "Final"]


def test_what_is_to_come_says_from_where() -> None:
    said = sentences(drawn(double_elimination.bracket_of(4), {1: Decision((2, 1))}))
    assert said[2] == "Match 3: Dmytro (4) meets the winner of match 2."
    assert said[3] == "Match 4: Anna (1) meets the loser of match 2."
    assert said[-1] == "Match 7: the loser of match 6 meets the winner of match 6, if it is needed."


def test_seats_that_are_kept_from_the_reader_say_which_seed_comes() -> None:
    bracket = single_elimination.bracket_of(4)
    kept = {match.number: (OPEN, OPEN) for match in bracket.matches}
    drawing = drawing_of(bracket, kept, Words("Cup", {1: "Anna"}))
    assert [row.name for row in boxes_of(drawing)[0][0].rows] == ["Seed 1", "Seed 4"]
    assert sentences(drawing)[0] == "Match 1: Seed 1 meets Seed 4."


def test_the_reset_is_drawn_until_it_is_known_not_to_be_needed() -> None:
    bracket = double_elimination.bracket_of(4)
    assert [box.label for box in boxes_of(drawn(bracket, {}))[0]][-1] == "Second final, if needed"
    decided = drawn(bracket, played(bracket, better_seed))
    assert [head.text for head in decided.panels[0].bands[0].heads][-1] == "Final"


def test_states_and_kinds_are_for_the_style_sheet() -> None:
    bracket = single_elimination.bracket_of(4)
    first, second, final = boxes_of(drawn(bracket, {1: Decision((1, 2))}, m2=Tie(state="playing")))[0]
    assert (first.state, second.state, final.state) == ("over", "playing", "open")
    assert [row.kind for row in first.rows] == ["won", "lost"]
    assert [row.kind for row in final.rows] == ["in", "open"]
    gone = boxes_of(drawn(bracket, {}, gone=(4,)))[0][0]
    assert [row.kind for row in gone.rows] == ["won", "gone"]


def test_a_ladder_is_climbed_from_below() -> None:
    (boxes,) = boxes_of(drawn(gauntlet.bracket_of(4), {}))
    assert [box.label for box in sorted(boxes, key=lambda box: box.top)] == ["3", "2", "1"]
    settings = gauntlet.Settings(gauntlet.GauntletKind.CHALLENGER)
    assert not any(band.lines for band in drawn(gauntlet.bracket_of(4, settings), {}).panels[0].bands)


def test_lines_lead_from_a_match_to_the_seat_of_its_winner() -> None:
    (panel,) = drawn(single_elimination.bracket_of(4), {}).panels
    first, second, final = panel.bands[0].boxes
    assert len(panel.bands[0].lines) == 2
    for box, line, row in zip((first, second), panel.bands[0].lines, final.rows, strict=True):
        start, *_, end = re.findall(r"\d+", line)
        assert (int(start), int(end)) == (box.right, final.left)
        assert f"V{row.top + LINE // 2}H" in line


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Anna", "Anna"),
        ("Wolfeschlegelsteinhausen", "Wolfeschl…"),
        ("ممم ممم", "ممم ممم"),
        ("漢字漢字漢字漢字漢字", "漢字漢字漢…"),
    ],
)
def test_long_names_are_cut_and_whole_ones_are_not(name: str, seen: str) -> None:
    assert shortened(name, 115) == seen


def test_the_page_is_well_formed_and_nobody_breaks_out_of_it() -> None:
    bracket = double_elimination.bracket_of(8)
    html = render_to_string("tournaments/bracket.html", {"drawing": drawn(bracket, {}, m1=Tie('/m/"one"/'))})
    tree = ElementTree.fromstring(html)
    svgs = tree.findall(".//svg")
    assert all(svg.find("title") is not None and svg.find("desc") is not None for svg in svgs)
    assert (
        len(tree.findall(".//svg//rect[@class='bracket-frame']"))
        == len(bracket.matches)
        == len(tree.findall(".//ol//ul/li"))
    )
    assert Counter(link.get("href") for link in tree.findall(".//a")) == {'/m/"one"/': 2}
    assert not tree.findall(".//b")
    assert not re.search(r"\sstyle=|<script|\son\w+=", html)


def test_only_the_first_band_of_a_panel_is_read_out() -> None:
    html = render_to_string("tournaments/bracket.html", {"drawing": drawn(single_elimination.bracket_of(64), {})})
    svgs = ElementTree.fromstring(html).findall(".//svg")
    assert len(svgs) > 2
    assert [svg.get("aria-hidden") for svg in svgs] == [None, *["true"] * (len(svgs) - 1)]
    assert Part.MAIN in {match.part for match in single_elimination.bracket_of(64).matches}


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Anna", ("Anna", "")),
        ("Kateryna Shevchenko", ("Kateryna", "Shevchenko")),
        ("Halyna Petrenko-Bohdanovych", ("Halyna Petrenko-", "Bohdanovych")),
        ("Wolfeschlegelsteinhausen", ("Wolfeschlegelst…", "")),
    ],
)
def test_a_long_name_has_two_lines(name: str, lines: tuple[str, str]) -> None:
    assert on_lines(name, 178) == lines


def test_a_bracket_of_sixteen_is_on_one_sheet_and_larger_ones_in_quarters() -> None:
    sheets = {size: len(drawn(single_elimination.bracket_of(size), {}).panels[0].bands) for size in (8, 16, 32, 64)}
    assert sheets == {8: 1, 16: 1, 32: 2, 64: 4}
