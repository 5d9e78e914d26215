"""Tables of three, of four and of pairs in a real browser: every seat at its place, on a phone too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from pytest_django.live_server_helper import LiveServer

from engine.steps import StepKind, steps
from matches.models import Party
from tests.browser.conftest import OpenTab, Tab
from tests.browser.test_replay import cards_in_hand, position, totals
from tests.quicker import empty_tables
from tests.web.tables import Tables, hold_tables, matches_of, party_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

PHONE, DESK = 360, 1280
LARGE = ("three", "four", "pairs")
SHOWN = ", ".join(
    f"{place}:visible"
    for place in ("[data-hand] > span", ".seat-south [data-card]", ".trick-card", ".pack [data-card]")
)
"""What of the cards can be seen: in a row that two hands share on a phone, their corners alone."""


class TablesSite:
    """Where the pages are, and the events on them."""

    def __init__(self, url: str, tables: Tables) -> None:
        self.url, self.tables = url, tables


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker, broker_urls: dict[str, str]) -> Iterator[TablesSite]:
    """In place of the evening of the other modules; the browser opens after it is held."""
    with django_db_blocker.unblock():
        tables = hold_tables()
        server = LiveServer("localhost")
        try:
            yield TablesSite(server.url, tables)
        finally:
            server.stop()
            empty_tables()


def open_replay(tab: Tab, site: TablesSite, party: Party, at: str = "") -> None:
    tab.page.goto(f"{site.url}{party.match.get_absolute_url()}parties/{party.number}/{at}")
    tab.page.locator('[data-test="table"]').wait_for()


@pytest.mark.parametrize(("width", "theme"), [(PHONE, "dark"), (DESK, "light")])
def test_every_page_of_every_table_is_in_order(open_tab: OpenTab, site: TablesSite, width: int, theme: str) -> None:
    tab = open_tab(width, theme)
    for kind, event in site.tables.all.items():
        match = matches_of(event).first()
        address = event.get_absolute_url()
        player = match.seats.first().agent.player.public_id
        for path in (address, f"{address}rounds/", f"{address}standings/1/", match.get_absolute_url(), f"/p/{player}/"):
            tab.page.goto(site.url + path)
            assert tab.troubles == [], (kind, path)
            assert tab.sideways <= 0, (kind, path)


@pytest.mark.parametrize(("width", "theme"), [(PHONE, "light"), (DESK, "dark")])
@pytest.mark.parametrize("kind", LARGE)
def test_keys_lead_to_the_last_card_and_nothing_moves(
    open_tab: OpenTab, site: TablesSite, kind: str, width: int, theme: str
) -> None:
    tab, party = open_tab(width, theme), party_of(site.tables.all[kind])
    walked = steps(party.record)
    open_replay(tab, site, party)
    first_deal = [step for step in walked if step.deal == 0]
    heights = set()
    for number, step in enumerate(first_deal):
        assert position(tab) == f"{number + 1} / {len(walked)}"
        assert tab.sideways <= 0
        heights.add(round(tab.page.locator('[data-test="table"]').bounding_box()["height"]))
        for seat, hand in enumerate(step.hands):
            assert cards_in_hand(tab, seat) == set(hand)
        tab.page.keyboard.press("ArrowRight")
    assert max(heights) - min(heights) <= 1, "the buttons must stay where they are"
    tab.page.keyboard.press("End")
    assert totals(tab) == [party.totals[side] for side in range(len(party.totals))]
    assert tab.page.locator('[data-test="ending"]').is_visible()
    assert tab.troubles == []


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("kind", LARGE)
def test_seats_lie_around_the_table_and_over_nobody(open_tab: OpenTab, site: TablesSite, kind: str, width: int) -> None:
    tab, party = open_tab(width), party_of(site.tables.all[kind])
    walked = steps(party.record)
    open_replay(tab, site, party)
    fullest = max(len(hand) for step in walked for hand in step.hands)
    full = next(step for step in walked if min(len(hand) for hand in step.hands) == fullest)
    trick = next(step for step in walked if len(step.trick) == len(full.hands))
    for step in (walked[0], walked[2], full, trick, walked[-1]):
        tab.page.locator('[data-test="slider"]').fill(str(walked.index(step)))
        parts = tab.page.locator('[data-test="table"] > *').all()
        boxes = [part.bounding_box() for part in parts]
        for one, other in combinations(boxes, 2):
            assert not overlap(one, other), (kind, width, step.action)
        table = tab.page.locator('[data-test="table"]').bounding_box()
        cards = [card.bounding_box() for card in tab.page.locator(SHOWN).all()]
        assert all(table["x"] <= box["x"] and box["x"] + box["width"] <= table["x"] + table["width"] for box in cards)


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes share more than an edge."""
    wide = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    high = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return wide > 1 and high > 1


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_partners_sit_opposite(open_tab: OpenTab, site: TablesSite, width: int) -> None:
    tab = open_tab(width)
    open_replay(tab, site, party_of(site.tables.pairs))
    south, west, north, east = (tab.page.locator(f'[data-seat="{seat}"]').bounding_box() for seat in range(4))
    assert north["y"] < west["y"] < south["y"]
    assert abs(west["y"] - east["y"]) <= 1
    assert west["x"] + west["width"] <= east["x"]


def test_a_chip_tells_its_clause_by_keyboard(open_tab: OpenTab, site: TablesSite) -> None:
    tab, party = open_tab(PHONE), party_of(site.tables.pairs)
    open_replay(tab, site, party, "#1.1")
    chip = tab.page.locator("#said button.clause").first
    assert chip.inner_text() == "R16"
    told = tab.page.locator("#clause-R16")
    assert not told.is_visible()
    chip.focus()
    tab.page.keyboard.press("Enter")
    assert told.is_visible()
    assert "the upcard's suit may be taken" in told.inner_text()
    assert tab.sideways <= 0
    tab.page.keyboard.press("Escape")
    assert not told.is_visible()
    assert position(tab).startswith("2 / ")
    assert tab.troubles == []


def test_bidding_and_sheet_grow_with_the_party(open_tab: OpenTab, site: TablesSite) -> None:
    tab, party = open_tab(), party_of(site.tables.four)
    walked = steps(party.record)
    scores = [index for index, step in enumerate(walked) if step.kind is StepKind.SCORE]
    open_replay(tab, site, party)
    bids, paper = tab.page.locator("[data-felt-bids] td:not(:empty)"), tab.page.locator("[data-felt-paper]")
    lines = tab.page.locator("[data-sheet-index]:visible")
    assert (bids.count(), lines.count(), paper.is_visible()) == (0, 0, False)
    tab.page.keyboard.press("ArrowRight")
    assert bids.count() == 1
    for number, index in enumerate(scores, start=1):
        tab.page.locator('[data-test="slider"]').fill(str(index))
        assert lines.count() == number
        assert paper.is_visible()
        shown = paper.locator("td:last-child").all_inner_texts()
        assert [int(total.replace("−", "-")) for total in shown] == list(walked[index].totals)


def test_the_stake_is_on_the_table(open_tab: OpenTab, site: TablesSite) -> None:
    tab, party = open_tab(PHONE), party_of(site.tables.short)
    open_replay(tab, site, party)
    assert tab.page.locator('[data-test="stake"]').inner_text() == "1"
    tab.page.keyboard.press("End")
    tab.page.keyboard.press("ArrowLeft")
    raised = 1 + sum(step.action == "accept" for step in steps(party.record))
    assert tab.page.locator('[data-test="stake"]').inner_text() == str(raised)
    assert tab.sideways <= 0
