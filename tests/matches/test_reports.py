"""Who says how a match ended, who confirms it, and what is written then: once, whoever says it and however often."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client

from matches.core.agreement import parse_score
from matches.core.lifecycle import MatchStatus, may_move
from matches.core.plan import Length
from matches.lane import drive
from matches.models import Agent, Match, Outbox, Player, Result, ResultSeat, ScoreReport
from matches.services import reports
from matches.services.claim import claim_due, renew
from matches.services.desk import hold_matches, release_matches, void_match
from matches.services.finish import LostLease, finish_match
from matches.services.journal import append
from matches.services.players import person
from matches.services.reports import ReportRefused, confirm, dispute, report, rule, withdraw_report
from matches.services.versions import house_agent, person_agent
from tests.matches.drawn import at_once, claimed, drawn, event
from tests.matches.people import account, at_a_table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
committed = pytest.mark.django_db(transaction=True)
"""For lanes and for several connections, which see what is committed only."""


def says(match: Match, name: str, text: str, reason: str = "") -> ScoreReport:
    return report(match.pk, account(name), parse_score(text), reason)


def ruled(match: Match, text: str, reason: str = "seen by Anna") -> ScoreReport:
    return rule(match.pk, account("anna"), parse_score(text), reason)


def versions(match: Match) -> list[str]:
    """Each version: whose, what it is now."""
    kept = match.reports.order_by("version").values_list("side", "status")
    return [f"{'-' if side is None else side} {status}" for side, status in kept]


def state(match: Match) -> str:
    match.refresh_from_db()
    return match.status


def decided(match: Match) -> list[tuple[int, str]]:
    return list(ResultSeat.objects.filter(result=match.pk).order_by("index").values_list("points", "outcome"))


def news(match: Match) -> list[str]:
    return list(Outbox.objects.filter(match=match).order_by("id").values_list("kind", flat=True))


def refused(code: str):
    return pytest.raises(ReportRefused, check=lambda refusal: refusal.code == code)


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
    dispute(match.pk, account("dmytro"), parse_score("1:2"), "he forgot the last one")
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


def test_a_ruling_takes_a_match_of_programs_from_the_lane_that_plays_it() -> None:
    match = drawn(boards=2)
    lease = claimed("lane")
    ruled(match, "+:-", "the second is the first under another name")
    assert (state(match), match.fence, match.lease_until) == ("finished", lease.fence + 1, None)
    assert renew("lane", [lease]) == frozenset()
    assert append([event(lease)]) == frozenset()
    with pytest.raises(LostLease):
        finish_match(lease)
    assert set(match.parties.values_list("status", flat=True)) == {"void"}
    assert (decided(match), news(match)) == ([(0, "won"), (0, "lost")], ["match_finished"])


@pytest.mark.parametrize("status", [MatchStatus.READY, MatchStatus.HELD, MatchStatus.STALLED])
def test_a_ruling_ends_a_match_of_programs_from_every_state(status: MatchStatus) -> None:
    match = drawn()
    Match.objects.update(status=status)
    with refused("played_here"):
        owned_by(match, "bohdan")
        says(match, "bohdan", "1:0")
    ruled(match, "-:-", "both gone")
    assert (state(match), claim_due("lane", 5)) == ("finished", ())


def owned_by(match: Match, name: str) -> None:
    Player.objects.filter(agents__match_seats__match=match, agents__match_seats__index=0).update(
        kind="bot", owner=account(name)
    )


@committed
def test_a_ruling_on_what_lanes_have_played() -> None:
    match = drawn("greedy@1", "random@1")
    drive(slots=1, seconds=30)
    played = decided(match)
    assert state(match) == "finished"
    assert Result.objects.get().report is None
    ruled(match, "1:2", "an agreed result")
    assert decided(match) == [(1, "lost"), (2, "won")] != played
    assert news(match) == ["match_finished", "result_corrected"]
    assert set(match.parties.values_list("status", flat=True)) == {"finished"}


@committed
def test_eight_confirm_at_once_and_there_is_one_result() -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    account("dmytro")
    confirmed = at_once(*[lambda: confirm(match.pk, 1, account("dmytro"))] * 8)
    assert {one.version for one in confirmed} == {1}
    assert (Result.objects.count(), ResultSeat.objects.count(), news(match)) == (1, 2, ["match_finished"])


@committed
def test_eight_report_and_rule_at_once_and_one_version_is_confirmed() -> None:
    match = at_a_table()
    account("anna")
    works = [partial(says, match, "bohdan", "2:1"), partial(says, match, "dmytro", "2:1")]
    works += [partial(says, match, "dmytro", "1:2"), partial(ruled, match, "0:2")]
    at_once(*[partial(tried, work) for work in works * 2])
    kept = ScoreReport.objects.filter(match=match, status="confirmed")
    assert (kept.count(), Result.objects.count(), ResultSeat.objects.count()) == (1, 1, 2)
    assert [points for points, _ in decided(match)] == kept.get().points
    assert not ScoreReport.objects.filter(match=match, status="reported").exists()


STATES = {
    "ready": lambda: drawn(),
    "running": lambda: _set(drawn(), "running"),
    "stalled": lambda: _set(drawn(), "stalled"),
    "held": lambda: drawn(held=True),
    "held_of_people": lambda: at_a_table(held=True),
    "awaited": lambda: at_a_table(),
    "reported": lambda: _said(at_a_table(), "bohdan 2:1"),
    "disputed": lambda: _said(at_a_table(), "bohdan 2:1", "dmytro 1:2"),
    "finished": lambda: _said(at_a_table(), "bohdan 2:1", "dmytro 2:1"),
    "void": lambda: void_match(at_a_table().pk, "for the test"),
}
VERBS = {
    "report": lambda match: says(match, "dmytro", "0:2"),
    "agree": lambda match: says(match, "dmytro", "2:1"),
    "confirm": lambda match: confirm(match.pk, 1, account("dmytro")),
    "withdraw": lambda match: withdraw_report(match.pk, account("dmytro")),
    "rule": lambda match: ruled(match, "0:2"),
}
BECOMES = """
                    report       agree        confirm          withdraw          rule
    ready           played_here  played_here  no_such_version  played_here       finished
    running         played_here  played_here  no_such_version  played_here       finished
    stalled         played_here  played_here  no_such_version  played_here       finished
    held            played_here  played_here  no_such_version  played_here       finished
    held_of_people  held         held         no_such_version  held              finished
    awaited         reported     reported     no_such_version  nothing_reported  finished
    reported        disputed     finished     finished         nothing_reported  finished
    disputed        disputed     finished     finished         reported          finished
    finished        over         finished     finished         over              finished
    void            void         void         no_such_version  void              void
