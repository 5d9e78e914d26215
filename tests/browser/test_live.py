"""The live part of the standings page: it follows the play, disturbs nobody, and stops."""

from __future__ import annotations

import pytest

from matches.services.desk import void_match
from tests.browser.conftest import OpenTab, Site
from tournaments.services import results, running

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_page_follows_the_tournament_until_it_is_over(open_tab: OpenTab, site: Site) -> None:
    tab = open_tab()
    asked: list[int] = []
    tab.page.on("response", lambda response: asked.append(response.status) if "/live/" in response.url else None)
    tab.page.clock.install()
    tab.page.goto(site.url + site.evening.league.get_absolute_url())
    follow(tab)
    follow(tab)
    assert asked[:2] == [200, 304]
    running.pause(site.evening.league.pk)
    follow(tab)
    tab.page.locator(".idle-paused").wait_for()
    assert tab.page.locator("#status").inner_text() == "paused"
    void_match(site.evening.unplayed.pk, "the league was never played")
    results.settle(site.evening.league.pk)
    follow(tab)
    assert tab.page.locator("#status").inner_text() == "final"
    assert asked[-1] == 286
    count = len(asked)
    tab.page.clock.run_for(30_000)
    assert len(asked) == count
    assert tab.troubles == []


def follow(tab) -> None:
    """Lets the page's own clock come to its next question, and waits for the answer."""
    with tab.page.expect_response(lambda response: "/live/" in response.url) as answer:
        tab.page.clock.run_for(3_100)
    answer.value.finished()
    tab.page.wait_for_timeout(200)
