"""The page of a match that people play: what it tells whom, and what its buttons do. No script is needed."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from matches.core.agreement import parse_score
from matches.core.plan import Length
from matches.lane import drive
from matches.models import Match, Player, Result, ResultSeat
from matches.services.desk import hold_matches, void_match
from matches.services.reports import confirm, report, rule
from tests.matches.drawn import drawn
from tests.matches.people import account, at_a_table, decided, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]


def as_user(name: str) -> Client:
    client = Client()
    client.force_login(account(name))
    return client


def director() -> Client:
    anna = account("anna")
    anna.user_permissions.add(Permission.objects.get(codename="change_match"))
    return as_user("anna")


def words(html: str) -> str:
    bare = re.sub(r"<(script|style).*?</\1>", " ", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def page(match: Match, client: Client | None = None) -> str:
    answer = (client or Client()).get(match.get_absolute_url())
    assert answer.status_code == 200
    return answer.content.decode()


def press(client: Client, match: Match, verb: str, **fields: object) -> str:
    """What the reader sees after a button."""
    answer = client.post(reverse(f"match-{verb}", args=[match.public_id]), fields, follow=True)
    assert answer.status_code == 200
    return words(answer.content.decode())


def forms_of(html: str) -> set[str]:
    return set(re.findall(r'action="/m/[^/]+/(\w+)/', html))


def test_a_report_is_confirmed_by_buttons() -> None:
    match = at_a_table()
    bohdan, dmytro = as_user("bohdan"), as_user("dmytro")
    html = page(match, bohdan)
    assert "You play in this match: report the score." in words(html)
    assert html.count('inputmode="numeric"') == 2
    told = press(bohdan, match, "report", points_0=2, points_1=1)
    assert "It counts as soon as another side confirms it." in told
    assert forms_of(page(match, bohdan)) == {"report", "withdraw"}
    shown = page(match, dmytro)
    assert forms_of(shown) == {"confirm", "report"}
    assert "Bohdan reported 2 : 1" in words(shown)
    assert "That is not what happened" in words(shown)
    told = press(dmytro, match, "confirm", version=1)
    assert "2 : 1: reported by Bohdan, confirmed by Dmytro." in told
    assert decided(match) == [(2, "won"), (1, "lost")]
    assert forms_of(page(match, bohdan)) == set()


def test_a_dispute_is_ruled_by_a_form() -> None:
    match = at_a_table()
    press(as_user("bohdan"), match, "report", points_0=2, points_1=1)
    told = press(as_user("dmytro"), match, "report", points_0=1, points_1=2, reason="he forgot the last party")
    assert "The versions differ: the organiser rules." in told
    shown = page(match, as_user("bohdan"))
    assert forms_of(shown) == {"confirm", "withdraw"}
    assert "“he forgot the last party”" in words(shown)
    anna = director()
    assert "rule" in forms_of(page(match, anna))
    fields = {"rule-points_0": 1, "rule-points_1": 2}
    assert "Say why it is ruled so" in press(anna, match, "rule", **fields)
    told = press(anna, match, "rule", **fields, **{"rule-reason": "the sheet says so"})
    assert "1 : 2, by the organiser's word." in told
    for state in ("not so", "superseded", "confirmed"):
        assert state in told
    assert decided(match) == [(1, "lost"), (2, "won")]
    assert "Correct the result" in words(page(match, anna))


def test_an_organiser_begins_with_what_was_reported_and_enters_it_with_one_click() -> None:
    match = at_a_table()
    Player.objects.filter(name="Dmytro").update(owner=None)
    press(as_user("bohdan"), match, "report", points_0=2, points_1=0)
    anna = director()
    shown = page(match, anna)
    assert "Nobody else here has an account: the organiser enters it." in words(shown)
    begun = dict(re.findall(r'name="(rule-points_\d)" value="(\d)"', shown))
    assert begun == {"rule-points_0": "2", "rule-points_1": "0"}
    press(anna, match, "rule", **begun)
    assert decided(match) == [(2, "won"), (0, "lost")]


def test_what_cannot_be_is_told_and_what_was_typed_stays() -> None:
    match = at_a_table()
    bohdan = as_user("bohdan")
    answer = bohdan.post(
        reverse("match-report", args=[match.public_id]), {"points_0": 2, "points_1": 2, "reason": "so"}
    )
    html = answer.content.decode()
    assert "2:2 is level: best of 3 ends 2:0 to 2:1" in words(html)
    assert html.count('value="2"') == 2
    assert 'value="so"' in html
    assert "Type a number for Dmytro." in press(bohdan, match, "report", points_0=2)
    assert "Enter a whole number." in press(bohdan, match, "report", points_0="two", points_1=0)
    assert "less than or equal to 3" in press(bohdan, match, "report", points_0=4, points_1=0)
    assert not match.reports.exists()


def test_who_did_not_come_needs_no_number() -> None:
    match = at_a_table()
    told = press(as_user("bohdan"), match, "report", absent_1="on", reason="waited half an hour")
    assert "Bohdan reported 0 : –" in told
    press(director(), match, "rule", **{"rule-absent_0": "on", "rule-absent_1": "on", "rule-reason": "nobody came"})
    html = words(page(match))
    assert html.count("did not come") == 2
    assert "Did not come: Bohdan, Dmytro" in html
    assert decided(match) == [(0, "lost"), (0, "lost")]


def test_points_may_be_told_with_parties_beside_them_and_may_be_a_debt() -> None:
    match = at_a_table(length=Length.BOARDS, boards=2, deals=4)
    bohdan = as_user("bohdan")
    assert 'inputmode="numeric"' in page(match, bohdan)  # the parties; beside them a minus must be at hand
    assert not re.search(r'<input[^>]*name="points_0"[^>]*inputmode', page(match, bohdan))
    press(bohdan, match, "report", points_0=420, points_1=-20, parties_0=4)
    shown = words(page(match, as_user("dmytro")))
    assert "420 : −20" in shown
    assert "parties 4 : 0" in shown
    confirm(match.pk, 1, account("dmytro"))
    assert list(ResultSeat.objects.order_by("index").values_list("parties", flat=True)) == [4, 0]


def test_more_than_two_sides_are_told_by_name() -> None:
    match = at_a_table("bohdan", "dmytro", "eva", rules="moscow/3", length=Length.PARTIES, boards=2)
    press(as_user("eva"), match, "report", points_0=1, points_1=1, absent_2="on")
    assert "Eva reported Bohdan 1, Dmytro 1, Eva did not come." in words(page(match))


@pytest.mark.parametrize(("name", "may"), [("bohdan", {"report"}), ("chrystyna", set()), ("", set())])
def test_who_may_do_what(name: str, may: set[str]) -> None:
    match = at_a_table()
    client = as_user(name) if name else Client()
    html = page(match, client)
    assert forms_of(html) == may
    assert ("Log in to report" in words(html)) is (not name)


def test_a_stranger_is_refused_whatever_is_posted() -> None:
    match = at_a_table()
    report(match.pk, account("bohdan"), parse_score("2:1"))
    chrystyna = as_user("chrystyna")
    for verb, fields in (
        ("report", {"points_0": 2, "points_1": 1}),
        ("confirm", {"version": 1}),
        ("withdraw", {}),
    ):
        assert "Only those who play this match report how it ended." in press(chrystyna, match, verb, **fields)
    refused = chrystyna.post(reverse("match-rule", args=[match.public_id]), {"rule-points_0": 2, "rule-points_1": 0})
    assert refused.status_code == 403
    bohdan = as_user("bohdan")
    assert bohdan.post(reverse("match-rule", args=[match.public_id])).status_code == 403
    assert "Your own side has reported this" in press(bohdan, match, "confirm", version=1)
    assert not Result.objects.exists()


@pytest.mark.parametrize("version", ["", "two", "9", "1' or 1", "99999999999999999999", "٣"])
def test_a_version_that_does_not_exist_is_not_confirmed(version: str) -> None:
    match = at_a_table()
    report(match.pk, account("bohdan"), parse_score("2:1"))
    assert "version" in press(as_user("dmytro"), match, "confirm", version=version)
    assert not Result.objects.exists()


@pytest.mark.parametrize("verb", ["report", "confirm", "withdraw", "rule"])
def test_without_a_login_there_is_the_login_page_and_then_the_match(verb: str) -> None:
    match = at_a_table()
    address = reverse(f"match-{verb}", args=[match.public_id])
    assert Client().post(address).headers["Location"] == f"/login/?next={address}"
    assert as_user("bohdan").get(address).headers["Location"] == match.get_absolute_url()
    assert as_user("bohdan").get(address.replace(match.public_id, "m_" + "0" * 22), follow=True).status_code == 404


def test_a_page_that_is_out_of_date_says_so() -> None:
    match = at_a_table()
    bohdan, dmytro = as_user("bohdan"), as_user("dmytro")
    report(match.pk, account("bohdan"), parse_score("2:1"))
    report(match.pk, account("bohdan"), parse_score("2:0"))
    assert "Version 1 does not stand any more" in press(dmytro, match, "confirm", version=1)
    confirm(match.pk, 2, account("dmytro"))
    assert "only an organiser can correct its score" in press(bohdan, match, "report", points_0=2, points_1=1)
    assert "only an organiser can correct its score" in press(bohdan, match, "withdraw")


def test_every_state_says_what_it_waits_for() -> None:
    match = at_a_table()
    assert "Those who play it report the score." in words(page(match))
    hold_matches([match.pk])
    assert "nothing can be reported" in words(page(match, as_user("bohdan")))
    assert forms_of(page(match, as_user("bohdan"))) == set()
    void_match(match.pk, "the hall is on fire")
    assert "The hall is on fire" in words(page(match))
    assert forms_of(page(match, director())) == set()


def test_a_user_with_players_on_both_sides_is_told_who_enters_it() -> None:
    match = at_a_table()
    Player.objects.update(owner=account("bohdan"))
    shown = page(match, as_user("bohdan"))
    assert "an organiser enters it" in words(shown)
    assert forms_of(shown) == set()


def test_the_page_of_a_reported_match_shows_no_cards_and_does_not_look_again() -> None:
    html = page(at_a_table())
    assert "hx-get" not in html
    for heading in ("Parties", "Boards and their promises", "Clock"):
        assert heading not in words(html)
    assert "best of 3 parties to 501" in words(html)
    assert "The winner of a party deals first in the next party of the match." in words(html)
    assert "Whoever wins 2 parties first has won the match." in words(html)


@pytest.mark.django_db(transaction=True)
def test_a_director_rules_in_a_match_of_programs_and_nobody_else_sees_a_form() -> None:
    match = drawn("greedy@1", "random@1")
    drive(slots=1, seconds=30)
    assert 'id="score"' not in page(match)
    assert 'id="score"' not in page(match, as_user("chrystyna"))
    anna = director()
    assert "Correct the result" in words(page(match, anna))
    press(anna, match, "rule", **{"rule-points_0": 0, "rule-absent_1": "on", "rule-reason": "a stolen program"})
    shown = words(page(match))
    assert "0 : –, by the organiser's word." in shown
    assert "“a stolen program”" in shown


def test_who_directs_elsewhere_rules_by_the_setting(settings) -> None:
    settings.MATCH_DIRECTORS = "tests.matches.test_reporting_pages.dmytro_directs"
    match = at_a_table()
    assert "rule" in forms_of(page(match, as_user("dmytro")))
    assert "rule" not in forms_of(page(match, as_user("bohdan")))
    assert "by the organiser's word" in press(
        as_user("dmytro"), match, "rule", **{"rule-points_0": 2, "rule-points_1": 0}
    )
    settings.MATCH_DIRECTORS = ""
    assert forms_of(page(match, as_user("dmytro"))) == set()


def dmytro_directs(user, match: Match) -> bool:
    return user.username == "dmytro" and match.is_reported


def test_a_page_takes_a_bounded_number_of_queries(django_assert_max_num_queries) -> None:
    match = at_a_table("bohdan", "dmytro", "eva", "fedir", rules="klabor/4", length=Length.PARTIES, boards=2)
    for score in ("1:1:0:0", "2:0:0:0"):
        report(match.pk, account("eva"), parse_score(score))
    report(match.pk, account("fedir"), parse_score("0:0:0:2"))
    with django_assert_max_num_queries(11):
        page(match)
    client = as_user("bohdan")
    with django_assert_max_num_queries(16):
        page(match, client)


def test_the_desk_rules_too() -> None:
    match = at_a_table()
    anna = account("anna")
    anna.is_staff = anna.is_superuser = True
    anna.save()
    desk = as_user("anna")
    change = reverse("admin:matches_match_change", args=[match.pk])
    assert "Rule how it ended" in words(desk.get(change).content.decode())

    def do(**fields: str) -> str:
        return words(desk.post(change.replace("change/", "do/rule/"), fields, follow=True).content.decode())

    assert "“won” is no whole number" in do(score="won", reason="x")
    assert "best of 3 ends 2:0 to 2:1" in do(score="5:1", reason="x")
    do(score="+:-", reason="nobody came")
    assert decided(match) == [(0, "won"), (0, "lost")]
    kept = words(desk.get(reverse("admin:matches_scorereport_changelist")).content.decode())
    assert "ruled by the organiser" in kept
    assert "nobody came" in words(desk.get(change).content.decode())


def test_a_match_with_people_is_made_by_the_form() -> None:
    anna = account("anna")
    anna.user_permissions.add(Permission.objects.get(codename="add_match"))
    client = as_user("anna")
    seats = {"seat_1": sitting("bohdan").pk, "seat_2": sitting("dmytro").pk}
    chosen = {"rules": "moscow/2@1", "length": "best_of", "boards": "4", "deals-as": "deals", "deals": "4"}
    chosen |= {"control": "ladder", **seats}
    refused = words(client.post("/m/new/", chosen).content.decode())
    assert "choose an odd number, 3 or 5" in refused
    made = words(client.post("/m/new/", {**chosen, "boards": "5"}, follow=True).content.decode())
    assert "those who play it say how it ended" in made
    match = Match.objects.get()
    assert (match.status, match.length, match.boards_planned, match.overrides) == ("awaited", "best_of", 5, {})


def test_the_score_of_a_reported_match_stands_in_its_players_list() -> None:
    match = at_a_table()
    rule(match.pk, account("anna"), parse_score("2:1"))
    player = Player.objects.get(name="Bohdan")
    shown = words(Client().get(f"/p/{player.public_id}/").content.decode())
    assert "2:1" in shown
    assert "1 won, 0 drawn, 0 lost" in shown


def test_nothing_is_said_by_rules_that_the_engine_has_forgotten() -> None:
    match = at_a_table()
    Match.objects.update(overrides={"gone": 1})
    html = page(match, director())
    assert forms_of(html) == set()
    assert "Bohdan" in words(html)


def test_what_a_director_types_is_not_wiped_while_cards_are_played() -> None:
    html = page(drawn(), director())
    before, _, looked_at_again = html.partition('<div id="match" hx-get=')
    assert 'name="rule-points_0"' in before
    assert "<form" not in looked_at_again


def test_a_person_is_added_at_the_desk_and_may_sit_down() -> None:
    anna = account("anna")
    anna.is_staff = anna.is_superuser = True
    anna.save()
    desk = as_user("anna")
    sent = {"name": "  Halyna ", "owner": account("halyna").pk, "agents-TOTAL_FORMS": 0, "agents-INITIAL_FORMS": 0}
    answer = desk.post(reverse("admin:matches_player_add"), sent, follow=True)
    assert "was added successfully" in words(answer.content.decode())
    player = Player.objects.get()
    assert (player.name, player.kind, player.owner) == ("Halyna", "person", account("halyna"))
    assert list(player.agents.values_list("kind", "label", "status")) == [("person", "person", "active")]
    again = desk.post(reverse("admin:matches_player_add"), {**sent, "name": "HALYNA"})
    assert "A player is called “HALYNA” already" in words(again.content.decode())