"""
"""What a match becomes by a verb, or why not. A report in a dispute is refused, which leaves it disputed."""


def _set(match: Match, status: str) -> Match:
    Match.objects.filter(pk=match.pk).update(status=status, started_at=match.created_at)
    return match


def _said(match: Match, *told: str) -> Match:
    for one in told:
        says(match, *one.split())
    return match


@pytest.mark.parametrize(
    ("old", "verb", "becomes"),
    [
        (old, verb, becomes)
        for old, *row in (line.split() for line in BECOMES.strip().splitlines()[1:])
        for verb, becomes in zip(VERBS, row, strict=True)
    ],
)
def test_every_verb_from_every_state(old: str, verb: str, becomes: str) -> None:
    match = STATES[old]()
    if not match.is_reported:
        Player.objects.filter(agents__match_seats__match=match, agents__match_seats__index=1).update(
            kind="bot", owner=account("dmytro")
        )
    before = state(match)
    refusal = tried(lambda: VERBS[verb](match))
    after = state(match)
    assert (refusal or after) == becomes
    assert before == after or (may_move(MatchStatus(before), MatchStatus(after)) and not refusal)
    assert Result.objects.count() == (after == "finished")


def tried(work: Callable[[], object]) -> str:
    """Why it was refused; empty where it was not."""
    try:
        work()
    except ReportRefused as refusal:
        return refusal.code
    return ""


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
