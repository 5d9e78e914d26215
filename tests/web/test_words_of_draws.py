"""Every code that a draw, a cut, an event or a setting can have is told in words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from typing import get_type_hints

import pytest

from tournaments import formats, services
from tournaments.formats.qualification import Take
from tournaments.formats.registry import FORMATS
from tournaments.models.stages import FORMATS as STORED
from tournaments.services.corrections import Change
from tournaments.standings.criteria import CRITERIA, DIRECT_ENCOUNTER, UNIT
from tournaments.standings.legs import Category
from tournaments.standings.opposition import Cut
from tournaments.web import category_words, change_words, criteria_words, event_words, format_words
from tournaments.web.reason_words import REASONS, sentence_of

ROOMS = (Path(formats.__file__).parent, Path(services.__file__).parent)


def calls(function: str) -> Iterator[tuple[Path, ast.Call, dict[str, str]]]:
    """Every call of a function in formats and services, with the constants of its module."""
    for room in ROOMS:
        for path in sorted(room.rglob("*.py")):
            tree = ast.parse(path.read_text())
            constants = {
                target.id: node.value.value
                for node in tree.body
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function:
                    yield path, node, constants


def code_of(node: ast.expr, constants: dict[str, str]) -> str | None:
    """The code in a call; None where it comes from elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    return constants.get(node.id) if isinstance(node, ast.Name) else None


def reasons() -> list[tuple[str, str, int | None]]:
    """Format or room, code, and how many values go with it, where that can be read from the call."""
    found = []
    for path, call, constants in calls("Reason"):
        code = code_of(call.args[0], constants)
        if code is not None:
            found.append((path.parent.name if path.parent not in ROOMS else path.stem, code, count_of(call)))
    return sorted(set(found), key=str)


def count_of(call: ast.Call) -> int | None:
    if len(call.args) < 2:
        return 0
    values = call.args[1]
    if isinstance(values, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in values.elts):
        return len(values.elts)
    return None


@pytest.mark.parametrize(("of", "code", "count"), reasons())
def test_every_reason_has_a_sentence_that_takes_its_values(of: str, code: str, count: int | None) -> None:
    place = "violation" if of == "violating" else "bracket" if of == "protection" else of
    sentence = REASONS.get(f"{place}.{code}") or REASONS.get(code)
    assert sentence is not None, f"{of}: {code} has no sentence in tournaments/web/reason_words.py"
    if count is not None:
        assert sentence.fits(count), f"{of}: {code} has {count} values"


def test_codes_that_are_listed_in_docstrings_have_sentences_too() -> None:
    """Some are put together in variables, where no call shows them."""
    listed = set()
    for path in ROOMS[0].rglob("*.py"):
        told = re.search(r"Reasons\b.*?(?=\n\n|\"\"\")", path.read_text(), re.S)
        if told and path.name != "meetings.py":
            listed |= set(re.findall(r"`([a-z_]+) \(", told[0]))
    assert len(listed) > 40
    assert {
        code for code in listed if not any(key in (code, key.partition(".")[0] + "." + code) for key in REASONS)
    } == set()


def name_of(number: int) -> str:
    return {1: "Anna", 2: "Bohdan", 3: "Chrystyna"}.get(number, f"#{number}")


@pytest.mark.parametrize(
    ("of", "code", "values", "told"),
    [
        ("swiss", "score_group", [6], "Both have 1½ points."),
        ("tables_swiss", "score_group", [12], "All at the table have 3 points."),
        ("swiss", "score_group", [4], "Both have 1 point."),
        ("swiss", "score_group", [2], "Both have ½ point."),
        ("tables_swiss", "scores", [8, 0], "Those at the table have between 0 points and 2 points."),
        ("swiss", "first_seat_fewer", [1, 0, 1], "Anna sits first: so far never, the other once."),
        ("tables_swiss", "met_before", [1, 2, 2], "Anna and Bohdan have met before (twice): it could not be spared."),
        ("swiss", "rematch_avoided", [1, 2, 4], "Anna would have met Bohdan, but they met in round 4."),
        ("groups", "group", [2, 1, 3], "Group 2: Anna, Chrystyna."),
        ("violation", "second_bye", [3], "Chrystyna has had a bye with full points already."),
        ("swiss", "second_bye", [3, 1], "Chrystyna has a second bye; the first was in round 1."),
        ("swiss", "nobody_knows_it", [3, "x"], "nobody_knows_it 3 x"),
        ("swiss", "score_group", [4, 4], "score_group 4 4"),
    ],
)
def test_reasons_are_told(of: str, code: str, values: list[int | str], told: str) -> None:
    assert sentence_of(code, values, name_of, of) == told


def test_every_sentence_uses_its_values() -> None:
    for code, sentence in REASONS.items():
        said = {name for name, kind in sentence.values if kind != "unsaid"}
        assert set(re.findall(r"%\((\w+)\)s", str(sentence.text))) == said, code


def test_every_format_has_words_and_every_setting_and_choice_its_own() -> None:
    assert set(format_words.FORMATS) == set(STORED) == set(FORMATS)
    for name, chosen in [*((one.name, one.settings) for one in FORMATS.values()), ("take", Take)]:
        hints = get_type_hints(chosen)
        for one in fields(chosen):
            assert f"{name}.{one.name}" in format_words.SETTINGS or one.name in format_words.SETTINGS, (name, one.name)
            if issubclass(hints[one.name], StrEnum):
                for member in hints[one.name]:
                    keys = {f"{name}.{one.name}.{member}", f"{one.name}.{member}"}
                    assert keys & set(format_words.CHOICES), (name, one.name, member)


def test_every_criterion_has_words() -> None:
    assert set(criteria_words.CRITERIA) == set(CRITERIA) | {DIRECT_ENCOUNTER}
    assert set(criteria_words.CRITERIA) == set(UNIT)
    assert set(category_words.CATEGORY) == set(Category)
    assert set(category_words.CUT) == set(Cut)


def test_every_event_has_a_sentence() -> None:
    kinds = {
        code_of(call.args[1], constants)
        for function in ("note", "_note", "tell_once")
        for _path, call, constants in calls(function)
        if len(call.args) > 1
    }
    assert len(kinds) > 30
    assert kinds - {None} <= set(event_words.EVENTS)


def test_every_change_of_a_correction_has_a_sentence() -> None:
    codes = {code_of(call.args[0], constants) for _path, call, constants in calls("Change")}
    assert codes - {None} <= set(change_words._SENTENCES)
    told = change_words.change_words(Change("place", ("e_1", 2, 3, 1)), {"e_1": "Anna"})
    assert told == "Anna: place 1 instead of 3 (stage 2)."
