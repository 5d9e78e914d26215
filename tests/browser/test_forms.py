"""The organisers' forms in a real browser: by clicks with the script, and the same without any."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from matches.models import Match, User
from matches.services.saved_rules import save_rules
from tests.browser.conftest import OpenTab, Site, Tab
from tests.browser.test_pages import THEMES, WIDTHS, log_in
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

SECONDS = 10_000


@pytest.fixture(scope="module", autouse=True)
def _organiser(site: Site, django_db_blocker) -> None:
    """An organiser with presets of her own, written outside the tests' transactions."""
    with django_db_blocker.unblock():
        olena = User.objects.create_superuser("olena", password="olena opens the door")
        save_rules(olena, "Thursday club", "klabor/pairs", {"first_lead": "eldest"})


@pytest.fixture
def tab(open_tab: OpenTab, site: Site) -> Tab:
    opened = open_tab()
    log_in(opened, site, "olena")
    return opened


def choose(page: Page, title: str) -> None:
    if not page.locator(".preset-choice").evaluate("box => box.open"):
        page.locator(".preset-choice > summary").click()
    page.get_by_role("radio", name=title, exact=True).check()


def option(page: Page, name: str):
    """The control of an option, with its group unfolded."""
    control = page.locator(f"#option-{name}")
    group = page.locator("[data-rules-group]", has=control)
    if group.count() and not group.evaluate("box => box.open"):
        group.locator("summary").click()
    return control


def chosen_line(control) -> str:
    return control.locator("label.rule-line", has=control.page.locator("input:checked")).inner_text()


