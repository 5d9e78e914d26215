"""Every kind of page in a real browser: nothing on the console, no violation of the policy, nothing sideways."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenTab, Site, Tab

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

WIDTHS = (360, 1280)
THEMES = ("light", "dark")


def addresses(site: Site) -> dict[str, str]:
    """One address for every kind of page that needs no login."""
    evening = site.evening
    cup, league = evening.cup.get_absolute_url(), evening.league.get_absolute_url()
    clean, faulty = evening.clean.get_absolute_url(), evening.faulty.get_absolute_url()
    return {
        "front page": "/",
        "finished tournament": cup,
        "running tournament": league,
        "rounds": f"{cup}rounds/",
        "rounds to come": f"{league}rounds/",
        "published standings": f"{cup}standings/1/",
        "match": clean,
        "match with faults": faulty,
        "match to come": evening.unplayed.get_absolute_url(),
        "replay": f"{clean}parties/1/",
        "replay of a forfeit": f"{faulty}parties/1/",
        "program": f"/b/{evening.bot.public_id}/",
        "player": f"/p/{evening.clean.seats.first().agent.player.public_id}/",
        "longest names": evening.wide.get_absolute_url(),
        "rounds of the longest names": f"{evening.wide.get_absolute_url()}rounds/",
        "match of the longest names": evening.widest.get_absolute_url(),
        "replay of the longest names": f"{evening.widest.get_absolute_url()}parties/1/#1.12",
        "player with the longest name": f"/p/{evening.widest.seats.first().agent.player.public_id}/",
        "login": "/login/",
        "API": "/api/v1/",
    }


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_is_in_order(open_tab: OpenTab, site: Site, width: int, theme: str) -> None:
    tab = open_tab(width, theme)
    for kind, address in addresses(site).items():
        tab.page.goto(site.url + address, wait_until="networkidle" if kind == "API" else "load")
        assert tab.troubles == [], kind
        assert tab.sideways <= 0, kind


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_of_errors_are_in_order(open_tab: OpenTab, site: Site, width: int) -> None:
    tab = open_tab(width)
    party = f"{site.evening.unplayed.get_absolute_url()}parties/1/"
    for address, status in {"/nowhere": 404, party: 409}.items():
        tab.page.goto(site.url + address)
        assert tab.sideways <= 0, address
        # The browser itself reports the status of the page; nothing else may stand there.
        assert [trouble for trouble in tab.troubles if f"status of {status}" not in trouble] == []
        tab.troubles.clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_owners_log_is_in_order(open_tab: OpenTab, site: Site, width: int) -> None:
    tab = open_tab(width)
    log_in(tab, site, "bohdan")
    tab.page.get_by_role("link", name="Absent-minded").click()
    tab.page.get_by_role("link", name="v1", exact=True).click()
    tab.page.locator('[data-test="delivery-log"]').wait_for()
    for summary in tab.page.locator("details > summary").all():
        summary.click()
    assert tab.sideways <= 0
    tab.page.get_by_role("link", name="Faults alone").click()
    assert tab.page.locator(".log-fault").count() > 0
    tab.page.get_by_role("button", name="Log out").click()
    tab.page.get_by_role("link", name="Log in").wait_for()
    assert tab.troubles == []


def log_in(tab: Tab, site: Site, name: str) -> None:
    tab.page.goto(f"{site.url}/login/")
    tab.page.get_by_label("Username").fill(name)
    tab.page.get_by_label("Password").fill(f"{name} opens the door")
    tab.page.get_by_role("button", name="Log in").click()
    tab.page.wait_for_url(f"{site.url}/")


def test_the_chosen_theme_is_kept(open_tab: OpenTab, site: Site) -> None:
    tab = open_tab(theme="light")
    tab.page.goto(site.url)
    assert paper(tab) == "rgb(245, 241, 230)"
    toggle = tab.page.get_by_role("button", name="Dark theme")
    toggle.click()
    assert toggle.get_attribute("aria-pressed") == "true"
    tab.page.goto(f"{site.url}/login/")
    assert paper(tab) == "rgb(16, 24, 20)"
    assert tab.page.get_by_role("button", name="Dark theme").get_attribute("aria-pressed") == "true"


def paper(tab: Tab) -> str:
    return tab.page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_a_place_explains_itself(open_tab: OpenTab, site: Site) -> None:
    tab = open_tab(360)
    tab.page.goto(site.url + site.evening.cup.get_absolute_url())
    trail = tab.page.locator('[data-test="trail"]').last
    assert not trail.is_visible()
    tab.page.locator(".points .why").last.click()
    assert trail.is_visible()
    assert "the place is decided" in trail.inner_text()
    tab.page.keyboard.press("Escape")
    assert not trail.is_visible()


def test_everything_can_be_reached_by_keyboard(open_tab: OpenTab, site: Site) -> None:
    tab = open_tab()
    tab.page.goto(site.url + site.evening.cup.get_absolute_url())
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.className") == "skip"
    tab.page.keyboard.press("Enter")
    assert tab.page.evaluate("document.activeElement.id") == "main"
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate(outline) == "solid"
