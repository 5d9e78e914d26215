"""The delivery log: written beside the game, and never in its way."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots_api import wire
from bots_api.delivery_log import Delivered, DeliveryLog, forget_older_than, write
from bots_api.models import Delivery
from matches.ledger import Ledger
from tests.bots_api.tables import judged, version_at
from tests.rogues import behaviours as does

pytestmark = pytest.mark.django_db(transaction=True)

LINE = Delivered(
    agent_id=0,
    message="decision",
    seq=7,
    game="g_1",
    message_id="dec_1",
    attempt=1,
    outcome="ok",
    detail="",
    status=None,
    elapsed_ms=12,
    action="play:KH+bella",
    note="tab\there, line\nthere, back\\slash, \\N",
    request="",
    reply="",
    sent_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
)


@pytest.fixture
def line() -> Delivered:
    return LINE._replace(agent_id=version_at("http://127.0.0.1:9001/").agent_id)


def test_a_line_is_written_as_it_is(line: Delivered) -> None:
    write([line, line._replace(seq=8, status=200)])
    first, second = Delivery.objects.order_by("seq")
    for name in Delivered._fields:
        assert getattr(first, name) == getattr(line, name), name
    assert (second.seq, second.status) == (8, 200)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.text(max_size=200))
def test_whatever_a_program_says_can_be_written(line: Delivered, reply: bytes, note: str) -> None:
    write([line._replace(reply=wire.excerpt(reply), note=wire.printable(note))])


def test_lines_are_written_a_few_times_a_second_and_at_the_end(line: Delivered) -> None:
    async def run() -> list[int]:
        counts = []
        async with Ledger() as ledger:
            log = DeliveryLog(ledger.run)
            flusher = asyncio.create_task(log.keep_flushing())
            log.add(line)
            counts.append(await ledger.run(Delivery.objects.count))
            await asyncio.sleep(0.6)
            counts.append(await ledger.run(Delivery.objects.count))
            log.add(line._replace(seq=8))
            log.close()
            await flusher
        return counts

    assert asyncio.run(run()) == [0, 1]
    assert Delivery.objects.count() == 2


def test_lines_that_are_being_written_when_the_log_is_closed_are_not_lost(line: Delivered) -> None:
    async def run() -> None:
        async with Ledger() as ledger:

            async def takes_its_time(*call: Any) -> None:
                closing.set()
                await asyncio.sleep(0.1)
                await ledger.run(*call)

            closing = asyncio.Event()
            log = DeliveryLog(takes_its_time)
            flusher = asyncio.create_task(log.keep_flushing())
            log.add(line)
            await closing.wait()
            log.close()
            await flusher

    asyncio.run(run())
    assert Delivery.objects.count() == 1


def test_a_line_that_cannot_be_written_does_not_end_the_log(line: Delivered, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with Ledger() as ledger:
            log = DeliveryLog(ledger.run)
            log.add(line._replace(note="NUL \0 is not text"))
            await log.flush()
            log.add(line)
            await log.flush()

    with caplog.at_level(logging.CRITICAL, "bots_api.delivery_log"):
        asyncio.run(run())
    assert Delivery.objects.count() == 1


def test_a_fault_is_kept_with_request_and_reply() -> None:
    seen = judged({"": does.says(b'{"action":"play:JH\\u0000","why":"\xd0\xb4\xd0\xb0"}')}, may_correct=False)[""]
    (row,) = seen.log
    assert row.outcome == "illegal_action"
    assert row.detail.startswith('"play:JH\N{REPLACEMENT CHARACTER}" is not legal now; legal are: take')
    assert row.request == seen.requests[0].body.decode()
    assert row.reply == '{"action":"play:JH\\u0000","why":"да"}'
    assert (row.message, row.seq, row.status) == ("decision", 1, 200)
    assert row.message_id == seen.requests[0].headers["webhook-id"]


def test_rows_older_than_the_operator_wants_are_forgotten_in_portions() -> None:
    agent_id = version_at("http://127.0.0.1:9009/").agent_id
    now = datetime.now(UTC)
    ages = (0, 29, 31, 40, 400)
    write([LINE._replace(agent_id=agent_id, seq=age, sent_at=now - timedelta(days=age)) for age in ages])
    assert forget_older_than(30, portion=2) == 3
    assert sorted(Delivery.objects.values_list("seq", flat=True)) == [0, 29]
