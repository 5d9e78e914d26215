"""What is told, when, and to whom: nothing before everybody may know it, nothing that did not happen, nothing twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from bots_api.challenges.services import challenge
from bots_api.models import Webhook, WebhookDelivery
from bots_api.webhooks.services import change, remove
from matches.core.agreement import ReportedScore
from matches.lane import drive
from matches.models import Agent, Match
from matches.services.desk import void_match
from matches.services.outbox import deliver_due as deliver_outbox
from matches.services.versions import house_agent
from tests.bots_api.challenges.asking import owner, program
from tests.bots_api.webhooks.hooks import club, hook_at, tell
from tests.matches.drawn import at_once, drawn
from tests.tournaments.services.people import SEED, better_number_wins, open_tables, people, play, referee, say
from tournaments.formats.lifecycle import Audience
from tournaments.models import Round, Tournament
from tournaments.services import corrections, draws, publishing, running

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
seen_by_others = pytest.mark.django_db(transaction=True)
SITE = "http://127.0.0.1:1024/club"


def owed(event: str = "") -> list[Any]:
    rows = WebhookDelivery.objects.order_by("id")
    return [json.loads(body) for body in (rows.filter(event=event) if event else rows).values_list("body", flat=True)]


def listening(tournament: str = "") -> Webhook:
    return hook_at(SITE, "match.finished", "round.drawn", "standings.published", tournament=tournament)


def api(address: str, status: int = 200) -> Any:
    answer = Client().get(address.removeprefix("http://localhost:8000"))
    assert answer.status_code == status
    return answer.json()


def swiss(slug: str = "hall", **options: Any) -> Tournament:
    competition = people(4, ("swiss", {"settings": {"rounds": 2}}), slug=slug, **options)
    running.start(competition.pk, SEED)
    competition.refresh_from_db()
    return competition


def drawn_round(competition: Tournament, number: int = 1) -> Round:
    return Round.objects.get(stage__tournament=competition, number=number)


def test_only_those_who_want_it_are_told() -> None:
    there, elsewhere, deaf = (hook_at(f"{SITE}/{number}") for number in range(3))
    change(elsewhere, tournament="t_" + "0" * 22)
    change(deaf, is_active=False)
    hook_at(SITE, "match.finished")
    gone = hook_at(SITE, owner=club("bohdan"))
    gone.owner.is_active = False
    gone.owner.save()
    tell("one")
    tell("two", tournament="t_" + "0" * 22)
    tell("three", tournament="t_" + "1" * 22)
    told = WebhookDelivery.objects.order_by("id").values_list("webhook", "subject")
    assert list(told) == [(there.pk, "one"), (there.pk, "two"), (elsewhere.pk, "two"), (there.pk, "three")]


@seen_by_others
def test_the_same_news_is_owed_once_and_what_did_not_happen_is_not() -> None:
    hook_at(SITE)

    class PowerCut(Exception):
        pass

    def half_done() -> None:
        with transaction.atomic():
            tell("never")
            raise PowerCut

    with pytest.raises(PowerCut):
        half_done()
    at_once(*[lambda: tell("one")] * 6)
    assert list(WebhookDelivery.objects.values_list("subject", flat=True)) == ["one"]


@seen_by_others
def test_a_webhook_that_is_removed_at_this_moment_stops_nobody() -> None:
    for turn in range(10):
        hook = hook_at(SITE)
        at_once(*[lambda turn=turn: tell(f"{turn}")] * 3, *[lambda hook=hook: remove(hook)] * 2)
        assert not Webhook.objects.exists()
        assert not WebhookDelivery.objects.exists()


def test_a_match_is_told_as_the_api_shows_it_and_again_when_it_is_corrected_or_annulled() -> None:
    competition = swiss()
    listening()
    table = open_tables(competition)[0]
    say(table.match, better_number_wins(table))
    assert owed() == []
    deliver_outbox()
    (told,) = owed("match.finished")
    content = told["data"]
    assert (content["status"], content["tournament"]) == ("finished", competition.public_id)
    assert content["url"] == f"http://localhost:8000/m/{table.match.public_id}/"
    shown = api(content["api_url"])
    assert {key: shown[key] for key in content if key in shown} == {
        key: content[key] for key in content if key in shown
    }
    corrections.correct(table.match.public_id, ReportedScore((1, 2)), "read upside down")
    deliver_outbox()
    corrections.void(table.match.public_id, "nobody was there")
    deliver_outbox()
    deliver_outbox()
    points = [[seat["points"] for seat in one["data"]["seats"]] for one in owed("match.finished")]
    assert points == [list(better_number_wins(table).points), [1, 2], [None, None]]
    assert [one["data"]["status"] for one in owed("match.finished")] == ["finished", "finished", "void"]


def test_of_a_match_that_was_corrected_before_its_news_went_out_the_correction_alone_is_told() -> None:
    competition = swiss()
    listening()
    table = open_tables(competition)[0]
    say(table.match, better_number_wins(table))
    corrections.correct(table.match.public_id, ReportedScore((1, 2)), "read upside down")
    deliver_outbox()
    (told,) = owed("match.finished")
    assert [seat["points"] for seat in told["data"]["seats"]] == [1, 2]


def test_a_match_that_was_never_finished_is_no_news() -> None:
    listening()
    void_match(drawn().pk, "the hall is on fire")
    deliver_outbox()
    assert owed() == []


@seen_by_others
def test_challenges_are_told_too_and_say_whose_they_are() -> None:
    listening()
    made = challenge(owner("bohdan"), program("bohdan"), [program("bohdan")], boards=1, deals=1)
    alone = challenge(owner("bohdan"), program("bohdan"), [house_agent("greedy@1")], boards=1, deals=1)
    drawn("greedy@1", "random@1", title="outside")
    Agent.objects.filter(kind="push").update(kind="house", label="greedy@1")  # so that they play without a server
    assert drive(slots=4, seconds=30) == 3
    deliver_outbox()
    flags = {one["data"]["id"]: one["data"]["same_owner"] for one in owed("match.finished")}
    assert (flags[made.match.public_id], flags[alone.match.public_id], len(flags)) == (True, False, 3)
    assert {one["data"]["tournament"] for one in owed()} == {None}


def test_a_round_is_told_when_everybody_may_see_it_and_its_results_with_it() -> None:
    listening()
    competition = swiss(auto_draw=False, auto_publish=False)
    first = drawn_round(competition)
    draws.confirm(first.pk)
    assert owed() == []
    draws.release(first.pk, Audience.PARTICIPANTS)
    table = open_tables(competition)[0]
    say(table.match, better_number_wins(table))
    deliver_outbox()
    assert owed() == [], "a stranger learns of a round that only its participants may see"
    draws.release(first.pk, Audience.PUBLIC)
    deliver_outbox()
    drawn_one, finished = owed()
    assert (drawn_one["type"], finished["type"]) == ("round.drawn", "match.finished")
    assert finished["data"]["id"] == table.match.public_id
    assert drawn_one["data"]["tournament"]["id"] == competition.public_id
    told = drawn_one["data"]["round"]
    assert api(told["api_url"])["id"] == told["id"] == first.public_id
    assert Client().get(told["url"].removeprefix("http://localhost:8000")).status_code == 200
    draws.release(first.pk, Audience.PARTICIPANTS)
    draws.release(first.pk, Audience.PUBLIC)
    deliver_outbox()
    assert len(owed()) == 2


def test_what_has_not_arrived_of_a_round_that_is_hidden_again_is_taken_back_and_told_anew() -> None:
    hook = listening()
    hook_at(SITE, "round.drawn", owner=club("bohdan"))
    competition = swiss(auto_draw=False, auto_publish=False)
    other = swiss("other")
    first = drawn_round(competition)
    draws.confirm(first.pk)
    draws.release(first.pk, Audience.PUBLIC)
    table = open_tables(competition)[0]
    say(table.match, better_number_wins(table))
    deliver_outbox()
    of_it = WebhookDelivery.objects.filter(subject__regex=f"^({first.public_id}|{table.match.public_id})")
    of_it.filter(webhook=hook, event="round.drawn").update(delivered_at=timezone.now(), next_try_at=None)
    assert of_it.count() == 3
    draws.release(first.pk, Audience.PARTICIPANTS)
    assert list(of_it.values_list("webhook", "event")) == [(hook.pk, "round.drawn")]
    assert WebhookDelivery.objects.filter(subject=drawn_round(other).public_id).count() == 2
    draws.release(first.pk, Audience.PUBLIC)
    deliver_outbox()
    assert of_it.count() == 3


@pytest.mark.parametrize(
    ("name", "settings", "rounds"),
    [("swiss", {"rounds": 3}, 3), ("round_robin", {}, 3), ("single_elimination", {}, 2)],
)
def test_rounds_that_go_by_themselves_are_each_told_once(name: str, settings: dict[str, Any], rounds: int) -> None:
    listening()
    competition = people(4, (name, {"settings": settings}))
    running.start(competition.pk, SEED)
    play(competition)
    deliver_outbox()
    assert [one["data"]["round"]["number"] for one in owed("round.drawn")] == list(range(1, rounds + 1))
    finished = {one["data"]["id"] for one in owed("match.finished")}
    assert finished == set(Match.objects.values_list("public_id", flat=True))
    (standings,) = owed("standings.published")
    told = standings["data"]["standings"]
    assert api(told["api_url"])["published"]["sha256"] == told["sha256"]
    assert Client().get(told["url"].removeprefix("http://localhost:8000")).status_code == 200


def test_standings_are_told_as_often_as_they_are_published() -> None:
    competition = swiss(auto_publish=False)
    listening(competition.public_id)
    play(competition)
    deliver_outbox()
    assert owed("standings.published") == []
    publishing.publish(competition.pk, referee())
    table = Match.objects.order_by("id").first()
    corrections.correct(table.public_id, ReportedScore((1, 2)), "read upside down")
    publishing.publish(competition.pk, referee())
    assert [one["data"]["standings"]["number"] for one in owed("standings.published")] == [1, 2]


def test_what_is_only_tried_is_not_told() -> None:
    competition = swiss()
    play(competition)
    deliver_outbox()
    listening()
    table = Match.objects.order_by("id").first()
    corrections.preview(table.public_id, ReportedScore((1, 2)))
    deliver_outbox()
    assert owed() == []
