"""The page of all tournaments, and what is a reader's own: there and on the front page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from tests.cast import anna, person
from tests.web.hall import decide, event
from tests.web.test_tournament_pages import page, words
from tournaments.models import Tournament
from tournaments.services import running
from tournaments.web.files import files_for
from tournaments.web.lists import SHOWN_A_PAGE, front_page

pytestmark = pytest.mark.django_db

SWISS = ("swiss", {"settings": {"rounds": 3}})


def test_every_tournament_is_behind_a_link_of_the_front_page(client: Client) -> None:
    for number in range(SHOWN_A_PAGE + 1):
        Tournament.objects.create(slug=f"cup-{number}", name=f"Cup {number}.", organiser=anna(), status="registration")
    assert 'href="/t/"' in page(client, "/")
    first, second = page(client, "/t/"), page(client, "/t/?page=2")
    assert f"Cup {SHOWN_A_PAGE}." in first
    assert "Cup 0." not in first
    assert "Cup 0." in second
    assert "Cup 7." in page(client, "/t/?q=p+7")


def test_the_list_is_narrowed_down_by_state(client: Client) -> None:
    at = timezone.now()
    begun = {"running": {"started_at": at}, "published": {"started_at": at, "finished_at": at}}
    for name, status in (("on", "running"), ("soon", "check_in"), ("over", "published"), ("draft", "draft")):
        times = begun.get(status, {})
        Tournament.objects.create(slug=name, name=f"Is {name}", organiser=anna(), status=status, **times)
    public = {"on", "soon", "over"}
    for state, shown in (("on", {"on"}), ("soon", {"soon"}), ("over", {"over"}), ("drafts", set()), ("x", public)):
        html = page(client, f"/t/?state={state}")
        assert {name for name in (*public, "draft") if f"Is {name}" in html} == shown, state
    client.force_login(anna())
    assert "Is draft" in page(client, "/t/?state=drafts")


@pytest.mark.parametrize("address", ["/", "/t/"])
def test_whoever_is_logged_in_finds_his_own_first(client: Client, address: str) -> None:
    bohdan = person("bohdan")
    Tournament.objects.create(slug="draft", name="Draft of a cup", organiser=anna())
    row = event(SWISS, people=4, owners=[bohdan])
    running.start(row.pk)
    assert 'data-test="yours"' not in page(client, address)
    client.force_login(bohdan)
    text = words(page(client, address))
    assert "Report the result of" in text
    assert "Greta" in text
    assert "You are entered" in text
    assert "Draft of a cup" not in text
    client.force_login(anna())
    text = words(page(client, address))
    assert "You organise" in text
    assert "Draft of a cup" in text
    assert "Report the result" not in text


def test_many_who_lead_are_counted_and_few_are_named(client: Client) -> None:
    row = event(SWISS, people=8)
    running.start(row.pk)
    decide(row)
    assert [card.led_by for card in front_page(anna())[0]] == ["4 lead with 1"]
    decide(row)
    assert front_page(anna())[0][0].led_by.startswith("led by ")


@pytest.mark.parametrize(
    ("plan", "has_trf"),
    [({}, True), ({"count": "score"}, False), ({"rules": "moscow/3@1"}, False), ({"win_points": 3}, False)],
)
def test_a_file_is_offered_where_there_is_one(plan: dict[str, object], has_trf: bool) -> None:
    row = Tournament.objects.create(slug="cup", name="Cup", organiser=anna(), **plan)
    row.status = "running"
    names = {name for name, _title in files_for(anna(), row)}
    assert ("tournament.trf" in names) is has_trf
    assert "standings.csv" in names
