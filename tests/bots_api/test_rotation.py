"""A secret is changed while a lane plays: messages carry both signatures, then the new one alone, and no fault."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from standardwebhooks import Webhook, WebhookVerificationError

from bots_api.endpoints import endpoint_of, endpoints_of
from bots_api.models import BotVersion, Delivery
from bots_api.push import PushAgents
from bots_api.services import end_rotation, rotate_secret, shown_secret
from bots_api.services.signing import SecretRefused, forget_old_secrets
from matches.core.clocks import ClockRules
from matches.lag import LagMeter
from matches.ledger import Ledger
from tests.bots_api.tables import ask, question_to, version_at
from tests.rogues import behaviours as does
from tests.rogues.program import Exchange, Program

pytestmark = pytest.mark.django_db(transaction=True)


def is_signed_by(secret: str, exchange: Exchange) -> bool:
    try:
        Webhook(secret).verify(exchange.request.body.decode(), dict(exchange.request.headers))
    except WebhookVerificationError:
        return False
    return True


class Checks:
    """A program that holds one secret and refuses whatever is not signed by it."""

    def __init__(self) -> None:
        self.secret = ""

    async def __call__(self, exchange: Exchange) -> None:
        await (does.plays(exchange) if is_signed_by(self.secret, exchange) else exchange.reply(b"", 401))


def signatures(program: Program) -> list[int]:
    """How many signatures each message had that came in, in their order."""
    return [len(request.headers["webhook-signature"].split()) for request in program.received]


def asked_between(version: BotVersion, *steps: Callable[[], object]) -> list[str | None]:
    """One lane asks a decision, takes the first step, asks the next, and so on; the causes of its answers."""

    async def run() -> list[str | None]:
        async with Ledger() as ledger, PushAgents(LagMeter(), ledger) as push:
            causes = [(await push.decide(question_to(version))).cause]
            for step in steps:
                await ledger.run(step)
                causes.append((await push.decide(question_to(version))).cause)
            return causes

    return asyncio.run(run())


@pytest.mark.parametrize("changes_over", ["at once", "when it likes"])
def test_a_running_lane_signs_with_both_and_then_with_the_new_one_alone(changes_over: str) -> None:
    with Program(checks := Checks()) as program:
        version = version_at(program.url)
        checks.secret = shown_secret(version)

        def rotate() -> None:
            shown = rotate_secret(version)
            if changes_over == "at once":
                checks.secret = shown

        def change() -> None:
            checks.secret = shown_secret(version)

        assert asked_between(version, rotate, change, lambda: end_rotation(version)) == [None] * 4
    assert signatures(program) == [1, 2, 2, 1]


def test_a_program_that_never_changed_over_is_refused_nothing_before_the_end() -> None:
    with Program(checks := Checks()) as program:
        version = version_at(program.url)
        checks.secret = shown_secret(version)
        causes = asked_between(version, lambda: rotate_secret(version), lambda: end_rotation(version))
    assert causes == [None, None, "rejected"]


def test_an_old_secret_whose_time_is_over_signs_nothing_however_long_the_lane_has_known_it() -> None:
    version = version_at("http://127.0.0.1:9001/")
    rotate_secret(version)
    endpoint = endpoint_of(version.agent_id)
    assert len(endpoint.signed("msg_1", b"{}")["webhook-signature"].split()) == 2
    BotVersion.objects.update(old_secret_until=datetime.now(UTC) - timedelta(seconds=1))
    assert len(endpoint_of(version.agent_id).signed("msg_1", b"{}")["webhook-signature"].split()) == 1
    assert forget_old_secrets() == 1
    version.refresh_from_db()
    assert (version.old_secret, version.old_secret_until) == (None, None)


def test_the_endpoints_of_many_are_read_at_once(
    django_assert_num_queries: Callable[..., AbstractContextManager[object]],
) -> None:
    ids = [version_at(f"http://127.0.0.1:900{number}/").agent_id for number in range(3)]
    with django_assert_num_queries(1):
        endpoints = endpoints_of(ids)
    assert [endpoints[agent_id].url[-2] for agent_id in ids] == ["0", "1", "2"]


def test_a_second_rotation_waits_for_the_end_of_the_first() -> None:
    version = version_at("http://127.0.0.1:9001/")
    first = shown_secret(version)
    second = rotate_secret(version, hours=1)
    assert second == shown_secret(version) != first
    with pytest.raises(SecretRefused, match="good until"):
        rotate_secret(version)
    assert shown_secret(BotVersion.objects.get()) == second
    end_rotation(version)
    end_rotation(version)
    assert rotate_secret(version) not in (first, second)


def test_notices_are_signed_with_both_too() -> None:
    with Program(does.answers_notices) as program:
        version = version_at(program.url)
        rotate_secret(version)
        question = question_to(version)

        async def run() -> None:
            async with Ledger() as ledger, PushAgents(LagMeter(), ledger) as push:
                await push.begin(question.ref)

        asyncio.run(run())
    assert signatures(program) == [2]
    assert Delivery.objects.get().outcome == "ok"


def test_what_is_sent_again_after_the_end_is_signed_with_the_new_secret_alone() -> None:
    def end() -> None:
        end_rotation(version)
        connection.close()

    async def asks_for_patience(exchange: Exchange) -> None:
        await asyncio.to_thread(end)
        await exchange.reply_json({}, 429)

    with Program(does.first(asks_for_patience, does.plays)) as program:
        version = version_at(program.url)
        rotate_secret(version)
        ask(question_to(version, ClockRules(budget_ms=5_000, bank_ms=20_000)))
    assert signatures(program) == [2, 1]
