"""Two people with phones say how their match ended; there is no script, and thumbs are wide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from matches.core.plan import Length
from matches.models import User
from tests.browser.conftest import OpenTab, Site, Tab
from tests.browser.test_pages import log_in
from tests.cast import person
from tests.matches.people import at_a_table

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
THUMB = 44
"""As many pixels as a target of a finger has at the least."""


@dataclass(frozen=True, slots=True)
class AtTables:
    """Addresses of matches between Stepan and Taras, the last at a table of four with names that are long."""

    agreed: str
    disputed: str
    points: str
    four: str


@pytest.fixture(scope="module")
def tables(site: Site, django_db_blocker) -> AtTables:
    with django_db_blocker.unblock():
        for name in ("stepan", "taras"):
            person(name)
        User.objects.create_superuser("uliana", password="uliana opens the door")
        names = ("stepan", "taras", "oleksandr-of-the-long-name-beyond-the-river", "x" * 60)
        return AtTables(
            at_a_table("stepan", "taras").get_absolute_url(),
            at_a_table("stepan", "taras").get_absolute_url(),
            at_a_table("stepan", "taras", length=Length.BOARDS, deals=4).get_absolute_url(),
            at_a_table(*names, rules="klabor/4", length=Length.PARTIES).get_absolute_url(),
        )


@pytest.fixture
def phone(chromium: Browser, site: Site) -> Iterator:
    """Opens a phone on which somebody is logged in and no script runs."""
    contexts = []

    def opened(name: str) -> Tab:
        context = chromium.new_context(
            viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, java_script_enabled=False
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        tab = Tab(context.new_page())
        log_in(tab, site, name)
        return tab

    yield opened
    for context in contexts:
        context.close()


def type_score(page: Page, *points: int) -> None:
    for side, number in enumerate(points):
        page.locator(f"[name=points_{side}]:visible").fill(str(number))


def test_one_reports_and_the_other_confirms(phone, site: Site, tables: AtTables) -> None:
    stepan, taras = phone("stepan"), phone("taras")
    stepan.page.goto(site.url + tables.agreed)
    type_score(stepan.page, 2, 1)
    stepan.page.get_by_role("button", name="Report").click()
    expect(stepan.page.locator("[data-test=told]")).to_contain_text("reported 2 : 1")
    taras.page.goto(site.url + tables.agreed)
    assert taras.sideways <= 0
    taras.page.get_by_role("button", name="Confirm").click()
    expect(taras.page.locator("[data-test=told]")).to_contain_text("confirmed by Taras")
    expect(taras.page.locator("[data-test=result] .duel-points").first).to_contain_text("2")


def test_the_other_says_that_it_was_not_so_and_an_organiser_rules(phone, site: Site, tables: AtTables) -> None:
    stepan, taras, uliana = phone("stepan"), phone("taras"), phone("uliana")
    stepan.page.goto(site.url + tables.disputed)
    type_score(stepan.page, 2, 1)
    stepan.page.get_by_role("button", name="Report").click()
    taras.page.goto(site.url + tables.disputed)
    taras.page.get_by_text("That is not what happened").click()
    type_score(taras.page, 2, 2)
    taras.page.get_by_role("button", name="Report").click()
    expect(taras.page.locator(".errorlist").first).to_contain_text("2:2 is level")
    type_score(taras.page, 1, 2)
    taras.page.get_by_role("button", name="Report").click()
    expect(taras.page.locator("[data-test=told]")).to_contain_text("different scores")
    uliana.page.goto(site.url + tables.disputed)
    assert uliana.sideways <= 0
    uliana.page.locator("[name=rule-points_0]").fill("1")
    uliana.page.locator("[name=rule-points_1]").fill("2")
    uliana.page.locator("[name=rule-reason]").fill("the sheet says so")
    uliana.page.get_by_role("button", name="This is the result").click()
    expect(uliana.page.locator("[data-test=told]")).to_contain_text("by the organiser's word")
    expect(uliana.page.locator("[data-test=versions] li")).to_have_count(3)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_pages_of_people_are_in_order(open_tab: OpenTab, site: Site, tables: AtTables, width: int, theme: str) -> None:
    tab = open_tab(width, theme)
    log_in(tab, site, "stepan")
    for address in (tables.points, tables.four):
        tab.page.goto(site.url + address)
        assert tab.sideways <= 0
        small = [
            box
            for control in tab.page.locator("#score input:visible:not([type=checkbox]), #score button:visible").all()
            if (box := control.bounding_box()) and box["height"] < THUMB
        ]
        assert small == []
    assert tab.troubles == []
