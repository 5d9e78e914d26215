"""What becomes of answers: every row of protocol §6's table, over a real server."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection
from django.db.models import F

from bots_api.models import PullDecision
from bots_api.pull.server import trips
from bots_api.pull.server.trips import Given, Put
from bots_api.tokens import make_token
from bots_api.wire import REPLY_LIMIT, Reply
from matches.models import User
from matches.permissions import Scope
from matches.public_ids import new_id
from tests.bots_api.pull.calling import Caller, asked, caller, kept, put, put_in, request
from tests.bots_api.pull.mailing import server_seen
from tests.deploy.processes import within
from tests.matches.drawn import conninfo
from tests.pull_program import Served, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def open_decision(one: Caller, **changed: object) -> str:
    (decision_id,) = put_in(asked(one, **changed))
    return decision_id


def given_ago(decision_id: str, seconds: float) -> None:
    """Lets a decision's clock run for so long already, with a server that was there and is there."""
    server_seen(-600)
    ago = timedelta(seconds=seconds)
    PullDecision.objects.filter(decision_id=decision_id).update(made_at=F("made_at") - ago, given_at=F("made_at") - ago)


def test_200_says_what_was_charged_and_a_retry_says_the_same_again(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    given_ago(decision_id, 6.5)
    first = put(server.base_url, one, decision_id, {"action": "play:8C", "note": "tries the eight"})
    row = kept(decision_id)
    assert (row.state, row.action, row.note) == ("answered", "play:8C", "tries the eight")
    assert row.elapsed_ms >= 6_500
    charged = row.elapsed_ms - 250
    assert first.content == {"accepted": True, "charged_ms": charged, "bank_ms": 60_000 - (charged - 5_000)}
    again = put(server.base_url, one, decision_id, {"action": "play:8C"})
    assert (again.status, again.content) == (200, {**first.content, "replayed": True})
    assert kept(decision_id) == row


def test_an_answer_whose_reply_was_lost_is_accepted_once(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    lost = http.client.HTTPConnection(urlsplit(server.base_url).netloc)
    lost.request("PUT", f"/api/v1/decisions/{decision_id}", b'{"action":"play:TD"}', one.headers)
    lost.close()
    again = put(server.base_url, one, decision_id, {"action": "play:TD"})
    assert (again.status, again.content["accepted"]) == (200, True)
    assert kept(decision_id).action == "play:TD"


def test_a_slash_at_the_end_of_an_address_is_no_other_address(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    polled = request(server.base_url, "GET", "bot/decisions/?wait=0", headers=one.headers)
    assert [told["decision_id"] for told in polled.content["decisions"]] == [decision_id]
    answered = request(server.base_url, "PUT", f"decisions/{decision_id}/", b'{"action":"play:7C"}', one.headers)
    assert (answered.status, answered.content["accepted"]) == (200, True)


def test_409_another_answer_was_accepted(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    put(server.base_url, one, decision_id, {"action": "play:8C"})
    other = put(server.base_url, one, decision_id, {"action": "play:7C"})
    assert (other.status, other.code, other.content["action"]) == (409, "already_decided", "play:8C")
    assert kept(decision_id).action == "play:8C"


def test_410_the_answer_came_too_late_and_says_what_was_played(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one, budget_ms=1_000, bank_ms=500, grace_ms=250)
    given_ago(decision_id, 1.8)
    late = put(server.base_url, one, decision_id, {"action": "play:8C"})
    assert (late.status, late.code) == (410, "deadline_passed")
    assert (late.content["played"], late.content["cause"]) == ("play:7C", "timeout")
    row = kept(decision_id)
    assert (row.state, row.cause, row.played, row.elapsed_ms, row.action) == ("closed", "timeout", "play:7C", 1_750, "")
    assert row.reply == '{"action": "play:8C"}'
    assert put(server.base_url, one, decision_id, {"action": "play:7C"}).body == late.body


def test_503_nobody_is_late_while_none_of_our_servers_was_there(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one, budget_ms=1_000, bank_ms=500, grace_ms=250)
    given_ago(decision_id, 36_000)
    assert put(server.base_url, one, decision_id, {"action": "play:8C"}).status == 503
    assert kept(decision_id).cause == "infra"


def test_nobodys_clock_runs_before_one_of_our_servers_is_there() -> None:
    one = caller()
    decision_id = open_decision(one, budget_ms=1_000, bank_ms=600_000)
    given_ago(decision_id, 36_000)
    server_seen(-600, alive_for=600.5)
    assert trips.settle([Put(decision_id, one.agent_id, Reply("play:7C"), time.monotonic())])[0].accepted
    assert kept(decision_id).elapsed_ms < 300_000


def test_whoever_waits_for_a_row_that_is_held_gains_nothing() -> None:
    one = caller()
    decision_id = open_decision(one)
    given_ago(decision_id, 3)
    with psycopg.connect(conninfo()) as session:
        session.execute("SELECT 1 FROM bots_api_pulldecision WHERE decision_id = %s FOR UPDATE", [decision_id])
        threading.Timer(1, session.rollback).start()
        trips.settle([Put(decision_id, one.agent_id, Reply("play:7C"), time.monotonic())])
    assert kept(decision_id).elapsed_ms >= 2_950


def test_what_was_flushed_before_the_decision_was_asked_again_starts_no_clock() -> None:
    one = caller()
    earlier, ended = put_in(asked(one), asked(one))
    PullDecision.objects.filter(decision_id=ended).update(state="closed", cause="timeout", decided_at=F("made_at"))
    trips.settle([Given(earlier, time.monotonic() - 600), Given(ended, time.monotonic())])
    assert (kept(earlier).given_at, kept(ended).given_at) == (None, None)


def test_503_a_decision_that_our_failure_closed_may_be_answered_again(server: Served) -> None:
    one = caller()
    letter = asked(one, budget_ms=0, bank_ms=0, grace_ms=0)
    put_in(letter)
    PullDecision.objects.update(
        state="closed", cause="infra", played="play:7C", decided_at=F("made_at"), made_at=F("made_at")
    )
    refused = put(server.base_url, one, letter.decision_id, {"action": "play:8C"})
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    put_in(letter._replace(bank_ms=60_000))
    PullDecision.objects.update(bank_ms=60_000)
    assert put(server.base_url, one, letter.decision_id, {"action": "play:8C"}).status == 200


def test_422_an_illegal_action_is_corrected_once_with_the_clock_running(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    first = put(server.base_url, one, decision_id, {"action": "play:AS"})
    assert (first.status, first.code) == (422, "illegal_action")
    assert first.content["legal"] == ["play:7C", "play:8C", "play:TD"]
    assert "played" not in first.content
    row = kept(decision_id)
    assert (row.state, row.is_corrected, row.reply) == ("open", True, '{"action": "play:AS"}')
    again = put(server.base_url, one, decision_id, {"action": "play:AS", "note": "its reply was lost"})
    assert (again.status, again.body, kept(decision_id)) == (422, first.body, row)
    assert put(server.base_url, one, decision_id, {"action": "play:8C"}).status == 200
    assert kept(decision_id).is_corrected


@pytest.mark.parametrize(
    ("correctable", "tried", "revokes", "said", "played"),
    [
        (True, "play:AS", (), "play:AS", "play:7C"),
        (False, "play:AS", (), "play:AS", "play:7C"),
        (False, "play:AS", ("play:AS",), "play:AS", "play:AS"),  # R66: the card lies on the table
        (False, "fly", (), "", "play:7C"),
    ],
)
def test_422_a_second_illegal_action_is_the_fault(
    server: Served, correctable: bool, tried: str, revokes: tuple[str, ...], said: str, played: str
) -> None:
    one = caller()
    decision_id = open_decision(one, is_correctable=correctable, revokes=revokes)
    if correctable:
        assert "played" not in put(server.base_url, one, decision_id, {"action": "play:KS"}).content
    fault = put(server.base_url, one, decision_id, {"action": tried})
    assert (fault.status, fault.content["played"], fault.content["cause"]) == (422, played, "illegal")
    row = kept(decision_id)
    assert (row.state, row.cause, row.tried, row.played) == ("closed", "illegal", said, played)
    assert row.reply == f'{{"action": "{tried}"}}'
    assert put(server.base_url, one, decision_id, {"action": "play:7C"}).code == "deadline_passed"


def test_404_is_the_same_bytes_for_what_is_unknown_and_what_is_another_s(server: Served) -> None:
    anna, other = caller(), caller()
    decision_id = open_decision(anna)
    unknown = put(server.base_url, other, new_id("dec_"), {"action": "play:7C"})
    hers = put(server.base_url, other, decision_id, {"action": "play:7C"})
    assert unknown.status == 404
    assert hers.body == unknown.body
    assert hers.headers.keys() == unknown.headers.keys()
    for strange in ("dec_", "dec_%00", "x" * 5_000, "dec_" + "ä" * 22):
        path = f"decisions/{strange}".encode("ascii", "ignore").decode()
        assert request(server.base_url, "PUT", path, b'{"action":"play:7C"}', other.headers).status == 404
    assert kept(decision_id).state == "open"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"play:7C", 400),
        (b'{"action":"play:7C"} x', 400),
        (b'["play:7C"]', 400),
        (b'{"action":null}', 400),
        (b'{"action":7}', 400),
        (b'{"act":"play:7C"}', 400),
        (b'{"action":"play:7C","n":NaN}', 400),
        (b'{"action":"play:7C","n":' + b"9" * 10_000 + b"}", 400),
        (b'{"action":"play:7C","n":' + b"[" * 8_000 + b"]" * 8_000 + b"}", 400),
        (b'{"action":"play:7C","n":"\xff"}', 400),
        (b'{"action":"play:7C","n":"' + b"x" * REPLY_LIMIT + b'"}', 413),
    ],
)
def test_a_malformed_body_changes_nothing(server: Served, body: bytes, status: int) -> None:
    one = caller()
    decision_id = open_decision(one)
    refused = put(server.base_url, one, decision_id, body)
    assert (refused.status, refused.code) == (status, "malformed")
    assert refused.headers["content-type"] == "application/problem+json"
    row = kept(decision_id)
    assert (row.state, row.is_corrected) == ("open", False)


def test_the_owner_can_see_what_was_sent_and_is_no_answer(server: Served) -> None:
    one, other = caller(), caller()
    decision_id, untouched = put_in(asked(one), asked(other))
    long = '{"note":"' + "y" * 5_000 + '","action": '
    for whose in (decision_id, untouched):
        assert put(server.base_url, one, whose, long.encode() + b"\x00\xff").status == 400
    assert within(20, lambda: kept(decision_id).reply == long + 2 * "\N{REPLACEMENT CHARACTER}")
    assert kept(untouched).reply == ""


def test_a_body_in_chunks_with_unknown_fields_and_half_characters_is_read(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc)
    chunks = iter([b'{"action":"pl', b'ay:8C","thought":[1,{}],', b'"note":"\\ud800\\u0000 so"}'])
    connection.request("PUT", f"/api/v1/decisions/{decision_id}", chunks, one.headers, encode_chunked=True)
    assert connection.getresponse().read().startswith(b'{"accepted":true')
    connection.close()
    assert kept(decision_id).note == "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER} so"


def test_chunks_without_end_are_refused(server: Served) -> None:
    one = caller()
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=30)
    chunks = iter([b"x" * 8_000] * 3)
    connection.request("PUT", f"/api/v1/decisions/{new_id('dec_')}", chunks, one.headers, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_503_without_a_database_and_then_it_is_taken(child_env: dict[str, str], server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    with serving({**child_env, "DATABASE_URL": "postgresql:///manela?host=/nonexistent"}) as lost:
        for method, path in (("PUT", f"decisions/{decision_id}"), ("GET", "bot/decisions"), ("GET", "bot/stream")):
            refused = request(lost.base_url, method, path, b'{"action":"play:8C"}', one.headers)
            assert (refused.status, refused.code, refused.headers["retry-after"]) == (503, "unavailable", "1")
    assert put(server.base_url, one, decision_id, {"action": "play:8C"}).status == 200


@contextmanager
def database_away() -> Iterator[None]:
    name = connection.settings_dict["NAME"]
    connection.close()
    with psycopg.connect(conninfo(), dbname="postgres", autocommit=True) as session:
        session.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        session.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        try:
            yield
        finally:
            session.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def test_an_answer_that_our_database_could_not_take_counts_from_when_it_came(server: Served) -> None:
    one = caller()
    server_seen(-600)
    began = time.monotonic()
    decision_id = open_decision(one)
    request(server.base_url, "GET", "bot/decisions?wait=0", headers=one.headers)
    assert within(20, lambda: kept(decision_id).given_at is not None)
    with database_away():
        assert put(server.base_url, one, decision_id, {"action": "play:7C"}).status == 503
        came_ms = 1_000 * (time.monotonic() - began)
        time.sleep(1)
    assert within(20, lambda: put(server.base_url, one, decision_id, {"action": "play:7C"}).status == 200)
    assert kept(decision_id).elapsed_ms < came_ms


def test_a_server_finds_a_database_that_was_started_again(server: Served) -> None:
    one = caller()
    decision_id = open_decision(one)
    assert request(server.base_url, "GET", "bot/decisions", headers=one.headers).status == 200
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert put(server.base_url, one, decision_id, {"action": "play:8C"}).status == 200


def test_a_clock_starts_two_seconds_after_the_decision_was_made_at_the_latest() -> None:
    one = caller()
    never, given = put_in(asked(one), asked(one))
    server_seen(-600)
    PullDecision.objects.update(made_at=F("made_at") - timedelta(seconds=10))
    now = time.monotonic()
    trips.settle([Given(given, now - 1), *(Put(name, one.agent_id, Reply("play:7C"), now) for name in (never, given))])
    assert 8_000 <= kept(never).elapsed_ms < 10_000 + 20_000
    assert kept(given).elapsed_ms == pytest.approx(kept(never).elapsed_ms, abs=50)
    (early,) = put_in(asked(one))
    trips.settle([Put(early, one.agent_id, Reply("play:7C"), time.monotonic())])
    assert kept(early).elapsed_ms == 0


def test_the_time_that_an_answer_lay_with_us_is_not_charged() -> None:
    one = caller()
    decision_id = open_decision(one)
    given_ago(decision_id, 40)
    (verdict,) = trips.settle([Put(decision_id, one.agent_id, Reply("play:7C"), time.monotonic() - 39)])
    assert verdict is not None
    assert verdict.accepted is not None
    assert 900 <= kept(decision_id).elapsed_ms < 30_000


def test_of_answers_that_come_together_the_first_counts() -> None:
    one, other = caller(), caller()
    (decision_id,) = put_in(asked(one))
    now = time.monotonic()
    answers = [
        Put(decision_id, other.agent_id, Reply("play:7C"), now),
        *(
            Put(decision_id, one.agent_id, Reply(action), now)
            for action in ("play:AS", "play:AS", "play:8C", "play:8C", "play:TD")
        ),
    ]
    told = trips.settle(answers)
    assert [verdict and (verdict.problem.code if verdict.problem else verdict.accepted) for verdict in told] == [
        None,
        "illegal_action",
        "illegal_action",
        {"accepted": True, "charged_ms": 0, "bank_ms": 60_000},
        {"accepted": True, "charged_ms": 0, "bank_ms": 60_000, "replayed": True},
        "already_decided",
    ]
    assert (kept(decision_id).action, kept(decision_id).is_corrected) == ("play:8C", True)


def test_of_answers_at_two_servers_one_is_accepted(server: Served, elsewhere: Served) -> None:
    one = caller()
    decisions = put_in(*(asked(one) for _ in range(20)))
    statuses: dict[str, list[int]] = {decision_id: [] for decision_id in decisions}

    def answer_all(base_url: str, action: str) -> None:
        for decision_id in decisions:
            statuses[decision_id].append(put(base_url, one, decision_id, {"action": action}).status)

    threads = [
        threading.Thread(target=answer_all, args=(where.base_url, action))
        for where, action in ((server, "play:7C"), (elsewhere, "play:8C"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {tuple(sorted(both)) for both in statuses.values()} == {(200, 409)}


@pytest.mark.parametrize(
    ("header", "status", "code"),
    [
        (None, 401, "not_authenticated"),
        ("Basic YTpi", 401, "bad_authorization"),
        ("Bearer", 401, "bad_authorization"),
        ("Bearer mnl_x", 401, "bad_token"),
        ("Bearer \xff", 401, "bad_token"),
    ],
)
def test_who_shows_no_token_learns_what_to_send(server: Served, header: str | None, status: int, code: str) -> None:
    headers = {} if header is None else {"Authorization": header}
    for method, path in (
        ("GET", "bot/decisions"),
        ("GET", "bot/stream"),
        ("PUT", "bot/presence"),
        ("PUT", f"decisions/{new_id('dec_')}"),
    ):
        refused = request(server.base_url, method, path, b'{"action":"play:7C","accepting":true}', headers)
        assert (refused.status, refused.code) == (status, code)
        assert refused.headers["www-authenticate"] == "Bearer"


def test_a_token_of_an_account_does_not_play(server: Served) -> None:
    owner = User.objects.create_user("bohdan")
    _, text = make_token(owner, "desk", [Scope.COMP_ADMIN], 1)
    refused = request(server.base_url, "GET", "bot/decisions", headers={"Authorization": f"Bearer {text}"})
    assert (refused.status, refused.code) == (403, "scope_missing")


def test_an_owner_whose_account_is_closed_takes_his_programs_along(server: Served) -> None:
    one = caller()
    User.objects.update(is_active=False)
    assert request(server.base_url, "GET", "bot/decisions", headers=one.headers).code == "unknown_token"


def test_presence_drains_and_ends_it(server: Served) -> None:
    one = caller()
    for accepting in (False, True):
        body = json.dumps({"accepting": accepting}).encode()
        told = request(server.base_url, "PUT", "bot/presence", body, one.headers)
        assert (told.status, told.content) == (200, {"accepting": accepting})
        one.version.refresh_from_db()
        assert one.version.is_accepting is accepting
    refused = request(server.base_url, "PUT", "bot/presence", b'{"accepting":"no"}', one.headers)
    assert (refused.status, refused.content["errors"][0]["field"]) == (400, "accepting")


def test_tokens_say_when_they_were_used_last(server: Served) -> None:
    one = caller()
    request(server.base_url, "GET", "bot/decisions?wait=0", headers=one.headers)
    token = one.version.tokens.get()
    assert token.last_used_at is not None
