"""The pages of matches, parties and players: facts once they are open, and never a card before."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client, RequestFactory
from django.views import defaults

from engine import rules_of
from engine.cards import CARD_TEXTS
from engine.steps import steps
from matches.core.outcome import unit_of
from matches.models import Board, Match, Party, PartyEvent
from matches.services.claim import claim_due
from matches.services.desk import void_match
from matches.services.finish import begin_party
from matches.web.wording import forfeit_words
from tests.cast import tournament
from tests.web.evening import Evening
from tests.web.test_tournament_pages import page, words
from tournaments.services import running

pytestmark = pytest.mark.django_db


def replay_of(party: Party) -> str:
    return f"{party.match.get_absolute_url()}parties/{party.number}/"


def states(html: str) -> list[dict]:
    return json.loads(re.search(r'<script id="states" type="application/json">(.*?)</script>', html, re.S)[1])


def test_a_finished_match_shows_scores_promises_and_seeds(client: Client, evening: Evening) -> None:
    match = evening.clean
    html = page(client, match.get_absolute_url())
    first, second = match.result.seats.all()
    shown = re.findall(r'<p class="duel-points numbers">(-?\d+) <span class="duel-unit">points</span>', html)
    assert shown == [str(first.points), str(second.points)]
    scores = [int(score) for score in re.findall(r'data-test="score">(-?\d+)<', html)]
    assert (sum(scores[0::2]), sum(scores[1::2])) == (first.points, second.points)
    for board in match.boards.all():
        assert board.commitment in html
        assert bytes(board.seed).hex() in html
    for party in match.parties.all():
        assert f'href="{replay_of(party)}"' in html
        assert f'href="/api/v1/parties/{party.public_id}/record"' in html
    assert f'href="{evening.cup.get_absolute_url()}"' in html
    assert "Faults" not in words(html)


def test_a_void_match_has_no_winner(client: Client, evening: Evening) -> None:
    match = evening.faulty
    assert " · won" in words(page(client, match.get_absolute_url()))
    void_match(match.pk, "played with the wrong version")
    html = page(client, match.get_absolute_url())
    assert "Played with the wrong version" in words(html)
    for sign in (" · won", "duel-won", "duel-lost", "duel-points"):
        assert sign not in html


def test_faults_are_public_facts(client: Client, evening: Evening) -> None:
    text = words(page(client, evening.faulty.get_absolute_url()))
    assert "forfeited by Absent-minded" in text
    assert "Absent-minded could not be reached; the party is forfeited unreachable" in text
    assert "keeps nothing of it but a debt; the other side has what it wrote, at least 200 points." in text


@pytest.mark.parametrize(
    ("preset", "deals", "told"),
    [
        ("moscow/2", 2, "Who forfeits a party keeps nothing of it but a debt; the other side has what it wrote"),
        ("moscow/3", 2, "every other side has what it wrote, at least 200 points."),
        ("moscow/2", None, "A forfeited party is won by the other side. Who forfeits it keeps nothing"),
        ("house/4", None, "A forfeited party is won by every other side."),
        ("short/2", None, "Who forfeits a party pays the other side the stake as it stands."),
        ("short_bait/2", None, "pays the other side the stake as it stands, twice if he is the maker."),
        ("short/3", None, "Who forfeits a party pays every other side the stake as it stands."),
    ],
)
def test_what_a_forfeit_costs_is_told(preset: str, deals: int | None, told: str) -> None:
    rules = rules_of(preset, {"deals": deals} if deals else {})
    assert told in forfeit_words(unit_of(rules), rules, 200)


def test_two_versions_of_one_player_are_told_apart(client: Client, evening: Evening) -> None:
    match = evening.twins
    html = page(client, match.get_absolute_url())
    assert "<title>Twin (greedy@1) – Twin (random@1)" in html
    assert 'title="Twin (random@1)"' in html
    replayed = page(client, replay_of(match.parties.get(number=2)))
    assert re.findall(r'class="seat-who" title="([^"]+)"', replayed) == ["Twin (random@1)", "Twin (greedy@1)"]


@pytest.fixture
def half_played(evening: Evening) -> Match:
    """A match of two boards whose first party is over and whose second is being played, as rows say it."""
    small = tournament("greedy@1", "random@1", slug="small", boards=2)
    running.start(small.pk)
    match = Match.objects.get(pairing__round__stage__tournament=small)
    [lease] = [one for one in claim_due("tests", 10) if one.match_id == match.pk]
    finished = evening.clean.parties.first()
    first, second = match.parties.order_by("number")[:2]
    begin_party(lease, second.pk)
    Party.objects.filter(pk=first.pk).update(
        status="finished",
        record_json=finished.record_json,
        totals=[77_701, 77_702],
        reason="deals",
        finished_at=finished.finished_at,
    )
    return match


def test_a_running_match_shows_its_progress_and_no_card(client: Client, half_played: Match) -> None:
    html = page(client, half_played.get_absolute_url())
    assert "1 of 4 parties are over." in words(html)
    for board in Board.objects.filter(match=half_played):
        assert board.commitment in html
        assert bytes(board.seed).hex() not in html
    assert "77701" not in html
    assert "/replay" not in html
    assert "/parties/" not in html
    for told in (words(html), client.get(f"/api/v1/matches/{half_played.public_id}").content.decode()):
        assert not re.search(r"\b(?:" + "|".join(CARD_TEXTS) + r")\b", told)


def test_a_party_that_is_over_stays_closed_while_its_board_is_played(client: Client, half_played: Match) -> None:
    first = half_played.parties.get(number=1)
    html = page(client, replay_of(first), status=409)
    assert "states" not in html
    assert "77701" not in html
    assert client.get(f"/api/v1/parties/{first.public_id}/record").status_code == 409
    page(client, f"{half_played.get_absolute_url()}parties/9/", status=404)


def test_faults_stay_closed_with_the_cards_of_their_board(client: Client, half_played: Match) -> None:
    """Who played by default tells a program something of a board that it has still to play."""
    first = half_played.parties.get(number=1)
    PartyEvent.objects.create(party=first, seq=0, seat=0, action="pass", cause="timeout", fence=1)
    html = page(client, half_played.get_absolute_url())
    assert "Faults" not in words(html)
    assert "timeout" not in html
    twin = first.board.parties.exclude(pk=first.pk).get()
    columns = ("record_json", "totals", "reason", "finished_at")
    Party.objects.filter(pk=twin.pk).update(status="finished", **{name: getattr(first, name) for name in columns})
    assert "ran out of time timeout" in words(page(client, half_played.get_absolute_url()))


def test_a_running_match_costs_no_query_for_each_party(
    client: Client, half_played: Match, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(11):
        page(client, half_played.get_absolute_url())


def test_a_match_that_is_over_stops_being_asked_for(client: Client, evening: Evening) -> None:
    address = evening.clean.get_absolute_url()
    assert "hx-get" not in page(client, address)
    last = client.get(address, headers={"HX-Request": "true"})
    assert (last.status_code, last["HX-Refresh"]) == (286, "true")
    waiting = evening.unplayed.get_absolute_url()
    assert "hx-get" in page(client, waiting)
    assert client.get(waiting, headers={"HX-Request": "true"}).status_code == 200


def test_a_replay_holds_every_step_of_the_record(client: Client, evening: Evening) -> None:
    for party in evening.clean.parties.all():
        html = page(client, replay_of(party))
        walked = steps(party.record)
        shown = states(html)
        assert len(shown) == len(walked) == html.count('data-test="step"')
        assert shown[-1]["totals"] == party.totals == party.record["result"]["totals"]
        assert f'data-totals="{party.totals[0]},{party.totals[1]}"' in html
        assert [state["hands"] for state in shown] == [[list(hand) for hand in step.hands] for step in walked]


def test_a_replay_seats_the_players_as_the_rotation_did(client: Client, evening: Evening) -> None:
    names = [seat.agent.player.name for seat in evening.clean.seats.all()]
    for party in evening.clean.parties.all():
        turned = names if party.rotation == 0 else names[::-1]
        html = page(client, replay_of(party))
        assert re.findall(r'<span class="scorebar-name" title="[^"]*">([^<]+)</span>', html) == turned


def test_a_replay_reads_well_without_a_script(client: Client, evening: Evening) -> None:
    party = evening.clean.parties.first()
    html = page(client, replay_of(party))
    text = words(html[html.index('id="moves"') : html.index('<script id="states"')])
    assert "deals six cards to everybody and turns up" in text
    assert re.search(r"leads (seven|eight|nine|ten|jack|queen|king|ace) of (clubs|diamonds|hearts|spades)", text)
    assert "The deal is over: played out" in text
    assert "all deals played" in text
    assert "[" not in text


def test_a_defaulted_action_says_why(client: Client, evening: Evening) -> None:
    party = evening.faulty.parties.first()
    assert "Played by default: Absent-minded could not be reached." in words(page(client, replay_of(party)))


def test_a_house_player_has_a_page(client: Client, evening: Evening) -> None:
    agent = evening.clean.seats.first().agent
    text = words(page(client, f"/p/{agent.player.public_id}/"))
    assert "House program" in text
    assert f"{agent.label} (active, answers at once)" in text
    assert re.search(r"\d won, \d drawn, \d lost", text)
    page(client, "/p/p_0000000000000000000000/", status=404)


def test_a_page_that_does_not_exist_says_so_in_our_frame(client: Client, evening: Evening) -> None:
    for path in ("/nowhere", "/m/m_0000000000000000000000/", "/t/nothing/", "/b/b_0000000000000000000000/"):
        assert "No such page" in page(client, path, status=404)


@pytest.mark.parametrize("page_of_error", [defaults.server_error, defaults.bad_request, defaults.permission_denied])
def test_pages_of_errors_need_nothing(rf: RequestFactory, page_of_error) -> None:
    """They are shown when little works: without a user, a session or a database."""
    request = rf.get("/")
    response = page_of_error(request) if page_of_error is defaults.server_error else page_of_error(request, Exception())
    assert response.status_code in (400, 403, 500)
    assert "To the front page" in response.content.decode()


def test_health_is_told(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response["Cache-Control"]


def test_only_reading_is_allowed(client: Client, evening: Evening) -> None:
    for path in ("/", evening.cup.get_absolute_url(), evening.clean.get_absolute_url()):
        assert client.post(path).status_code == 405
