"""The pages of a tournament: what they show in each state, to whom, and what they cost."""

from __future__ import annotations

import re
import time
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import Match
from matches.services.desk import hold_matches, void_match
from tests.cast import tournament
from tests.web.evening import Evening
from tournaments.models import Tournament
from tournaments.services import entries, publishing, results, running
from tournaments.web.lists import front_page

pytestmark = pytest.mark.django_db


def page(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return response.content.decode()


def words(html: str) -> str:
    """The text of a page, without tags and runs of spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def idle(client: Client, of: Tournament) -> str:
    found = re.search(r'data-test="idle">([^<]+)<', page(client, of.get_absolute_url()))
    return found[1] if found else ""


def matches_of(of: Tournament):
    return Match.objects.filter(pairing__round__stage__tournament=of)


def test_the_front_page_shows_what_is_on_and_who_won(client: Client, evening: Evening) -> None:
    text = words(page(client, "/"))
    assert "League" in text
    assert "0 of 1 matches" in text
    winner = publishing.live_standings(evening.cup)[0]
    assert f"won by {evening.cup.entries.get(public_id=winner.entry).name}" in text
    assert "Draft of a cup" not in text


def test_the_front_page_costs_a_bounded_number_of_queries(
    client: Client, evening: Evening, django_assert_max_num_queries
) -> None:
    for number in range(6):
        tournament("greedy@1", "random@1", slug=f"cup-{number}")
    with django_assert_max_num_queries(12):
        page(client, "/")


def test_a_finished_tournament_shows_its_table_and_who_beat_whom(client: Client, evening: Evening) -> None:
    html = page(client, evening.cup.get_absolute_url())
    text = words(html)
    assert "Final standings" in text
    assert "Published no. 1" in text
    assert "6 / 6" in text
    assert "1 board of 2 deals, each played from both seats" in text
    rows = publishing.live_standings(evening.cup)
    names = dict(evening.cup.entries.values_list("public_id", "name"))
    shown = re.findall(r'<th scope="row" class="name"><a href="/p/[^"]+">([^<]+)</a>', html)
    assert shown == [names[row.entry] for row in rows]
    for match in matches_of(evening.cup).prefetch_related("result__seats"):
        first, second = match.result.seats.all()
        assert f"{first.points}:{second.points}" in text
        assert f"{second.points}:{first.points}" in text
        assert html.count(f'href="/m/{match.public_id}/"') == 2
    assert "hx-get" not in html


def test_each_place_explains_itself(client: Client, evening: Evening) -> None:
    html = page(client, evening.cup.get_absolute_url())
    trails = re.findall(r'data-test="trail">(.*?)</div>', html, re.S)
    assert len(trails) == 4
    assert all("Points: " in trail for trail in trails)
    last = words(trails[-1])
    assert "Absent-minded , place 4" in last
    assert "Alone: the place is decided." in last
    assert set(re.findall(r'popovertarget="([^"]+)"', html)) == set(re.findall(r'class="trail" id="([^"]+)"', html))


def test_published_standings_stand_beside_the_table_that_moved_on(client: Client, evening: Evening) -> None:
    assert 'data-test="published"' not in page(client, evening.cup.get_absolute_url())
    void_match(evening.faulty.pk, "played with the wrong version")
    results.settle(evening.cup.pk)
    html = page(client, evening.cup.get_absolute_url())
    assert 'data-test="published"' in html
    assert "the live table has moved since" in html
    assert "The live table has moved since." in page(client, f"{evening.cup.get_absolute_url()}standings/1/")


def test_published_standings_have_an_address_of_their_own(client: Client, evening: Evening) -> None:
    html = page(client, f"{evening.cup.get_absolute_url()}standings/1/")
    assert evening.cup.snapshots.get().sha256 in html
    assert "After 6 of 6 matches." in html
    page(client, f"{evening.cup.get_absolute_url()}standings/2/", status=404)


def test_rounds_show_every_pairing(client: Client, evening: Evening) -> None:
    html = page(client, f"{evening.cup.get_absolute_url()}rounds/")
    assert re.findall(r'id="round-(\d)"', html) == ["1", "2", "3"]
    for match in matches_of(evening.cup):
        assert f'href="/m/{match.public_id}/"' in html


def test_a_bye_is_shown_as_one(client: Client, evening: Evening) -> None:
    odd = tournament("greedy@1", "random@1", "random@1", slug="odd")
    running.start(odd.pk)
    assert page(client, f"{odd.get_absolute_url()}rounds/").count(">bye<") == 3


@pytest.mark.parametrize("path", ["", "rounds/", "live/", "standings/1/"])
def test_a_draft_is_seen_by_its_organiser_alone(client: Client, evening: Evening, path: str) -> None:
    address = f"{evening.draft.get_absolute_url()}{path}"
    page(client, address, status=404)
    client.force_login(evening.chrystyna)
    page(client, address, status=404)
    client.force_login(evening.anna)
    if path == "standings/1/":
        page(client, address, status=404)
    else:
        assert "has not started" in page(client, address)


def test_idle_during_registration(client: Client, evening: Evening) -> None:
    soon = tournament("greedy@1", "random@1", slug="soon")
    assert idle(client, soon) == "Entries are being taken; play begins when the organiser starts it."
    assert "Entrants" in page(client, soon.get_absolute_url())


def test_idle_when_no_worker_has_looked(client: Client, evening: Evening) -> None:
    matches_of(evening.league).update(due_at=timezone.now())
    assert idle(client, evening.league) == "The next matches are about to begin."
    matches_of(evening.league).update(due_at=timezone.now() - timedelta(seconds=47))
    assert idle(client, evening.league) == "1 match is due, but no worker has looked for 40 seconds."


def test_idle_when_paused_held_or_stalled(client: Client, evening: Evening) -> None:
    match = matches_of(evening.league).get()
    hold_matches([match.pk])
    assert idle(client, evening.league) == "The organiser holds what is left: 1 match waits to be released."
    Match.objects.filter(pk=match.pk).update(status="stalled", status_reason="claimed 5 times without a card played")
    assert "has stalled; the organiser must look at it" in idle(client, evening.league)
    assert "claimed 5 times without a card played" in page(client, evening.league.get_absolute_url())
    Match.objects.filter(pk=match.pk).update(status="ready", status_reason="")
    running.pause(evening.league.pk)
    assert idle(client, evening.league) == "Paused by the organiser: 1 match waits until it is resumed."


def test_idle_says_nothing_while_cards_are_played(client: Client, evening: Evening) -> None:
    now = timezone.now()
    matches_of(evening.league).update(status="running", started_at=now, lease_until=now + timedelta(seconds=15))
    assert idle(client, evening.league) == ""
    assert "being played" in page(client, evening.league.get_absolute_url())
    lost = now - timedelta(minutes=3)
    matches_of(evening.league).update(due_at=now - timedelta(minutes=9), started_at=lost, lease_until=lost)
    assert idle(client, evening.league) == "1 match is due, but no worker has looked for 3 minutes."


def test_idle_when_over(client: Client, evening: Evening) -> None:
    assert idle(client, evening.cup) == "Over: every match is decided and the standings are final."
    running.cancel(evening.league.pk, "rain")
    assert "Cancelled by the organiser" in idle(client, evening.league)


def test_the_live_part_is_not_sent_twice_and_ends_by_itself(client: Client, evening: Evening) -> None:
    address = f"{evening.league.get_absolute_url()}live/"
    assert f'hx-get="{address}"' in page(client, evening.league.get_absolute_url())
    first = client.get(address)
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    running.cancel(evening.league.pk, "rain")
    last = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert last.status_code == 286
    assert "Cancelled" in last.content.decode()


def test_markup_in_names_is_only_text(client: Client, evening: Evening) -> None:
    Tournament.objects.filter(pk=evening.league.pk).update(name="<img src=x>", description="<b>bold</b>")
    html = page(client, evening.league.get_absolute_url())
    assert "<img src=x>" not in html
    assert "<b>bold</b>" not in html
    assert "&lt;img src=x&gt;" in html


def test_pages_forbid_what_is_not_our_own(client: Client, evening: Evening) -> None:
    for path in ("/", evening.cup.get_absolute_url(), "/login/", "/nowhere"):
        response = client.get(path)
        policy = response["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        html = response.content.decode()
        assert not re.search(r'\sstyle="|<style|\son[a-z]+="|<script>', html)


@pytest.fixture
def twelve(evening: Evening) -> Tournament:
    """Twelve entrants and their 66 matches, drawn and not yet played."""
    big = tournament(*["greedy@1"] * 6, *["random@1"] * 6, slug="twelve")
    running.start(big.pk)
    return big


def test_twelve_entrants_cost_a_bounded_number_of_queries(
    client: Client, twelve: Tournament, evening: Evening, django_assert_max_num_queries
) -> None:
    assert matches_of(twelve).count() == 66
    client.force_login(evening.chrystyna)
    address = twelve.get_absolute_url()
    page(client, address)
    with django_assert_max_num_queries(27):
        page(client, address)
    with django_assert_max_num_queries(27):
        page(client, f"{address}rounds/")
    assert fastest(client, address) < 0.15


def fastest(client: Client, address: str) -> float:
    """Seconds that the quickest of five answers keeps the processor busy: others on the machine must not count."""
    times = []
    for _ in range(5):
        start = time.process_time()
        client.get(address)
        times.append(time.process_time() - start)
    return min(times)


def test_leaders_before_the_first_result_are_nobody(evening: Evening) -> None:
    running_cards, _ = front_page(evening.chrystyna)
    assert [card.led_by for card in running_cards if card.slug == "league"] == [""]


def test_entries_that_left_before_the_start_are_gone(client: Client, evening: Evening) -> None:
    soon = tournament("greedy@1", "random@1", "random@1", slug="soon")
    entries.leave(soon.entries.get(number=3).pk)
    assert "Random 3" not in page(client, soon.get_absolute_url())


def test_organisers_find_the_forms_and_others_do_not(client: Client, evening: Evening) -> None:
    soon = tournament("greedy@1", "random@1", slug="soon")
    forms = {"/": ("/t/new/", "/m/new/"), soon.get_absolute_url(): ("/t/soon/edit/",)}
    for user, found in ((None, False), (evening.chrystyna, False), (evening.anna, True)):
        client.logout()
        if user:
            client.force_login(user)
        for path, links in forms.items():
            html = page(client, path)
            assert all((f'href="{link}"' in html) is found for link in links), (user, path)
    running.start(soon.pk)
    assert "/t/soon/edit/" not in page(client, soon.get_absolute_url())
