"""The pages on which a tournament is run, in a real browser: in order at both widths, and check-in by one touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenTab, Site
from tests.browser.test_pages import log_in
from tests.web.hall import decide, event
from tournaments.models import Tournament
from tournaments.services import draws, running

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture(scope="module")
def hall(site: Site, django_db_blocker) -> dict[str, Tournament]:
    """A Swiss whose first draw was taken back, groups with a bracket behind them, and a check-in."""
    with django_db_blocker.unblock():
        swiss = event(("swiss", {"settings": {"rounds": 3}}), slug="hall-swiss", people=5, auto_draw=False)
        running.start(swiss.pk)
        stage = swiss.stages.get()
        draws.take_back(stage.rounds.get().pk, "Two more came")
        draws.begin_changes(draws.propose(stage.pk).pk)
        cup = event(
            ("groups", {"settings": {"groups": 2}}),
            ("double_elimination", {"takes": {"of_each": 2}}),
            slug="hall-groups",
            people=8,
        )
        running.start(cup.pk)
        for _ in range(4):
            decide(cup)
        check_in = event(("swiss", {"settings": {"rounds": 3}}), slug="hall-check-in", people=4)
        running.open_check_in(check_in.pk)
        return {"swiss": swiss, "groups": cup, "check-in": check_in}


@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_of_the_desk_is_in_order(
    open_tab: OpenTab, site: Site, hall: dict[str, Tournament], width: int
) -> None:
    tab = open_tab(width, "dark" if width == 360 else "light")
    log_in(tab, site, "anna")
    swiss, groups = (hall[name].get_absolute_url() for name in ("swiss", "groups"))
    entry = hall["swiss"].entries.first().public_id
    drawn = hall["swiss"].stages.get().rounds.get(status="changing").public_id
    match = hall["groups"].stages.get(number=1).rounds.first().pairings.first().match.public_id
    for address in (
        *(
            f"{swiss}{page}"
            for page in ("desk/", "desk/log/", "stages/", "rounds/1/", "rounds/1/?print", "desk/import/")
        ),
        *(f"{swiss}desk/rounds/{drawn}/{page}/" for page in ("change", "time")),
        f"{swiss}desk/entries/{entry}/substitute/",
        *(f"{groups}{page}" for page in ("", "?stage=1", "rounds/", "stages/2/rounds/1/", "entries/", "desk/")),
        f"{groups}entries/{hall['groups'].entries.first().public_id}/?why=points&stage=1",
        f"{groups}desk/matches/{match}/",
        f"{hall['check-in'].get_absolute_url()}stages/new/double_elimination/",
    ):
        tab.page.goto(site.url + address)
        for summary in tab.page.locator("main details > summary").all():
            if summary.is_visible():
                summary.click()
        assert tab.troubles == [], address
        assert tab.sideways <= 0, address


def test_who_came_is_checked_in_by_one_touch_without_leaving_the_page(
    open_tab: OpenTab, site: Site, hall: dict[str, Tournament]
) -> None:
    tab = open_tab(360, touch=True)
    log_in(tab, site, "anna")
    tab.page.goto(f"{site.url}{hall['check-in'].get_absolute_url()}desk/")
    box = tab.page.get_by_role("button", name="Hanna is here")
    assert box.bounding_box()["height"] >= 44
    box.click()
    expect(box).to_have_attribute("aria-pressed", "true")
    assert tab.page.url.endswith("/desk/")
    assert [entry.name for entry in hall["check-in"].entries.filter(checked_in_at__isnull=False)] == ["Hanna"]
    assert tab.troubles == []
