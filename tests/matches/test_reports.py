"""Who says how a match ended, who confirms it, and what is written then: once, whoever says it and however often."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client

from matches.core.agreement import parse_score
from matches.core.plan import Length
from matches.models import Agent, Match, Player, Result
from matches.services import reports
from matches.services.claim import claim_due
from matches.services.desk import hold_matches, release_matches, void_match
from matches.services.players import person
from matches.services.reports import ReportRefused, confirm, report, rule, withdraw_report
from matches.services.versions import house_agent, person_agent
from tests.matches.people import account, at_a_table, decided, news, refused, ruled, says, state, versions

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]


def test_a_match_of_people_is_reported_and_no_lane_takes_it() -> None:
    match = at_a_table(title="Final")
    assert (match.status, match.is_reported, match.length) == ("awaited", True, "best_of")
    assert not match.parties.exists()
    assert not match.boards.exists()
    assert claim_due("lane", 5) == ()


def test_a_person_and_a_program_are_reported_too_and_the_programs_owner_may_speak() -> None:
    bot = Player.objects.create(name="Bot", kind="bot", owner=account("dmytro"))
    version = Agent.objects.create(player=bot, kind="push", label="1", status="active")
    match = at_a_table(agents=(person_agent(person("Bohdan", account("bohdan"))).pk, version.pk))
    says(match, "dmytro", "0:2")
    confirm(match.pk, 1, account("bohdan"))
    assert decided(match) == [(0, "lost"), (2, "won")]


def test_a_house_program_that_thinks_keeps_no_slot_where_people_report() -> None:
    agents = (person_agent(person("Bohdan")).pk, house_agent("pimc@1").pk)
    assert at_a_table(agents=agents).house_thinks is False


def test_reported_by_one_side_and_confirmed_by_the_other() -> None:
    match = at_a_table()
    first = says(match, "bohdan", "2:1")
    assert (first.version, first.side, first.status, state(match)) == (1, 0, "reported", "reported")
    assert not Result.objects.exists()
    confirm(match.pk, 1, account("dmytro"))
    assert (state(match), decided(match), news(match)) == (
        "finished",
        [(2, "won"), (1, "lost")],
        ["match_finished"],
    )
    result = Result.objects.get()
    assert (result.kind, result.report_id, result.report.confirmed_by) == ("played", first.pk, account("dmytro"))
    assert list(result.seats.order_by("index").values_list("parties", "card_points")) == [(2, 0), (1, 0)]


def test_the_same_report_from_the_other_side_confirms() -> None:
    match = at_a_table()
    first = says(match, "bohdan", "2:1")
    assert says(match, "dmytro", "2:1") == first
    assert (state(match), versions(match)) == ("finished", ["0 confirmed"])


def test_saying_it_twice_changes_nothing() -> None:
    match = at_a_table()
    assert says(match, "bohdan", "2:1") == says(match, "bohdan", "2:1")
    confirm(match.pk, 1, account("dmytro"))
    confirm(match.pk, 1, account("dmytro"))
    says(match, "bohdan", "2:1")
    says(match, "dmytro", "2:1")
    assert (versions(match), news(match)) == (["0 confirmed"], ["match_finished"])


def test_a_side_corrects_itself_until_the_other_has_spoken() -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    says(match, "bohdan", "2:0")
    assert (versions(match), state(match)) == (["0 superseded", "0 reported"], "reported")
    with refused("outdated"):
        confirm(match.pk, 1, account("dmytro"))
    confirm(match.pk, 2, account("dmytro"))
    assert decided(match) == [(2, "won"), (0, "lost")]


def test_a_side_does_not_confirm_itself() -> None:
    match = at_a_table("bohdan", "dmytro", "eva", "fedir", rules="klabor/pairs")
    says(match, "bohdan", "2:1")
    for name in ("bohdan", "eva"):  # partners sit opposite
        with refused("own_report"):
            confirm(match.pk, 1, account(name))
    confirm(match.pk, 1, account("fedir"))
    assert decided(match) == [(2, "won"), (1, "lost"), (2, "won"), (1, "lost")]


def test_something_else_is_a_dispute_that_an_organiser_ends() -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    report(match.pk, account("dmytro"), parse_score("1:2"), "he forgot the last one")
    assert (state(match), versions(match)) == ("disputed", ["0 reported", "1 reported"])
    with refused("disputed"):
        says(match, "bohdan", "2:0")
    with refused("reason_missing"):
        rule(match.pk, account("anna"), parse_score("1:2"))
    ruling = ruled(match, "1:2")
    assert versions(match) == ["0 rejected", "1 superseded", "- confirmed"]
    assert (state(match), decided(match)) == ("finished", [(1, "lost"), (2, "won")])
    assert Result.objects.get().report == ruling


def test_a_side_may_give_in() -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    says(match, "dmytro", "1:2")
    assert says(match, "bohdan", "1:2").version == 2
    assert (state(match), versions(match)) == ("finished", ["0 rejected", "1 confirmed"])


@pytest.mark.parametrize(
    ("who", "left"), [("bohdan", ["0 withdrawn", "1 reported"]), ("dmytro", ["0 reported", "1 withdrawn"])]
)
def test_what_is_taken_back_leaves_the_other_version_standing(who: str, left: list[str]) -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    says(match, "dmytro", "1:2")
    withdraw_report(match.pk, account(who))
    assert (state(match), versions(match)) == ("reported", left)
    with refused("nothing_reported"):
        withdraw_report(match.pk, account(who))


def test_a_report_taken_back_is_awaited_again() -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    withdraw_report(match.pk, account("bohdan"))
    assert state(match) == "awaited"
    says(match, "dmytro", "0:2")
    assert versions(match) == ["0 withdrawn", "1 reported"]


def test_strangers_and_those_on_both_sides_say_nothing() -> None:
    match = at_a_table()
    for name, code in (("chrystyna", "not_yours"), ("anna", "not_yours")):
        with refused(code):
            says(match, name, "2:1")
    Player.objects.update(owner=account("bohdan"))
    with refused("both_sides"):
        says(match, "bohdan", "2:1")
    assert versions(match) == []


def test_what_cannot_be_is_refused_with_what_can() -> None:
    match = at_a_table()
    with pytest.raises(ReportRefused, match="best of 3 ends 2:0 to 2:1"):
        says(match, "bohdan", "3:0")
    with pytest.raises(ReportRefused, match="best of 3 ends 2:0 to 2:1"):
        ruled(match, "1:1")
    assert (versions(match), state(match)) == ([], "awaited")


def test_a_held_or_void_match_is_not_reported() -> None:
    match = at_a_table(held=True)
    assert match.status == "held"
    with refused("held"):
        says(match, "bohdan", "2:1")
    assert release_matches([match.pk]) == 1
    assert state(match) == "awaited"
    assert hold_matches([match.pk]) == 1
    assert release_matches([match.pk]) == 1
    says(match, "bohdan", "2:1")
    assert hold_matches([match.pk]) == 0  # what is reported already goes on
    void_match(match.pk, "the hall is on fire")
    for verb in (partial(says, match, "dmytro", "2:1"), partial(ruled, match, "2:1")):
        with refused("void"):
            verb()


def test_an_organisers_first_entry_needs_no_reason() -> None:
    match = at_a_table()
    rule(match.pk, account("anna"), parse_score("2:1"))
    assert (state(match), versions(match)) == ("finished", ["- confirmed"])


def test_a_correction_replaces_the_result_and_is_told() -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    confirm(match.pk, 1, account("dmytro"))
    finished_at = Match.objects.get().finished_at
    ruled(match, "0:2")
    assert (versions(match), decided(match)) == (["0 superseded", "- confirmed"], [(0, "lost"), (2, "won")])
    ruled(match, "0:2", "again")
    assert (news(match), match.reports.count()) == (["match_finished", "result_corrected"], 2)
    assert Match.objects.get().finished_at == finished_at
    with refused("over"):
        says(match, "bohdan", "2:1")
    with refused("reason_missing"):
        ruled(match, "2:1", " ")


@pytest.mark.parametrize(
    ("text", "outcomes", "places", "absent"),
    [
        ("+:-", ["won", "lost"], [1, 2], [False, True]),
        ("-:+", ["lost", "won"], [2, 1], [True, False]),
        ("-:-", ["lost", "lost"], [2, 2], [True, True]),
    ],
)
def test_a_forfeit_of_one_side_or_of_both(text: str, outcomes, places, absent) -> None:
    match = at_a_table()
    ruled(match, text, "nobody at the table")
    seats = Result.objects.get().seats.order_by("index")
    assert list(seats.values_list("outcome", flat=True)) == outcomes
    assert list(seats.values_list("place", flat=True)) == places
    assert list(seats.values_list("is_absent", flat=True)) == absent
    assert Result.objects.get().kind == "forfeit"


def test_at_a_table_of_four_the_others_play_on() -> None:
    match = at_a_table("bohdan", "dmytro", "eva", "fedir", rules="klabor/4", length=Length.PARTIES, boards=2)
    says(match, "bohdan", "1:0:1:-")
    says(match, "eva", "1:0:1:-")
    assert decided(match) == [(1, "drawn"), (0, "lost"), (1, "drawn"), (0, "lost")]


def test_a_report_and_what_follows_from_it_are_one_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")

    def breaks(*_: object) -> None:
        raise RuntimeError("the plug is pulled")

    monkeypatch.setattr(reports, "decide", breaks)
    with pytest.raises(RuntimeError):
        confirm(match.pk, 1, account("dmytro"))
    assert (state(match), versions(match)) == ("reported", ["0 reported"])


def test_the_api_tells_what_was_said_and_by_which_side_and_by_no_name(client: Client) -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    says(match, "dmytro", "1:2", "he forgot the last one")
    ruled(match, "+:-", "no sheet, no score")
    told = client.get(f"/api/v1/matches/{match.public_id}").json()
    assert (told["length"], told["boards"], told["reported"], told["status"]) == ("best_of", 3, True, "finished")
    assert [(one["side"], one["points"], one["absent"], one["status"]) for one in told["reports"]] == [
        (0, [2, 1], [], "rejected"),
        (1, [1, 2], [], "rejected"),
        (None, [0, 0], [1], "confirmed"),
    ]
    assert [(seat["outcome"], seat["absent"], seat["parties_won"]) for seat in told["seats"]] == [
        ("won", False, 0),
        ("lost", True, 0),
    ]
    assert "bohdan" not in str(told["reports"])
