"""A replay in a real browser: by clicks, keys, taps and links, to the last card and the record's totals."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.steps import steps
from matches.models import Party
from tests.browser.conftest import OpenTab, Site, Tab

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


def party_of(site: Site) -> Party:
    return site.evening.clean.parties.get(number=1)


def open_replay(tab: Tab, site: Site, party: Party, at: str = "") -> None:
    tab.page.goto(f"{site.url}{party.match.get_absolute_url()}parties/{party.number}/{at}")
    tab.page.locator('[data-test="table"]').wait_for()


def position(tab: Tab) -> str:
    return tab.page.locator('[data-test="position"]').inner_text()


def totals(tab: Tab) -> list[int]:
    return [int(output.inner_text()) for output in tab.page.locator('[data-test="totals"]').all()]


def cards_in_hand(tab: Tab, seat: int) -> set[str]:
    return {card.get_attribute("data-card") for card in tab.page.locator(f'[data-seat="{seat}"] [data-card]').all()}


@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
def test_clicks_lead_to_the_last_card_and_the_records_totals(
    open_tab: OpenTab, site: Site, width: int, theme: str
) -> None:
    tab, party = open_tab(width, theme), party_of(site)
    walked = steps(party.record)
    open_replay(tab, site, party)
    forward = tab.page.locator('[data-test="next"]')
    for number in range(1, len(walked)):
        forward.click()
        assert position(tab) == f"{number + 1} / {len(walked)}"
        assert tab.sideways <= 0
    assert forward.is_disabled()
    assert totals(tab) == party.record["result"]["totals"]
    ending = tab.page.locator('[data-test="ending"]')
    assert ending.is_visible()
    assert " : ".join(map(str, party.totals)) in ending.inner_text()
    assert tab.troubles == []


def test_the_table_shows_what_the_record_says(open_tab: OpenTab, site: Site) -> None:
    tab, party = open_tab(), party_of(site)
    open_replay(tab, site, party)
    for step in steps(party.record):
        assert [cards_in_hand(tab, seat) for seat in (0, 1)] == [set(hand) for hand in step.hands]
        trick = [card.get_attribute("data-card") for card in tab.page.locator("[data-trick] [data-card]").all()]
        assert trick == [card for _, card in step.trick]
        tab.page.keyboard.press("ArrowRight")


def test_the_longest_names_never_push_the_page_sideways(open_tab: OpenTab, site: Site) -> None:
    tab, match = open_tab(360), site.evening.widest
    for party in match.parties.all():
        open_replay(tab, site, party)
        for number in range(len(steps(party.record))):
            assert tab.sideways <= 0, number
            tab.page.keyboard.press("ArrowRight")


def test_all_hands_are_face_up_and_fit(open_tab: OpenTab, site: Site) -> None:
    tab, party = open_tab(360), party_of(site)
    walked = steps(party.record)
    full = next(index for index, step in enumerate(walked) if len(step.hands[0]) == 9)
    open_replay(tab, site, party, f"#1.{full}")
    table = tab.page.locator('[data-test="table"]').bounding_box()
    boxes = [card.bounding_box() for card in tab.page.locator("[data-hand] [data-card]").all()]
    assert len(boxes) == 18
    assert all(table["x"] <= box["x"] and box["x"] + box["width"] <= table["x"] + table["width"] for box in boxes)
    corner = min(right["x"] - left["x"] for left, right in pairwise(boxes[:9]))
    assert corner >= 24  # rank and suit of every card can be read


def test_keys_links_and_the_slider(open_tab: OpenTab, site: Site) -> None:
    tab, party = open_tab(), party_of(site)
    count = len(steps(party.record))
    open_replay(tab, site, party, "#2.1")
    assert tab.page.url.endswith("#2.1")
    second_deal = int(position(tab).split(" / ")[0])
    assert second_deal > 15
    tab.page.keyboard.press("ArrowLeft")
    assert position(tab) == f"{second_deal - 1} / {count}"
    assert tab.page.url.endswith("#2.0")
    tab.page.keyboard.press("End")
    assert position(tab) == f"{count} / {count}"
    tab.page.keyboard.press("Home")
    assert position(tab) == f"1 / {count}"
    tab.page.locator('[data-test="slider"]').fill("7")
    assert position(tab) == f"8 / {count}"
    tab.page.locator('[data-test="step"] a').nth(3).click()
    assert position(tab) == f"4 / {count}"
    tab.page.get_by_role("link", name="Deal 2").click()
    assert tab.page.url.endswith("#2.0")
    assert tab.troubles == []


def test_halves_of_the_table_can_be_tapped(open_tab: OpenTab, site: Site) -> None:
    tab, party = open_tab(360, touch=True), party_of(site)
    open_replay(tab, site, party)
    table = tab.page.locator('[data-test="table"]')
    box = table.bounding_box()
    right, left = {"x": box["width"] * 0.8, "y": 120}, {"x": box["width"] * 0.2, "y": 120}
    table.tap(position=right)
    table.tap(position=right)
    assert position(tab).startswith("3 / ")
    table.tap(position=left)
    assert position(tab).startswith("2 / ")


def test_it_plays_by_itself_and_stops_at_the_end(open_tab: OpenTab, site: Site) -> None:
    tab, party = open_tab(), party_of(site)
    count = len(steps(party.record))
    open_replay(tab, site, party)
    tab.page.clock.install()
    open_replay(tab, site, party)
    tab.page.locator('[data-test="play"]').click()
    tab.page.clock.run_for(3_000)
    assert position(tab) == f"4 / {count}"
    tab.page.clock.run_for(1_000 * count)
    assert position(tab) == f"{count} / {count}"
    assert tab.page.locator('[data-test="play"]').get_attribute("aria-pressed") == "false"
