"""Running a tournament on the site: each page and each button, for whoever may and for whoever may not."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.cast import anna, person
from tests.desk.test_desk import told
from tests.web.hall import decide, event, matches_of, newest_round
from tests.web.test_tournament_pages import page, words
from tournaments.models import Tournament
from tournaments.services import running

pytestmark = pytest.mark.django_db

NEW = {
    "name": "Winter cup",
    "rules": "moscow/2@1",
    "boards": "2",
    "deals": "4",
    "control": "ladder",
    "rated": "on",
    "auto_publish": "on",
}
SWISS = ("swiss", {"settings": {"rounds": 3}})


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(anna())
    return client


def post(client: Client, address: str, **sent: object):
    return client.post(address, sent, follow=True)


def address_of(row: Tournament, name: str, *arguments: object) -> str:
    return reverse(name, args=[row.slug, *arguments])


def now(client: Client, row: Tournament) -> str:
    found = re.search(r'data-test="next-step">([^<]+)<', page(client, address_of(row, "tournament-desk")))
    return found[1] if found else ""


# Drawing up and planning


def test_a_format_is_chosen_with_the_tournament_and_its_stage_is_planned(desk: Client) -> None:
    answer = post(desk, "/t/new/", **NEW, format="swiss", count="score", win_points="2", draw_points="0.5")
    row = Tournament.objects.get(slug="winter-cup")
    assert answer.redirect_chain[-1][0] == "/t/winter-cup/desk/"
    assert [stage.format for stage in row.stages.all()] == ["swiss"]
    assert (row.count, row.win_points, row.draw_points, row.loss_points) == ("score", 8, 2, 0)
    assert row.tie_breaks == ["wins", "direct_encounter", "point_difference"]
    assert row.auto_draw


@pytest.mark.parametrize(
    ("sent", "field", "why"),
    [
        ({"format": "tables_swiss"}, "format", "three or four at a table"),
        ({"format": "chess"}, "format", "not one of"),
        ({"win_points": "0", "draw_points": "1"}, "draw_points", "no less than a draw"),
        ({"win_points": "0.3"}, "win_points", "quarters"),
        ({"entries_are": "individuals"}, "entries_are", "pairs alone"),
        ({"tie_breaks": ["luck"]}, "tie_breaks", "no such tie-break"),
        ({"tie_breaks": ["wins", "wins"]}, "tie_breaks", "once only"),
    ],
)
def test_what_does_not_fit_is_told_beside_its_field(
    desk: Client, sent: dict[str, object], field: str, why: str
) -> None:
    answer = post(desk, "/t/new/", **NEW | sent)
    assert why in str(answer.context["form"].errors[field])
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("button", "more", "order"),
    [
        ("up:buchholz", "", ["buchholz", "wins", "lot"]),
        ("down:wins", "", ["buchholz", "wins", "lot"]),
        ("up:wins", "", ["wins", "buchholz", "lot"]),
        ("down:lot", "", ["wins", "buchholz", "lot"]),
        ("out:buchholz", "", ["wins", "lot"]),
        ("in:", "progressive", ["wins", "buchholz", "lot", "progressive"]),
    ],
)
def test_buttons_move_tie_breaks_without_a_script_and_save_nothing(
    desk: Client, button: str, more: str, order: list[str]
) -> None:
    sent = {**NEW, "tie_breaks-shown": "1", "tie_breaks": ["wins", "buchholz", "lot"]}
    html = post(desk, "/t/new/", **sent, **{"tie_breaks-move": button, "tie_breaks-more": more}).content.decode()
    assert re.findall(r'name="tie_breaks" value="(\w+)"', html) == order
    assert "Winter cup" in html
    assert not Tournament.objects.exists()


def test_no_tie_break_at_all_is_a_choice(desk: Client) -> None:
    post(desk, "/t/new/", **NEW, **{"tie_breaks-shown": "1"})
    assert Tournament.objects.get().tie_breaks == []


def test_stages_are_planned_changed_and_taken_out(desk: Client) -> None:
    row = event(people=8)
    post(desk, address_of(row, "stage-new", "swiss"), **{"setting-rounds": "4", "setting-acceleration": "baku"})
    post(desk, address_of(row, "stage-new", "single_elimination"), **{"take-first": "4", "setting-third_place": "on"})
    swiss, cup = row.stages.order_by("number")
    assert (swiss.settings["rounds"], swiss.settings["acceleration"], swiss.seeding) == (4, "baku", "entered")
    assert (cup.takes, cup.seeding, cup.settings) == ({"first": 4}, "earlier", {"third_place": True})
    text = words(page(desk, address_of(row, "tournament-stages")))
    assert "Acceleration: Baku acceleration" in text
    assert "The first 4 go on" in text
    assert "Yes, with 8 entries." in text
    changed = post(desk, address_of(row, "stage-edit", 1), **{"setting-rounds": "101"})
    assert "100" in str(changed.context["form"].errors["setting-rounds"])
    post(desk, address_of(row, "stage-edit", 1) + "?format=round_robin", **{"setting-cycles": "2", "name": "League"})
    post(desk, address_of(row, "stage-remove", 2))
    assert [(stage.format, stage.name) for stage in row.stages.all()] == [("round_robin", "League")]


def test_what_cannot_be_played_is_told_at_once_in_words(desk: Client) -> None:
    row = event(("swiss", {"settings": {"rounds": 9}}), people=6)
    html = page(desk, address_of(row, "tournament-stages"))
    assert 'data-test="troubles"' in html
    assert 'data-test="feasible"' in page(desk, address_of(row, "tournament-stages") + "?entries=64")
    assert "cannot be played" in now(desk, row)


def test_after_the_start_stages_are_read_and_no_longer_changed(desk: Client) -> None:
    row = event(SWISS)
    running.start(row.pk)
    assert "stage-edit" not in page(desk, address_of(row, "tournament-stages"))
    assert "stay as they are" in told(post(desk, address_of(row, "stage-new", "swiss")))


# The desk


def test_a_swiss_is_run_from_the_desk_alone(desk: Client) -> None:
    row = Tournament.objects.create(slug="cup", name="Cup", organiser=anna(), boards=1, auto_draw=False)
    post(desk, address_of(row, "stage-new", "swiss"), **{"setting-rounds": "1"})
    assert "which you alone see" in now(desk, row)
    post(desk, address_of(row, "desk-do", "open"))
    for name in ("Greta", "Gerd", "Hanna"):
        post(desk, address_of(row, "desk-enter"), first=name, club="Lviv", rating="1500")
    assert "3 entries are in" in now(desk, row)
    post(desk, address_of(row, "desk-do", "check_in"))
    for entry in row.entries.all()[:2]:
        post(desk, address_of(row, "entry-do", entry.public_id, "check_in"))
    assert "2 of 3 have checked in" in now(desk, row)
    post(desk, address_of(row, "desk-do", "start"))
    drawn = newest_round(row)
    assert "you alone see it" in now(desk, row)
    post(desk, address_of(row, "round-do", drawn.public_id, "confirm"))
    assert "Release it" in now(desk, row)
    post(desk, address_of(row, "round-do", drawn.public_id, "release"), audience="participants")
    assert "1 table is still to be decided" in now(desk, row)
    decide(row)
    row.refresh_from_db()
    assert row.status == "published"
    assert {"stage_finished", "finished", "round_released"} <= {one.kind for one in row.events.all()}
    assert "nothing left to do" in now(desk, row)


def test_entries_go_come_back_sit_out_and_are_rated(desk: Client) -> None:
    row = event(SWISS, people=6)
    first, second, third = row.entries.order_by("number")[:3]
    post(desk, address_of(row, "entry-do", first.public_id, "rate"), rating="1800")
    assert "whole number" in told(post(desk, address_of(row, "entry-do", first.public_id, "rate"), rating="much"))
    post(desk, address_of(row, "entry-do", second.public_id, "withdraw"), reason="ill")
    assert "Say why" in told(post(desk, address_of(row, "entry-do", third.public_id, "expel"), reason=""))
    post(desk, address_of(row, "entry-do", third.public_id, "ask_bye"), round="2", kind="half_bye")
    html = page(desk, address_of(row, "tournament-desk"))
    assert "sits out round 2" in html
    assert "withdrawn" in words(html)
    post(desk, address_of(row, "entry-do", third.public_id, "take_back_bye"), round="2")
    post(desk, address_of(row, "entry-do", second.public_id, "reinstate"))
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.rating, second.status, third.asked_byes.count()) == (1800, "active", 0)


def test_a_check_in_by_script_answers_with_the_line_alone(desk: Client) -> None:
    row = event(SWISS)
    running.open_check_in(row.pk)
    entry = row.entries.first()
    answer = desk.post(address_of(row, "entry-do", entry.public_id, "check_in"), headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert html.startswith("<li")
    assert 'aria-pressed="true"' in html
    assert "<html" not in html


def test_a_substitute_comes_in_by_name(desk: Client) -> None:
    row = event(SWISS)
    entry = row.entries.first()
    goes = entry.members.get().player
    post(desk, address_of(row, "entry-substitute", entry.public_id), goes=goes.pk, comes="Uliana")
    assert "Uliana" in {member.player.name for member in entry.members.all()}


def test_buttons_of_an_old_page_do_nothing(desk: Client) -> None:
    row = event(SWISS)
    running.start(row.pk)
    assert "out of date" in told(post(desk, address_of(row, "desk-do", "start")))
    entry = row.entries.first()
    assert "out of date" in told(post(desk, address_of(row, "entry-do", entry.public_id, "check_in")))


READ = {"tournament-desk": (), "tournament-log": (), "tournament-stages": ()}
WRITTEN = {
    "stage-new": ("swiss",),
    "stage-edit": (1,),
    "desk-import": (),
    "desk-do": ("start",),
    "desk-enter": (),
    "round-do": ("ROUND", "take_back"),
    "round-change": ("ROUND",),
    "round-time": ("ROUND",),
    "entry-do": ("ENTRY", "withdraw"),
    "entry-substitute": ("ENTRY",),
    "match-correct": ("MATCH",),
    "match-annul": ("MATCH",),
}


def test_the_desk_is_closed_to_players_and_strangers(client: Client) -> None:
    bohdan = person("bohdan")
    row = event(SWISS, owners=[bohdan])
    running.start(row.pk)
    found = {"ROUND": newest_round(row), "ENTRY": row.entries.first(), "MATCH": matches_of(row)[0]}
    known = {name: one.public_id for name, one in found.items()}
    before = list(row.events.values_list("kind", flat=True))
    for name, arguments in {**READ, **WRITTEN}.items():
        address = address_of(row, name, *(known.get(str(one), one) for one in arguments))
        client.logout()
        assert client.post(address, {"reason": "x"}).status_code in (302, 405), name
        for user in (bohdan, person(f"stranger-{name}")):
            client.force_login(user)
            assert client.post(address, {"reason": "x"}).status_code in (403, 405), name
            assert client.get(address).status_code in (403, 405), name
    assert list(row.events.values_list("kind", flat=True)) == before


def now_box(client: Client, row: Tournament) -> str:
    html = page(client, address_of(row, "tournament-desk"))
    return html[html.index('data-test="now"') : html.index("</section>", html.index('data-test="now"'))]


def next_button(client: Client, row: Tournament) -> str:
    """The words of what stands out in the box of what happens now."""
    found = re.findall(r'<(?:button|a) class="button"[^>]*>([^<]+)<', now_box(client, row).partition("other-acts")[0])
    assert len(found) == 1
    return found[0]


def test_the_next_step_is_the_button_that_stands_out(desk: Client) -> None:
    row = event(SWISS, people=4, auto_draw=False)
    assert next_button(desk, row) == "Start"
    running.open_check_in(row.pk)
    assert next_button(desk, row) == "Start"
    for entry in row.entries.all():
        post(desk, address_of(row, "entry-do", entry.public_id, "check_in"))
    running.start(row.pk)
    assert next_button(desk, row) == "Confirm round 1"
    assert f'href="{row.get_absolute_url()}rounds/1/"' in now_box(desk, row)
    assert "the organiser" not in now_box(desk, row)
    round_do = [row, "round-do", newest_round(row).public_id]
    post(desk, address_of(*round_do, "begin_changes"))
    assert next_button(desk, row) == "Go on changing"
    post(desk, address_of(*round_do, "confirm"))
    assert next_button(desk, row) == "Release round 1"
    post(desk, address_of(*round_do, "release"), audience="public")
    assert next_button(desk, row) == "Results of round 1"
    decide(row)
    assert next_button(desk, row) == "Confirm round 2"
    assert "Cancel the tournament" in now_box(desk, row).partition("More")[2]


def test_the_log_tells_of_rounds_that_were_drawn_by_themselves(desk: Client) -> None:
    row = event(SWISS, people=4)
    running.start(row.pk)
    decide(row)
    text = words(page(desk, address_of(row, "tournament-log")))
    for act in ("drawn", "confirmed", "released"):
        assert f"Round 2 was {act}." in text


# Lists of players


def test_a_list_is_read_first_and_taken_when_it_is_confirmed(desk: Client) -> None:
    row = event(people=1)
    address = address_of(row, "desk-import")
    bad = desk.post(address, {"file": SimpleUploadedFile("list.csv", b"name,rating\nUliana,tall\n")})
    assert 'data-test="problems"' in bad.content.decode()
    assert "tall" in words(bad.content.decode())
    good = desk.post(
        address, {"file": SimpleUploadedFile("list.csv", "name;club;rating\nUliana;Львів;1500\n".encode())}
    )
    assert row.entries.count() == 1
    sealed = re.search(r'name="report" value="([^"]+)"', good.content.decode())[1]
    assert "upload the file again" in told(post(desk, address, report=sealed + "x", confirm="1"))
    post(desk, address, report=sealed, confirm="1")
    assert (row.entries.get(name="Uliana").club, row.entries.get(name="Uliana").rating) == ("Львів", 1500)
