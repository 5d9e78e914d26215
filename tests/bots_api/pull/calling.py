"""What the tests of the server that programs call are made of: callers, decisions in the mailbox, plain requests."""

from __future__ import annotations

import http.client
import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings

from bots_api.models import BotVersion, PullDecision
from bots_api.pull.hints import ASKED
from bots_api.pull.mailbox import Asked, Notice, sending
from bots_api.tokens import make_token
from matches.permissions import Scope
from matches.public_ids import new_id
from matches.services.journal import write_together
from tests.bots_api.pull.mailing import pull_version

LEGAL = ("play:7C", "play:8C", "play:TD")
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Caller:
    """A version and the token with which it calls."""

    version: BotVersion
    token: str

    @property
    def agent_id(self) -> int:
        return self.version.agent_id

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def caller(version: BotVersion | None = None) -> Caller:
    """A version of a new program, or that one, with a token of its own."""
    version = version or pull_version()
    owner = version.bot.player.owner
    assert owner is not None
    _, text = make_token(owner, f"plays {next(_numbers)}", [Scope.BOT_PLAY], 1, version)
    return Caller(version, text)


def asked(one: Caller, **changed: Any) -> Asked:
    """A decision as a lane asks it; its clock is generous unless it is changed."""
    decision_id = new_id("dec_")
    plain = {
        "agent_id": one.agent_id,
        "decision_id": decision_id,
        "game": "g_",
        "match": "m_",
        "before": f'{{"protocol":"1","type":"decision","decision_id":"{decision_id}","seq":',
        "after": f',"legal":{json.dumps(LEGAL)},"default":"play:7C"}}',
        "legal": LEGAL,
        "default_action": "play:7C",
        "revokes": (),
        "budget_ms": 5_000,
        "bank_ms": 60_000,
        "grace_ms": 250,
        "is_correctable": True,
    }
    return Asked(**{**plain, **changed})


def notice(one: Caller, kind: str = "deal_over") -> Notice:
    return Notice(one.agent_id, kind, f'{{"protocol":"1","type":"{kind}","seq":', "}")


def put_in(*letters: Asked | Notice, tell: bool = True) -> list[str]:
    """Puts letters into the mailbox and, with `tell`, tells the servers; returns the ids of the decisions."""
    write_together([sending(letters)])
    if tell:
        hint(*letters)
    return [letter.decision_id for letter in letters if isinstance(letter, Asked)]


def hint(*letters: Asked | Notice) -> None:
    """Tells the servers that these letters are there."""
    with redis.Redis.from_url(settings.HINTS_URL) as client:
        client.publish(ASKED, ",".join(str(letter.agent_id) for letter in letters))


def kept(decision_id: str) -> PullDecision:
    return PullDecision.objects.get(decision_id=decision_id)


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply: status, headers by their names in lower case, body as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        return self.content["code"]


def request(
    base_url: str, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> Answered:
    """One request over a connection of its own."""
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=30)
    try:
        connection.request(method, f"/api/v1/{path}", body, dict(headers or {}))
        return _answered(connection.getresponse())
    finally:
        connection.close()


def put(base_url: str, one: Caller, decision_id: str, sent: object) -> Answered:
    """An answer to a decision; bytes go as they are."""
    body = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    return request(base_url, "PUT", f"decisions/{decision_id}", body, one.headers)


def _answered(reply: http.client.HTTPResponse) -> Answered:
    return Answered(reply.status, {key.lower(): value for key, value in reply.getheaders()}, reply.read())


@contextmanager
def streaming(
    base_url: str, one: Caller, query: str = "", *, pings: bool = False
) -> Iterator[Iterator[dict[str, Any]]]:
    """An open stream: its messages as they come, until it ends, without pings unless they are asked for."""
    connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=30)
    connection.request("GET", f"/api/v1/bot/stream{query}", headers=one.headers)
    reply = connection.getresponse()
    assert reply.status == 200, reply.read()
    try:
        messages = (json.loads(line) for line in reply)
        yield (message for message in messages if pings or message["type"] != "ping")
    finally:
        reply.close()
        connection.close()
