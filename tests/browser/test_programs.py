"""An author's whole way in a real browser: signing up, a program, a version, its page; in order at both widths."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from bots_api.challenges.services import challenge
from bots_api.models import BotVersion, Delivery, Presence, Qualification, QualificationCase, Webhook
from bots_api.services import add_version
from bots_api.webhooks.services import add
from matches.services.versions import house_agent, set_status
from tests.browser.conftest import OpenTab, Site
from tests.browser.test_pages import log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

SOON_MS = 20_000
LONG = '{"type":"decision","decision_id":"dec_' + "0" * 22 + '","legal":[' + '"play:9H",' * 60 + '"play:JH"]}'
ADDRESS = "https://a-name-that-is-long-and-cannot-be-broken.example.org:8443/debertz/decide-what-to-play"


def version(site: Site, label: str, url: str = "") -> BotVersion:
    return add_version(site.evening.bot, label, url)


@pytest.fixture(scope="module")
def addresses(site: Site, django_db_blocker) -> dict[str, str]:
    """One address for every kind of page of an author's, with long texts on it."""
    with django_db_blocker.unblock():
        plays, failed, waits = (
            version(site, "w" * 40, ADDRESS),
            version(site, "failed", ADDRESS),
            version(site, "waits"),
        )
        set_status(plays.agent_id, "active")
        plays.agent.refresh_from_db()
        fault = _fault(plays)
        _failed(failed)
        made = challenge(site.evening.bohdan, plays.agent, [house_agent("greedy@1")])
        hook = _hook(site)
        bot, own = f"/b/{site.evening.bot.public_id}/", f"/v/{plays.agent.public_id}/"
        return {
            "programs": "/bots/",
            "a new program": "/bots/new/",
            "own program": bot,
            "what is told of it": f"{bot}edit/",
            "a new version": f"{bot}versions/new/",
            "version": own,
            "faults": f"{own}?faults",
            "version that failed": f"/v/{failed.agent.public_id}/",
            "version that waits": f"/v/{waits.agent.public_id}/",
            "message": f"{own}messages/{fault.pk}/",
            "retiring": f"{own}retire/",
            "tokens": "/tokens/",
            "challenges": "/challenges/",
            "a new challenge": "/challenges/new/",
            "challenge": made.get_absolute_url(),
            "webhooks": "/webhooks/",
            "webhook": f"/webhooks/{hook.public_id}/",
        }


def _fault(version: BotVersion) -> Delivery:
    return Delivery.objects.create(
        agent=version.agent,
        message="decision",
        seq=7,
        message_id="dec_" + "0" * 22,
        outcome="malformed",
        detail="The answer is no JSON object.",
        status=200,
        note="n" * 200,
        request=LONG,
        reply="x" * 400,
        sent_at=datetime.now(UTC),
    )


def _failed(version: BotVersion) -> None:
    run = Qualification.objects.create(version=version, status="failed", finished_at=datetime.now(UTC))
    for number, (code, outcome) in enumerate([("ping", "passed"), ("decision", "failed"), ("nagle", "warned")], 1):
        QualificationCase.objects.create(
            qualification=run, number=number, code=code, outcome=outcome, detail="d" * 90, request=LONG, reply="r" * 300
        )


def _hook(site: Site) -> Webhook:
    hook, _ = add(site.evening.bohdan, ADDRESS, ["match.finished"])
    hook.deliveries.create(event="match.finished", subject="one", body=LONG, attempts=2, last_reply="y" * 300)
    return hook


@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
def test_every_page_of_an_author_is_in_order(
    open_tab: OpenTab, site: Site, addresses: dict[str, str], width: int, theme: str
) -> None:
    tab = open_tab(width, theme)
    log_in(tab, site, "bohdan")
    for kind, address in addresses.items():
        tab.page.goto(site.url + address)
        for summary in tab.page.locator("main details:not([open]) > summary").all()[::-1]:
            if summary.is_visible():
                summary.click()
        assert tab.sideways <= 0, kind
        assert tab.troubles == [], kind


@pytest.mark.django_db(transaction=True)
def test_from_nothing_to_a_version_that_plays(open_tab: OpenTab, site: Site) -> None:
    """The page follows by itself: the first connection, each case, the end of the qualification."""
    tab = open_tab(360)
    page, step = tab.page, tab.page.locator(".next-sentence")
    page.goto(f"{site.url}/")
    page.get_by_role("link", name="Sign up", exact=True).first.click()
    page.get_by_label("Username").fill("dmytro")
    page.get_by_label("Password", exact=True).fill("fourteen for the manela")
    page.get_by_label("Password confirmation").fill("fourteen for the manela")
    page.get_by_role("button", name="Make the account").click()
    page.get_by_label("Name").fill("Queen of clubs")
    page.get_by_role("button", name="Register it").click()
    page.get_by_label("Version").fill("v1")
    page.get_by_role("button", name="Make the version").click()
    expect(page.locator("[data-test=secret-once]")).to_contain_text("mnl_")
    page.get_by_role("link", name="It runs: go on").click()
    expect(step).to_contain_text("waits for its first connection")
    version = BotVersion.objects.latest("id")
    Presence.objects.create(agent=version.agent, seen_at=datetime.now(UTC) + timedelta(minutes=2))
    expect(step).to_contain_text("Start the qualification", timeout=SOON_MS)
    page.get_by_role("button", name="Start the qualification").click()
    expect(step).to_contain_text("is running")
    run = Qualification.objects.get(version=version)
    QualificationCase.objects.create(qualification=run, number=1, code="decision", outcome="passed")
    expect(page.locator(".case-passed")).to_contain_text("Answers a decision", timeout=SOON_MS)
    set_status(version.agent_id, "active")
    Qualification.objects.filter(pk=run.pk).update(status="passed", finished_at=datetime.now(UTC))
    expect(step).to_contain_text("nothing is due", timeout=SOON_MS)
    assert tab.troubles == []
