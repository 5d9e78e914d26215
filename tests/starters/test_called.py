"""The starters that are called: every case of the check, a match without a fault, and no word to a stranger."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from bots_api.conformance import CASES, CaseResult, Verdict, examine
from bots_api.conformance.called import examinee_at
from bots_api.endpoints import Endpoint
from bots_api.models import Delivery
from bots_api.services import add_version, register_bot
from deploy.demo_stage import free_port
from engine import verify
from matches.core.clocks import Control
from matches.lane import drive
from matches.models import AgentStatus, Match, Party, PartyEvent
from matches.services.versions import set_status
from tests.cast import person
from tests.rogues.matches import match_of
from tests.starters.programs import CALLED, Starter, started, wait_for_port

KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
FIRST_PORT = 19_100
ALL_PASSED = {case.code: "passed" for case in CASES}


@dataclass(frozen=True, slots=True)
class Listening:
    """A starter and where it listens."""

    starter: Starter
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Listening]]:
    """All of them, each at a port of its own."""
    folder: Path = tmp_path_factory.mktemp("called")
    port, found = FIRST_PORT + os.getpid() % 200 * 20, {}
    with ExitStack() as running:
        for name in CALLED:
            port = free_port(port + 1)
            starter = running.enter_context(started(folder, name, str(port), SECRET=SECRET))
            wait_for_port(port, starter)
            found[name] = Listening(starter, port)
        yield found


@pytest.mark.parametrize("name", CALLED)
def test_a_starter_passes_every_case(called: Mapping[str, Listening], name: str) -> None:
    verdict = asyncio.run(verdict_on(called[name].url))
    assert {result.code: result.outcome.value for result in verdict.results} == ALL_PASSED, verdict


async def verdict_on(url: str) -> Verdict:
    async def told(_: CaseResult) -> None:
        return None

    async with examinee_at(Endpoint(1, url, Webhook(KEY))) as examinee:
        return await examine(examinee, told)


@pytest.mark.django_db(transaction=True)
def test_every_starter_plays_a_match_without_a_fault(called: Mapping[str, Listening]) -> None:
    owner = person("bohdan")
    matches = {}
    for name, listening in called.items():
        version = add_version(register_bot(name, owner), "v1", listening.url, KEY)
        set_status(version.agent_id, AgentStatus.ACTIVE)
        version.agent.refresh_from_db()
        matches[name] = match_of(version.agent, control=Control.CLASSIC)
    assert drive(slots=8, seconds=60) == len(CALLED)
    assert set(Match.objects.values_list("status", flat=True)) == {"finished"}
    assert [verify(party.record) for party in Party.objects.all()] == [None] * 2 * len(CALLED)
    assert not PartyEvent.objects.exclude(cause="")
    assert not Delivery.objects.exclude(outcome="ok").exclude(message="deal_over")


FORGED = {
    "nothing": {},
    "a signature of nothing": {"webhook-id": "dec_1", "webhook-timestamp": "1", "webhook-signature": "v1,"},
    "what is no text": {"webhook-id": "dec_1", "webhook-timestamp": "1", "webhook-signature": "v1,\xe9\xff"},
}


@pytest.mark.parametrize("name", CALLED)
def test_a_stranger_is_refused_whatever_he_sends(called: Mapping[str, Listening], name: str) -> None:
    body = json.dumps({"type": "decision", "legal": ["pass"], "default": "pass"}).encode()
    for kind, headers in FORGED.items():
        connection = http.client.HTTPConnection("127.0.0.1", called[name].port, timeout=20)
        connection.request("POST", "/", body, headers)
        assert connection.getresponse().status == 401, kind
        connection.close()
    assert not called[name].starter.has_ended
