"""The organiser's desk in a real browser: a tournament from nothing to published standings by clicks alone."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from matches.lane import drive
from matches.models import User
from matches.services.outbox import deliver_due
from tests.browser.conftest import OpenTab, Site, Tab

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

PASSWORD = "Anna opens the desk"


@pytest.fixture(scope="module", autouse=True)
def _organiser(site: Site, django_db_blocker) -> None:
    """An organiser who can log in: written outside the tests' transactions, where the site's threads see her."""
    with django_db_blocker.unblock():
        User.objects.create_superuser("olena", password=PASSWORD)


def log_in(tab: Tab, site: Site) -> None:
    tab.page.goto(f"{site.url}/admin/")
    tab.page.fill("#id_username", "olena")
    tab.page.fill("#id_password", PASSWORD)
    tab.page.click("input[type=submit]")
    expect(tab.page.locator("#user-tools")).to_contain_text("olena", ignore_case=True)


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def play_whatever_is_due() -> None:
    """In another thread: Playwright's loop runs in this one."""

    def work() -> None:
        try:
            drive(slots=8, seconds=60)
            deliver_due()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def test_an_organiser_runs_a_tournament_by_clicks_alone(open_tab: OpenTab, site: Site) -> None:
    tab = open_tab()
    page = tab.page
    log_in(tab, site)
    page.locator(".model-tournament .addlink").click()
    page.fill("#id_name", "Clicked cup")
    page.fill("#id_boards", "1")
    page.fill("#id_deals", "1")
    page.locator("#id_auto_publish").uncheck()
    expect(page.locator("#id_slug")).to_have_value("clicked-cup")
    page.click("input[name=_continue]")
    press(page, "Open registration")
    page.get_by_role("link", name="Enter players").click()
    for box in page.locator("input[name=players]").all()[:3]:
        box.check()
    page.click("input[type=submit]")
    expect(page.locator(".messagelist")).to_contain_text("3 entered")
    press(page, "Start")
    press(page, "Pause")
    expect(page.locator(".messagelist")).to_contain_text("Pause")
    press(page, "Go on")
    play_whatever_is_due()
    page.reload()
    press(page, "Publish the standings")
    expect(page.locator(".messagelist")).to_contain_text("Publish")
    page.get_by_role("link", name="View on site").click()
    expect(page.locator("h1")).to_contain_text("Clicked cup")
    expect(page.locator("body")).to_contain_text(re.compile("final|published", re.IGNORECASE))
    assert tab.troubles == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_kind_of_desk_page_is_in_order(open_tab: OpenTab, site: Site, width: int, theme: str) -> None:
    tab = open_tab(width, theme)
    log_in(tab, site)
    evening = site.evening
    for address in (
        "",
        "tournaments/tournament/",
        "tournaments/tournament/add/",
        f"tournaments/tournament/{evening.cup.pk}/change/",
        f"tournaments/tournament/{evening.league.pk}/change/",
        "tournaments/standingssnapshot/",
        "matches/match/",
        f"matches/match/{evening.clean.pk}/change/",
        "matches/player/",
        "matches/outbox/",
        "bots_api/bot/add/",
        "bots_api/botversion/add/",
    ):
        tab.page.goto(f"{site.url}/admin/{address}")
        assert tab.page.title(), address
        assert tab.troubles == [], address
        assert tab.sideways <= 0, address
