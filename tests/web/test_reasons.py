"""Why these meet: in each format every table of a draw says it; and what its pages ask and offer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.cast import anna
from tests.web.hall import decide, event
from tests.web.test_tournament_pages import page, words
from tournaments.services import draws, running
from tournaments.web.waiting import read_waits

pytestmark = pytest.mark.django_db
FIXED = "All rounds are fixed from the start; round 1 puts numbers "


def why(client: Client, row: Any, number: int = 1) -> list[str]:
    html = page(client, f"{row.get_absolute_url()}rounds/{number}/")
    return [words(one) for one in re.findall(r'class="why-paired">(.*?)</details>', html, re.S)]


@pytest.mark.parametrize(
    ("name", "people", "options", "told"),
    [
        ("single_elimination", 8, {}, "Seed 1 meets Seed 8."),
        ("single_elimination", 5, {}, "the field does not fill the bracket"),
        ("double_elimination", 4, {}, "Seeds are spread so that the best and the last meet first"),
        ("gauntlet", 4, {}, "Seed 3 meets Seed 4."),
        ("round_robin", 4, {}, FIXED + "1 and 4 together."),
        ("groups", 8, {}, "All rounds of group 1 are fixed from the start; round 1 puts numbers 1 and 8 together."),
        ("tables", 9, {"rules": "moscow/3"}, FIXED),
        ("whist", 8, {"rules": "klabor/pairs", "entries_are": "individuals"}, FIXED),
        ("swiss", 8, {}, "Of the 8 paired together Greta is number 1 and Larysa number 5."),
    ],
)
def test_every_table_of_every_format_says_why(
    client: Client, name: str, people: int, options: dict[str, Any], told: str
) -> None:
    row = event(name, people=people, **options)
    running.start(row.pk)
    reasons = why(client, row)
    tables = row.stages.get().rounds.get(number=1).pairings.count()
    assert len(reasons) == tables
    assert any(told in one for one in reasons), reasons


def test_a_bracket_has_one_numbering_everywhere(client: Client) -> None:
    row = event("single_elimination", people=8)
    running.start(row.pk)
    decide(row, 1)
    html = page(client, f"{row.get_absolute_url()}rounds/2/")
    assert re.findall(r'class="draw-place">(\d)', html) == ["5", "6"]
    assert "Winner of match 2" in words(html)
    assert "Winner of match 3 meets Winner of match 4." in why(client, row, 2)[1]
    sheet = page(client, f"{row.get_absolute_url()}rounds/2/?print")
    assert re.findall(r'class="sheet-number">(\d)<', sheet.partition("By name")[0]) == ["5", "6"]


def test_what_is_waited_for_has_the_number_that_the_bracket_gives_it(client: Client) -> None:
    row = event("single_elimination", people=8)
    running.start(row.pk)
    decide(row, 2)
    assert read_waits(row).awaited == ("3", "4", "5")


def test_a_swiss_says_where_both_stand_in_later_rounds(client: Client) -> None:
    row = event("swiss", people=8)
    running.start(row.pk)
    decide(row)
    reasons = why(client, row, 2)
    assert all("Of the 4 paired together" in one for one in reasons), reasons
    assert any("first against first" in one for one in reasons)


def test_who_comes_too_late_is_not_offered_a_form(client: Client) -> None:
    client.force_login(anna())
    closed, late = event("swiss", people=4), event("swiss", people=4, slug="late", late_until_round=2)
    for row in (closed, late):
        assert "Import players" in page(client, f"{row.get_absolute_url()}desk/")
        running.start(row.pk)
    html = page(client, f"{closed.get_absolute_url()}desk/")
    assert 'data-test="entries-closed"' in html
    assert not [one for one in ("Import players", "Enter somebody") if one in html]
    assert "Enter somebody late" in page(client, f"{late.get_absolute_url()}desk/")


def test_a_reason_that_is_asked_for_is_not_said_to_be_free(client: Client) -> None:
    client.force_login(anna())
    row = event("swiss", people=4, auto_draw=False)
    running.start(row.pk)
    drawn = row.stages.get().rounds.get()
    draws.begin_changes(drawn.pk)
    html = page(client, reverse("round-change", args=[row.slug, drawn.public_id]))
    assert "if you like" not in html.partition('name="reason"')[0].rpartition("<label")[2]
    assert "Save these tables" in html
