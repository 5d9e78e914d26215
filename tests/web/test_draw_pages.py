"""Draws, corrections, and the numbers behind a place, as their pages tell them."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from matches.core.agreement import ReportedScore
from matches.models import Player
from matches.services import reports
from tests.cast import anna, person
from tests.desk.test_desk import told
from tests.web.hall import decide, event, let_out, matches_of, newest_round
from tests.web.test_organising import SWISS, address_of, now, post
from tests.web.test_tournament_pages import page, words
from tournaments.models import Round
from tournaments.services import draws, entries, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(anna())
    return client


# Draws


def test_a_draw_is_changed_by_hand_with_a_reason_and_says_so(desk: Client) -> None:
    row = event(SWISS, people=4, auto_draw=False)
    running.start(row.pk)
    drawn = newest_round(row)
    change = address_of(row, "round-change", drawn.public_id)
    assert "press “Change by hand” first" in told(desk.get(change, follow=True))
    post(desk, address_of(row, "round-do", drawn.public_id, "begin_changes"))
    tables = [[seat.entry for seat in one.seats.order_by("seat")] for one in drawn.pairings.order_by("number")]
    (a, b), (c, d) = tables
    swapped = {"t0s0": a.public_id, "t0s1": c.public_id, "t1s0": b.public_id, "t1s1": d.public_id}
    refused = post(desk, change, **swapped)
    assert "Say why" in str(refused.context["form"].errors)
    twice = post(desk, change, **{**swapped, "t1s0": a.public_id}, reason="x")
    assert "at two tables" in str(twice.context["form"].errors)
    post(desk, change, **swapped, reason="They came in one car")
    row.refresh_from_db()
    assert not row.is_by_the_rules
    html = page(desk, f"{row.get_absolute_url()}rounds/1/")
    text = words(html)
    assert "Changed by hand: They came in one car" in text
    assert f"By hand: {a} – {c}." in text
    assert f"The format had drawn: {a} – {b}." in text
    assert "changed by hand" in words(page(desk, row.get_absolute_url()))


def test_a_table_explains_why_these_meet(client: Client) -> None:
    row = event(SWISS)
    running.start(row.pk)
    html = page(client, f"{row.get_absolute_url()}rounds/1/")
    assert html.count('class="why-paired"') == 3
    text = words(html)
    assert "Both have 0 points." in text
    assert "sits first" in text
    assert "The number is odd." in text
    assert row.lots_commitment in html
    assert newest_round(row).lots in html
    assert "the same, byte by byte" not in page(client, f"{row.get_absolute_url()}rounds/1/?check")
    again = client.post(f"{row.get_absolute_url()}rounds/1/", {"check": ""})
    assert "the same, byte by byte" in again.content.decode()


def test_a_draw_that_was_taken_back_stays_in_sight_struck_through(client: Client) -> None:
    row = event(SWISS, people=4)
    running.start(row.pk)
    drawn = newest_round(row)
    draws.take_back(drawn.pk, "Two more came")
    html = page(client, f"{row.get_absolute_url()}rounds/1/")
    assert "Two more came" in html
    let_out(draws.propose(drawn.stage_id))
    html = page(client, f"{row.get_absolute_url()}rounds/1/")
    assert re.search(r'data-test="withdrawn">.*Two more came.*is-struck', html, re.S)
    assert html.count('data-test="draw-tables"') == 2


def test_the_pairing_sheet_is_sorted_by_table_and_by_name(client: Client) -> None:
    row = event(SWISS)
    running.start(row.pk)
    html = page(client, f"{row.get_absolute_url()}rounds/1/?print")
    by_table, by_name = (
        html.partition(f'data-test="{sheet}"')[2].partition("</table>")[0] for sheet in ("by-table", "by-name")
    )
    assert re.findall(r'class="sheet-number">(\d|–)<', by_table) == ["1", "2", "–"]
    assert re.findall(r"<tr><td>(\w+)</td>", by_name) == sorted(entry.name for entry in row.entries.all())


# Corrections


def test_a_correction_tells_first_what_follows_and_then_does_it(desk: Client) -> None:
    row = event(SWISS, people=4)
    running.start(row.pk)
    decide(row)
    match = next(one for one in matches_of(row) if one.status == "finished")
    address = address_of(row, "match-correct", match.public_id)
    looked = post(desk, address, points0="60", points1="120", reason="misread", look="1")
    text = words(looked.content.decode())
    assert "What follows from it" in text
    assert "instead of" in text
    assert "was drawn from the old result; that draw stands" in text
    match.refresh_from_db()
    assert match.result.seats.order_by("index")[0].points != 60
    post(desk, address, points0="60", points1="120", reason="misread", do="1")
    match.refresh_from_db()
    assert match.result.seats.order_by("index")[0].points == 60
    assert "A result was corrected: misread" in page(desk, address_of(row, "tournament-log"))


def test_a_score_that_cannot_be_is_told_beside_it(desk: Client) -> None:
    row = event(SWISS, people=4)
    running.start(row.pk)
    address = address_of(row, "match-correct", matches_of(row)[0].public_id)
    empty = post(desk, address, points0="120", points1="", look="1")
    assert "Type a number" in str(empty.context["form"].errors["points1"])
    assert 'data-test="follows"' in post(desk, address, points0="", absent1="on", look="1").content.decode()


def test_a_dispute_stands_on_the_desk_and_is_ruled_from_there(desk: Client) -> None:
    owners = [person("bohdan"), person("dmytro")]
    row = event(("round_robin", {}), people=2, owners=owners)
    running.start(row.pk)
    match = matches_of(row)[0]
    for owner, points in zip(owners, [(120, 60), (60, 120)], strict=True):
        reports.report(match.pk, owner, ReportedScore(points))
    assert "1 result is disputed" in now(desk, row)
    assert address_of(row, "match-correct", match.public_id) in page(desk, address_of(row, "tournament-desk"))


# Entries and the numbers behind a place


def test_each_cell_leads_to_the_numbers_behind_it(client: Client) -> None:
    row = event(SWISS, people=5, tie_breaks=["buchholz_cut1", "point_difference"])
    running.start(row.pk)
    decide(row)
    html = page(client, row.get_absolute_url())
    links = re.findall(r'class="tie-break[^"]*"><a href="([^"]+)"', html)
    assert len(links) == 10
    found = page(client, links[0].replace("&amp;", "&").partition("#")[0])
    assert 'data-test="parts"' in found
    assert "cut: the lowest" in words(found)
    assert client.get(f"{row.get_absolute_url()}entries/{row.entries.first().public_id}/?why=luck").status_code == 200


def test_rounds_of_a_swiss_stand_in_the_cross_table(client: Client) -> None:
    row = event(SWISS, people=5)
    running.start(row.pk)
    decide(row)
    html = page(client, row.get_absolute_url())
    assert "Round by round" in html
    assert Round.objects.filter(stage__tournament=row).count() == 2


def test_stages_have_tabs_and_groups_tables_of_their_own(client: Client) -> None:
    row = event(
        ("groups", {"settings": {"groups": 2}}),
        ("single_elimination", {"takes": {"of_each": 1}}),
        people=6,
    )
    running.start(row.pk)
    for _ in range(4):
        decide(row)
    html = page(client, row.get_absolute_url())
    assert 'data-test="bracket"' in html
    assert re.findall(r'"/t/cup/\?stage=(\d)"', html) == ["1", "2"]
    groups = page(client, f"{row.get_absolute_url()}?stage=1")
    assert groups.count('data-test="standings"') == 2
    assert groups.count('data-test="cross"') == 2
    assert 'data-test="bracket"' not in groups
    entry = row.stages.get(number=2).stage_entries.first().entry
    assert "Went on as number 1 of group" in words(page(client, f"{row.get_absolute_url()}entries/{entry.public_id}/"))


def test_entrants_are_listed_with_what_became_of_them(client: Client) -> None:
    row = event(SWISS, people=5)
    entries.withdraw(row.entries.first().pk, "ill")
    text = words(page(client, f"{row.get_absolute_url()}entries/"))
    assert "withdrawn: ill" in text


@pytest.mark.parametrize(
    ("length", "boards", "told"),
    [("parties", 3, "3 parties"), ("best_of", 5, "best of 5 parties"), ("boards", 1, "board")],
)
def test_the_head_tells_what_a_match_is(client: Client, length: str, boards: int, told: str) -> None:
    row = event(("swiss", {"settings": {"rounds": 3}, "length": "parties", "boards": 2}), length=length, boards=boards)
    running.start(row.pk)
    html = page(client, row.get_absolute_url())
    assert told in re.search(r"<dt>A match</dt><dd>([^<]+)", html)[1]
    assert "<dt>Clock</dt>" not in html  # people alone
    assert "A match is 2 parties." in page(client, f"{row.get_absolute_url()}rounds/1/")


def test_a_draw_says_where_one_owners_meet_and_that_is_not_rated(desk: Client) -> None:
    row = event(SWISS, people=4, auto_draw=False)
    running.start(row.pk)
    (first, _) = newest_round(row).pairings.order_by("number")
    names = [seat.entry.name for seat in first.seats.order_by("seat")]
    assert 'data-test="one-owner"' not in page(desk, f"{row.get_absolute_url()}rounds/1/")
    Player.objects.filter(memberships__entry__pairing_seats__pairing=first).update(owner=person("bohdan"))
    html = page(desk, f"{row.get_absolute_url()}rounds/1/")
    assert f"Sides of one owner meet, which is never rated: {' – '.join(names)}." in words(html)
    let_out(newest_round(row))
    assert [match.rated for match in matches_of(row)] == [False, True]


# What pages cost


@pytest.mark.parametrize("part", ["", "live/", "live/?part=progress", "rounds/", "rounds/?part=now", "desk/"])
def test_pages_do_not_read_what_draws_were_made_from(desk: Client, django_assert_max_num_queries, part: str) -> None:
    row = event(SWISS, people=4)
    running.start(row.pk)
    with django_assert_max_num_queries(40) as asked:
        page(desk, f"{row.get_absolute_url()}{part}")
    columns = [query["sql"].partition(" FROM ")[0] for query in asked.captured_queries]
    heavy = ('"tournaments_round"."position"', '"tournaments_round"."draw"')
    assert not [one for one in columns if any(column in one for column in heavy)]


def test_of_a_large_tournament_only_what_is_played_is_asked_for_anew(client: Client, monkeypatch) -> None:
    for room in ("round_views", "rounds", "standings_page"):
        monkeypatch.setattr(f"tournaments.web.{room}.MOST_MEETINGS_SHOWN", 3)
    row = event("round_robin", people=4)
    running.start(row.pk)
    decide(row, most=1)
    address = row.get_absolute_url()
    assert f'hx-get="{address}live/?part=progress"' in page(client, address)
    assert f'hx-get="{address}rounds/?part=now"' in page(client, f"{address}rounds/")
    progress = page(client, f"{address}live/?part=progress")
    assert "Greta" not in progress
    assert "matches decided" in progress
    now_played = page(client, f"{address}rounds/?part=now")
    assert 'id="round-1"' in now_played
    assert 'id="round-2"' not in now_played
    assert "<h1" not in now_played
