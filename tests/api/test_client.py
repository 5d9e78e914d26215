"""The client of `docs/client`, against a real server: what an author does with it, from a name to a game."""

from __future__ import annotations

import importlib.util
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from django.conf import settings

from bots_api.pull.presence import find_who_is_ready
from bots_api.tokens import make_token
from engine import verify
from matches.lane import drive
from matches.models import Agent, AgentStatus
from matches.services.versions import set_status
from tests.bots_api.pull.calling import asked, caller, kept, put_in
from tests.cast import anna, person, played
from tests.pull_program import Served, serving
from tournaments.models import Tournament
from tournaments.services import entries

pytestmark = pytest.mark.django_db(transaction=True)
FILE = settings.BASE_DIR / "docs" / "client" / "manela.py"
SCOPES = ["bot:write", "logs:read", "comp:enter", "challenge:create"]


def load() -> Any:
    spec = importlib.util.spec_from_file_location("manela_client", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


manela = load()


@pytest.fixture
def server(child_env: dict[str, str]) -> Iterator[Served]:
    with serving(child_env) as served:
        yield served


@pytest.fixture
def owner(server: Served) -> Iterator[Any]:
    """Bohdan's client."""
    with manela.Client(make_token(person("bohdan"), "client", SCOPES, 1)[1], server.base_url) as client:
        yield client


def play(token: str, site: str, games: int, heard: list[Any]) -> None:
    """Answers by the default until so many games are over."""
    with manela.Client(token, site) as client, closing(client.messages()) as messages:
        for message in messages:
            heard.append(message)
            if message["type"] == "decision":
                client.answer(message, message["default"], "by the book")
            games -= message["type"] == "game_over"
            if not games:
                return


def wait_until_seen(version_id: str) -> None:
    """Until a program that calls is known to be there, as the beat finds out."""
    until = time.monotonic() + 20
    while not Agent.objects.get(public_id=version_id).is_ready and time.monotonic() < until:
        find_who_is_ready()
        time.sleep(0.1)


def test_from_a_name_to_a_game_that_is_over(owner: Any, server: Served) -> None:
    bot = owner.register_bot("Greta", about="plays by the book")
    version = owner.add_version(bot["id"], "v1")
    set_status(Agent.objects.get(public_id=version["id"]).pk, AgentStatus.ACTIVE)
    token = owner.play_token(version["id"], "here")["token"]
    heard: list[Any] = []
    thread = threading.Thread(target=play, args=(token, server.base_url, 2, heard), daemon=True)
    thread.start()
    challenge = owner.challenge(version["id"], "house:greedy", rules="moscow/2", boards=1, deals=1)
    assert [one["id"] for one in owner.challenges()] == [challenge["id"]]
    with pytest.raises(manela.ManelaError, match="accepted") as no:
        owner.answer_challenge(challenge["id"], "cancel")
    assert no.value.status == 409
    wait_until_seen(version["id"])
    assert drive(slots=4, seconds=60) == 1
    thread.join(20)
    assert not thread.is_alive()
    match = owner.match(challenge["match"])
    assert match["status"] == "finished"
    assert [verify(owner.record(party["id"])) for party in match["parties"]] == [None, None]
    assert [one["id"] for one in owner.matches(version=version["id"])] == [match["id"]]
    told = list(owner.deliveries(version["id"], message="decision", page_size=5))
    decisions = [one for one in heard if one["type"] == "decision"]
    assert sorted(one["message_id"] for one in told) == sorted(one["decision_id"] for one in decisions)
    assert {one["note"] for one in told} == {"by the book"}
    stats = owner.stats(version["id"])
    assert (stats["decisions"], stats["faults"], stats["waiting"]["running"]) == (len(decisions), {}, 0)


def test_what_everybody_reads_and_what_is_refused(server: Served) -> None:
    cup = played("greedy@1", "random@1", "random@1")
    with manela.Client(site=server.base_url) as nobody:
        assert [one["id"] for one in nobody.pages("tournaments")] == [cup.public_id]
        assert len(nobody.get(f"tournaments/{cup.public_id}")["entries"]) == 3
        assert len(nobody.standings(cup.public_id)["live"]) == 3
        assert {one["id"] for one in nobody.pages("matches", page_size=1)} == {one["id"] for one in nobody.matches()}
        assert len(nobody.get(f"tournaments/{cup.public_id}/rounds")) == 3
        for refused, status, code in [
            (lambda: nobody.register_bot("Greta"), 401, "not_authenticated"),
            (lambda: nobody.match("m_" + "0" * 22), 404, "not_found"),
            (lambda: list(nobody.matches(status="asleep")), 400, "invalid_choice"),
            (lambda: next(nobody.decisions()), 401, "not_authenticated"),
        ]:
            with pytest.raises(manela.ManelaError) as no:
                refused()
            assert (no.value.status, no.value.code) == (status, code)


def test_ones_own_program_from_registered_to_retired(owner: Any) -> None:
    bot = owner.register_bot("Greta")
    version = owner.add_version(bot["id"], "v1", "http://127.0.0.1:65535/")
    assert version["secret"].startswith("whsec_")
    assert owner.set_accepting(version["id"], False)["own"]["accepting"] is False
    assert owner.qualify(version["id"])["id"] == owner.qualification(version["id"])["id"]
    set_status(Agent.objects.get(public_id=version["id"]).pk, AgentStatus.ACTIVE)
    cup = Tournament.objects.create(slug="cup", name="Cup", organiser=anna(), boards=1, deals=1)
    entries.open_registration(cup.pk)
    assert owner.enter(cup.public_id, version["id"])["members"][0]["version"] == version["id"]
    assert owner.retire(version["id"], "it is old")["status"] == "retired"
    assert (
        owner.get(f"bots/{bot['id']}")["versions"][0]["status"] == owner.version(version["id"])["status"] == "retired"
    )
    assert [one["name"] for one in owner.bots()] == ["Greta"]


def listen(client: Any, heard: queue.Queue[Any], until: threading.Event) -> None:
    with closing(client.messages()) as messages:
        for message in messages:
            heard.put(message)
            if until.is_set():
                return


def test_a_server_that_goes_and_comes_back_costs_no_decision(child_env: dict[str, str]) -> None:
    one = caller()
    heard: queue.Queue[Any] = queue.Queue()
    last = threading.Event()
    with serving(child_env) as first:
        client, port = manela.Client(one.token, first.base_url), int(first.base_url.rpartition(":")[2])
        thread = threading.Thread(target=listen, args=(client, heard, last), daemon=True)
        thread.start()
        (before,) = put_in(asked(one))
        decision = heard.get(timeout=10)
        assert decision["decision_id"] == before
        assert client.answer(decision, decision["default"])["accepted"]
        assert client.answer(decision, decision["default"])["replayed"]
        with pytest.raises(manela.ManelaError) as no:
            client.answer(decision, decision["legal"][-1])
        assert (no.value.status, no.value.code) == (409, "already_decided")
    last.set()
    (meanwhile,) = put_in(asked(one))
    with serving(child_env, port), client:
        decision = heard.get(timeout=20)
        assert decision["decision_id"] == meanwhile
        with pytest.raises(manela.ManelaError) as no:
            client.answer(decision, "play:AS")
        assert (no.value.code, no.value.problem["legal"]) == ("illegal_action", decision["legal"])
        client.answer(decision, decision["default"])
    thread.join(5)
    assert kept(meanwhile).action == decision["default"]