def test_labels_follow_the_preset_at_once(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/t/new/")
    expect(page.locator("[data-show-options]")).to_have_count(0)
    lead = option(page, "first_lead")
    assert "dealer's left leads" in chosen_line(lead)
    expect(lead.locator("[data-key=eldest]")).to_be_hidden()
    choose(page, "Klabor, four players in pairs")
    assert "The maker" in chosen_line(lead)
    expect(lead.locator("[data-key=eldest]")).to_be_visible()
    expect(page.locator("#option-offer")).to_be_hidden()
    expect(option(page, "overtrump_partner")).to_be_visible()
    expect(option(page, "upcard").locator("[data-key=table]")).to_be_hidden()
    expect(page.locator("[data-preset-title]")).to_have_text("Klabor, four players in pairs")
    assert tab.troubles == []


def test_what_is_changed_is_marked_and_counted(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/t/new/")
    status = page.locator("[data-rules-status]")
    expect(status).to_have_text("All is as the preset has it.")
    option(page, "hundred").locator("input[value='6']").check()
    expect(status).to_have_text("One option is changed from the preset.")
    target = option(page, "target")
    target.locator("input[type=number]").fill("301")
    expect(target.locator("input[value=number]")).to_be_checked()
    expect(status).to_have_text("2 options are changed from the preset.")
    expect(target.locator(".rule-mark")).to_be_visible()
    target.get_by_role("radio", name="As the preset has it").check()
    expect(target.locator("input[type=number]")).to_have_value("")
    expect(status).to_have_text("One option is changed from the preset.")


def test_what_a_table_does_not_know_steps_aside_and_comes_back(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/t/new/")
    option(page, "offer").locator("input[value=fifty]").check()
    choose(page, "Moscow, three players")
    expect(page.locator("#option-offer")).to_be_hidden()
    expect(page.locator("[data-left-out]")).to_contain_text("Offer of fifty")
    choose(page, "Moscow, two players")
    expect(page.locator("#option-offer input[value=fifty]")).to_be_checked()
    expect(page.locator("[data-left-out]")).to_be_hidden()


def test_a_rule_is_found_by_its_words(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/t/new/")
    find = page.get_by_label("Find a rule")
    find.fill("Bella")
    expect(page.locator("#option-bella_when")).to_be_visible()
    expect(page.locator("#option-target")).to_be_hidden()
    find.press("Enter")
    assert page.url.endswith("/t/new/")
    find.fill("")
    expect(page.locator("[data-rules-group]:visible")).to_have_count(10)


def test_a_tournament_is_drawn_up_refused_mended_and_changed(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/t/new/")
    page.get_by_label("Name", exact=True).fill("Browser cup")
    choose(page, "FPClub, two players")
    option(page, "short").locator("input[value=plain]").check()
    page.get_by_role("button", name="Draw it up").click()
    expect(page.locator("#option-short .rule-error")).to_contain_text("no jackpot")
    expect(page.locator("#option-short input[value=plain]")).to_be_checked()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Browser cup")
    option(page, "jackpot").locator("input[value=off]").check()
    page.get_by_role("button", name="Draw it up").click()
    expect(page.locator("h1")).to_contain_text("Browser cup")
    page.goto(f"{site.url}/t/browser-cup/edit/")
    expect(page.locator(".rules-changed .rule-option")).to_have_count(2)
    page.locator("#option-short input[value='']").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("h1")).to_contain_text("Browser cup")
    page.goto(f"{site.url}/t/browser-cup/edit/")
    expect(page.locator(".rules-changed .rule-option")).to_have_count(1)
    assert tab.troubles == []


def test_a_match_is_made_with_ones_own_preset(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/m/new/")
    expect(page.locator("#id_seat_3")).to_be_hidden()
    choose(page, "Thursday club")
    expect(page.locator("#id_seat_3")).to_be_visible()
    assert "dealer's left leads" in chosen_line(option(page, "first_lead"))
    for number in (1, 2, 3, 4):
        page.locator(f"#id_seat_{number}").select_option(index=1 + number % 2)
    page.get_by_label("Title").fill("Two pairs")
    page.get_by_role("button", name="Make the match").click()
    expect(page).to_have_url(re.compile("/m/m_"))
    assert tab.troubles == []


def test_enter_in_a_field_saves_and_shows_no_options(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/t/new/")
    page.get_by_label("Name", exact=True).fill("By the Enter key")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("By the Enter key")


def test_it_goes_without_a_script(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(java_script_enabled=False)
    context.set_default_timeout(SECONDS)
    page = context.new_page()
    page.goto(f"{site.url}/login/")
    page.get_by_label("Username").fill("olena")
    page.get_by_label("Password").fill("olena opens the door")
    page.get_by_role("button", name="Log in").click()
    page.goto(f"{site.url}/t/new/")
    page.get_by_label("Name", exact=True).fill("Without a script")
    page.locator(".preset-choice > summary").click()
    page.get_by_role("radio", name="Klabor, three players").check()
    page.get_by_role("button", name="Show its options").click()
    expect(page.locator(".preset-now strong")).to_have_text("Klabor, three players")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Without a script")
    page.locator("[data-rules-group]", has_text="First lead").locator("summary").click()
    page.locator("#option-first_lead input[value=eldest]").check()
    page.get_by_role("button", name="Draw it up").click()
    expect(page.locator("h1")).to_contain_text("Without a script")
    context.close()


def test_on_the_desk_the_labels_follow_too(tab: Tab, site: Site) -> None:
    page = tab.page
    page.goto(f"{site.url}/admin/tournaments/tournament/add/")
    page.fill("#id_name", "Desk cup")
    choose(page, "Klabor, four players in pairs")
    assert "The maker" in chosen_line(option(page, "first_lead"))
    option(page, "first_lead").locator("input[value=eldest]").check()
    page.click("input[name=_continue]")
    expect(page.locator(".rules-changed #option-first_lead input[value=eldest]")).to_be_checked()
    expect(page.locator("[data-preset-title]")).to_have_text("Klabor, four players in pairs")
    page.goto(f"{site.url}/admin/matches/match/add/")
    expect(page.locator("#id_seat_3")).to_be_hidden()
    choose(page, "House, three players")
    expect(page.locator("#id_seat_3")).to_be_visible()
    expect(page.locator("#id_seat_4")).to_be_hidden()
    assert tab.troubles == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_of_rules_and_forms_is_in_order(open_tab: OpenTab, site: Site, width: int, theme: str) -> None:
    tab = open_tab(width, theme)
    log_in(tab, site, "olena")
    for address in (
        "/rules/",
        "/rules/moscow/2/",
        "/rules/klabor/pairs/?diff=short_dava/2",
        "/rules/mine/",
        "/rules/mine/new/",
        "/t/new/",
        f"/t/{site.evening.draft.slug}/edit/",
        "/m/new/",
        "/admin/tournaments/tournament/add/",
        "/admin/matches/match/add/",
    ):
        tab.page.goto(site.url + address)
        tab.page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        assert tab.troubles == [], address
        assert tab.sideways <= 0, address


def test_what_the_clicks_made_is_there(site: Site, django_db_blocker) -> None:
    with django_db_blocker.unblock():
        assert Tournament.objects.get(slug="browser-cup").overrides == {"jackpot": "off"}
        assert Tournament.objects.get(slug="without-a-script").overrides == {"first_lead": "eldest"}
        assert Tournament.objects.get(slug="desk-cup").rules == "klabor/pairs@1"
        assert Match.objects.get(title="Two pairs").overrides["first_lead"] == "eldest"
