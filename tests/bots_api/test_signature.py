"""Every message is signed by Standard Webhooks: whoever has the secret knows it, and nobody else passes."""

from __future__ import annotations

import asyncio
import random
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from math import floor
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from bots_api.endpoints import Endpoint, endpoint_of
from bots_api.services import shown_secret
from matches.core.clocks import ClockRules
from tests.bots_api.tables import ask, question_to, version_at
from tests.rogues import behaviours as does
from tests.rogues.program import Exchange, Program

EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples").glob("*.py"))
SECRET = bytes(range(7, 39))
WHSEC = "whsec_BwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSY="
BODY = '{"protocol":"1","type":"decision","note":"Деберц"}'.encode()
Check = Callable[[bytes, dict[str, str]], bool]


def sealed_by_us(body: bytes = BODY, secret: bytes = SECRET) -> dict[str, str]:
    return Endpoint(1, "http://127.0.0.1:1/", Webhook(secret)).signed("dec_0123456789", body)


def by_the_library(body: bytes, headers: dict[str, str], secret: str = WHSEC) -> bool:
    try:
        Webhook(secret).verify(body.decode(), headers, json_parse=False)
    except (WebhookVerificationError, ValueError):
        return False
    return True


def by_the_example(path: Path) -> Check:
    source = path.read_text().partition("\nThreadingHTTPServer")[0]  # all but the server that it starts
    names: dict[str, Any] = {"__name__": path.stem}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET", WHSEC)
        exec(compile(source, path, "exec"), names)
    genuine = names["genuine"]

    def check(body: bytes, headers: dict[str, str]) -> bool:
        try:
            return genuine(body, *(headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature")))
        except (ValueError, TypeError, KeyError):
            return False

    return check


CALLED = [path for path in EXAMPLES if "def genuine(" in path.read_text()]
CHECKS: dict[str, Check] = {"standardwebhooks": by_the_library} | {path.name: by_the_example(path) for path in CALLED}


@pytest.mark.parametrize("checker", CHECKS)
def test_a_message_of_ours_is_genuine(checker: str) -> None:
    assert CHECKS[checker](BODY, sealed_by_us())


@pytest.mark.parametrize("checker", CHECKS)
def test_another_secret_is_not(checker: str) -> None:
    assert not CHECKS[checker](BODY, sealed_by_us(secret=SECRET[::-1]))


def _mutants(count: int) -> Iterator[tuple[bytes, dict[str, str]]]:
    """Messages of ours in which one byte, of the body or of a header, is another one, missing or added."""
    rng = random.Random(2)
    headers = sealed_by_us()
    parts = {"body": BODY, **{name: value.encode() for name, value in headers.items() if name.startswith("webhook")}}
    while count:
        part = rng.choice(list(parts))
        whole, at = parts[part], rng.randrange(len(parts[part]))
        new = rng.choice([b"", bytes([rng.randrange(33, 127)]), bytes([rng.randrange(33, 127)]) + whole[at : at + 1]])
        changed = whole[:at] + new + whole[at + 1 :]
        if changed == whole or _spelled_otherwise(part, changed, whole):
            continue
        count -= 1
        mutant = parts | {part: changed}
        yield mutant.pop("body"), {name: value.decode() for name, value in mutant.items()}


def _spelled_otherwise(part: str, changed: bytes, whole: bytes) -> bool:
    """The same moment or the same signature in other letters (`17e8`, base64 with a stray comma): no forgery."""
    try:
        if part == "webhook-timestamp":
            return floor(float(changed)) == int(whole)
        if part == "webhook-signature":
            return _bits(changed) == _bits(whole)
    except (ValueError, OverflowError):
        return False
    return False


def _bits(signature: bytes) -> tuple[bytes, bytes]:
    version, _, text = signature.partition(b",")
    return version, b64decode(text)


def test_no_mutated_message_of_10_000_is_genuine() -> None:
    accepted = dict.fromkeys(CHECKS, 0)
    for body, headers in _mutants(10_000):
        for name, check in CHECKS.items():
            accepted[name] += check(body, headers)
    assert accepted == dict.fromkeys(CHECKS, 0)


@pytest.mark.parametrize("checker", CHECKS)
@pytest.mark.parametrize("minutes", [-6, 6, -60 * 24])
def test_a_captured_message_goes_stale(checker: str, minutes: int) -> None:
    moment = datetime.now(UTC) + timedelta(minutes=minutes)
    signature = Webhook(WHSEC).sign("dec_0123456789", moment, BODY.decode())
    stale = {
        "webhook-id": "dec_0123456789",
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": signature,
    }
    assert not CHECKS[checker](BODY, stale)


@pytest.mark.django_db(transaction=True)
def test_on_the_wire() -> None:
    with Program(does.first(does.hangs_up, does.plays)) as program:
        version = version_at(program.url)
        question = question_to(version)
        ask(question)
    secret = Webhook(shown_secret(version))
    for request in program.received:
        headers = dict(request.headers)
        assert secret.verify(request.body.decode(), headers) == request.message
        assert headers["webhook-id"] == question.decision_id == request.message["decision_id"]
        assert headers["content-type"] == "application/json"
        assert headers["accept-encoding"] == "identity"
        assert headers["user-agent"] == "manela/1"
        assert "cookie" not in headers
        assert "accept" not in headers


@pytest.mark.django_db(transaction=True)
def test_the_timestamp_is_that_of_the_attempt_and_the_id_is_not() -> None:
    async def slowly_503(exchange: Exchange) -> None:
        await asyncio.sleep(1.1)
        await exchange.reply(b"", 503)

    with Program(does.first(slowly_503, does.plays)) as program:
        ask(question_to(version_at(program.url), ClockRules(5_000, 5_000, 50)))
    first, second = (request.headers for request in program.received)
    assert int(second["webhook-timestamp"]) - int(first["webhook-timestamp"]) in (1, 2)
    assert first["webhook-signature"] != second["webhook-signature"]
    assert first["webhook-id"] == second["webhook-id"]


@pytest.mark.django_db(transaction=True)
def test_each_version_has_a_secret_of_its_own() -> None:
    first, second = version_at("http://127.0.0.1:9001/"), version_at("http://127.0.0.1:9002/")
    assert shown_secret(first) != shown_secret(second)
    assert len(bytes(first.secret)) == 32
    endpoint = endpoint_of(first.agent_id)
    assert endpoint.url == first.url
    sealed = endpoint.signed("msg_1", BODY)
    assert by_the_library(BODY, sealed, shown_secret(first))
    assert not by_the_library(BODY, sealed, shown_secret(second))
