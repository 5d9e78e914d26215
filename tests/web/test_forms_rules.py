"""The pages of the rule book: every preset as sentences, and what differs between two."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from engine import preset_values, presets, rules_of
from engine.comparing import rules_digest
from engine.options import OPTIONS
from engine.sentences import GROUP_OF
from matches.core.plan import match_overrides
from matches.rulebook.sheet import rules_sheet, sheet_of
from matches.rulebook.words import FAMILIES, TABLES, TITLES

pytestmark = pytest.mark.django_db


def test_every_option_family_and_table_has_its_words() -> None:
    names = {spec.name for spec in OPTIONS}
    assert set(TITLES) == names == set(GROUP_OF)
    assert {preset.partition("/")[0] for preset in presets()} == set(FAMILIES)
    assert {preset.partition("/")[2] for preset in presets()} == set(TABLES)
    assert len(set(map(str, TITLES.values()))) == len(names)


def test_all_presets_are_on_one_page(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    for preset in presets():
        assert f'href="/rules/{preset}/"' in page


@pytest.mark.parametrize("preset", presets())
def test_a_preset_is_a_sheet_of_sentences_with_clauses(client: Client, preset: str) -> None:
    answer = client.get(f"/rules/{preset}/")
    sheet = answer.context["sheet"]
    lines = [line for group in sheet.groups for line in group.lines]
    assert 15 <= len(lines) <= 40
    assert all(line.clause.startswith("R") and line.sentence for line in lines)
    assert sheet.changes == ()
    assert sheet.digest == rules_digest(rules_of(preset))
    assert sheet.digest[:16] in answer.content.decode()


def test_two_presets_differ_in_these_rules(client: Client) -> None:
    answer = client.get("/rules/moscow/2/?diff=kharkov/2")
    lines = answer.context["differences"]
    assert [line.option for line in lines] == ["sequence_tie"]
    assert lines[0].left != lines[0].right
    assert "Equal sequences" in answer.content.decode()
    assert "Nothing is otherwise" in client.get("/rules/moscow/2/?diff=moscow/2").content.decode()


@pytest.mark.parametrize("name", ["moscow/4", "nowhere/2", "mine/x", "moscow/2@1"])
def test_what_is_no_preset_is_at_no_address(client: Client, name: str) -> None:
    assert client.get(f"/rules/{name}/").status_code == 404


@pytest.mark.parametrize("junk", ["nonsense", "moscow/9", "\0", "moscow/2@7", "<b>"])
def test_a_comparison_with_nothing_says_so(client: Client, junk: str) -> None:
    answer = client.get("/rules/moscow/2/", {"diff": junk})
    assert answer.status_code == 200
    assert "No preset is called" in answer.content.decode()
    assert "<b>" not in answer.content.decode()


def test_what_was_changed_stands_first_with_what_it_is_instead_of() -> None:
    sheet = rules_sheet(rules_of("moscow/2", {"first_lead": "maker", "offer": "off"}))
    assert [line.option for line in sheet.changes] == ["first_lead"]
    page = render_to_string("matches/rules_sheet.html", {"sheet": sheet})
    assert page.index("instead of: The player to the dealer") < page.index("rule-group")
    assert page.count("rule-changed") == 1


def test_what_the_plan_of_a_board_sets_is_nobodys_change() -> None:
    sheet = rules_sheet(rules_of("moscow/2", match_overrides({"hundred": 5}, 4)))
    assert [line.option for line in sheet.changes] == ["hundred"]
    of_plan = {line.option for group in sheet.groups for line in group.lines if line.is_of_plan}
    assert of_plan == {"next_dealer", "hang_dealer", "deals", "close", "party_dealer"}


LOT = "The first dealer of every board is drawn by lot."


def dealer_lines(page: str) -> list[str]:
    """What a sheet says of a party's first dealer, without its marks."""
    lines = re.findall(r'<li id="rule-party_dealer".*?</li>', page)
    return [" ".join(re.sub(r"<[^>]*>|&nbsp;", " ", line).split()) for line in lines]


@pytest.mark.parametrize("deals", [4, None])
@pytest.mark.parametrize("preset", presets())
def test_r69_the_first_dealer_of_a_board_is_the_plans_and_not_the_rules(preset: str, deals: int | None) -> None:
    if preset.startswith("short") and deals:
        return
    for overrides in ({}, {"party_dealer": "winner"}, {"party_dealer": "rotate"}):
        sheet = rules_sheet(rules_of(preset, match_overrides(overrides, deals)))
        page = render_to_string("matches/rules_sheet.html", {"sheet": sheet})
        assert dealer_lines(page) == [f"{LOT} R69 by the plan of a board"]
        assert "party_dealer" not in {line.option for line in sheet.changes}


def test_r15_the_page_of_a_preset_tells_its_own_first_dealer(client: Client) -> None:
    page = client.get("/rules/moscow/2/").content.decode()
    assert dealer_lines(page) == ["The winner of a party deals first in the next party of the match. R15"]
    assert LOT not in page


def test_a_change_that_switches_off_what_one_would_not_look_for_is_told() -> None:
    assert preset_values("klabor/2")["redeal_below"] == 2
    sheet = rules_sheet(rules_of("klabor/2", {"redeal_below": "off"}))
    assert [line.option for line in sheet.changes] == ["redeal_below"]
    assert any(line.option == "redeal_below" for group in sheet.groups for line in group.lines)


def test_rules_that_the_engine_no_longer_knows_have_no_sheet() -> None:
    assert sheet_of("moscow/2@99", {}) is None
    assert sheet_of("moscow/2", {"gone": 1}) is None
