"""What webhooks are owed arrives at least once, signed, in the order in which it is due; or it is said why not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from pytest_django import Settings

from bots_api.models import Webhook, WebhookDelivery
from bots_api.tasks import deliver_webhooks, forget_old_webhook_deliveries
from bots_api.webhooks import delivering, sending
from bots_api.webhooks.services import (
    WebhookRefused,
    change,
    deliver_due,
    remove,
    rotate,
    send_again,
    shown_secret,
)
from tests.bots_api.webhooks.hooks import answering, due_now, hook_at, subjects, tell, verified
from tests.matches.drawn import at_once
from tests.rogues.behaviours import hangs, resets
from tests.rogues.program import Exchange, Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
seen_by_others = pytest.mark.django_db(transaction=True)
CLOSED = "http://127.0.0.1:1024/nobody"


def owed() -> WebhookDelivery:
    return WebhookDelivery.objects.select_related("webhook").get()


def test_news_arrives_once_with_its_id_and_signature() -> None:
    with Program(answering(204)) as site:
        hook = hook_at(site.url)
        tell("one")
        deliver_webhooks()
        assert deliver_due() == 0
    (request,) = site.received
    told = verified(request, shown_secret(hook))
    assert (told["type"], told["data"]["id"]) == ("round.drawn", "r_1")
    assert told["timestamp"].endswith("Z")
    row = owed()
    assert request.headers["webhook-id"] == row.public_id
    assert (row.attempts, row.last_status, row.last_detail, row.next_try_at) == (1, 204, "", None)
    assert row.delivered_at is not None


def test_what_does_not_arrive_is_sent_again_with_the_same_id_and_body_and_growing_pauses() -> None:
    pauses = (5, 30, 300, 1_800, 7_200, 21_600, 43_200, 86_400)
    with Program(answering(500)) as site:
        hook = hook_at(site.url)
        tell("one")
        for tried, pause in enumerate(pauses, start=1):
            before = timezone.now()
            assert deliver_due() == 0
            row = owed()
            assert (row.attempts, row.delivered_at, row.last_status) == (tried, None, 500)
            assert row.last_detail == "answered 500; expected 2xx"
            assert timedelta(0) <= row.next_try_at - before - timedelta(seconds=pause) < timedelta(seconds=4)
            assert deliver_due() == 0, "it is tried before its pause is over"
            due_now()
        deliver_due()
    assert (owed().attempts, owed().next_try_at) == (9, None)
    assert len({(one.headers["webhook-id"], one.body) for one in site.received}) == 1
    assert all(verified(one, shown_secret(hook)) for one in site.received)


@pytest.mark.parametrize(("asked", "expected"), [("1", 5), ("60", 60), ("999999", 21_600), ("soon", 5)])
def test_a_site_that_asks_for_patience_has_it(asked: str, expected: int) -> None:
    with Program(answering(429, retry_after=asked)) as site:
        hook_at(site.url)
        tell("one")
        before = timezone.now()
        deliver_due()
    row = owed()
    for until in (row.next_try_at, row.webhook.not_before):
        assert timedelta(0) <= until - before - timedelta(seconds=expected) < timedelta(seconds=20)


def test_a_site_in_trouble_is_left_alone_with_all_that_it_is_owed() -> None:
    with Program(answering(404)) as site:
        hook = hook_at(site.url)
        for number in range(20):
            tell(f"{number}")
        for failing, rest in ((0, 5), (60, 60), (86_400, 1_800)):
            since = timezone.now()
            Webhook.objects.filter(failing_since__isnull=False).update(failing_since=since - timedelta(seconds=failing))
            assert (deliver_due(), deliver_due()) == (0, 0)
            hook.refresh_from_db()
            assert rest <= (hook.not_before - since).total_seconds() < rest + 20
            Webhook.objects.update(not_before=None)
    assert len(site.received) == 3
    assert sorted(WebhookDelivery.objects.values_list("attempts", flat=True)) == [0] * 17 + [1] * 3


def test_no_host_is_called_more_than_twice_at_once() -> None:
    urls = [
        "http://one.example.org/a",
        "http://ONE.example.org:80/b",
        "http://one.example.org.?c",
        "http://two.example.org",
    ]
    hooks = [hook_at(url) for url in urls]
    tell("one")
    taken = [share[0].webhook_id for share in delivering.claim(10)]
    assert taken == [hooks[number].pk for number in (0, 1, 3)]
    assert delivering.claim(10) == []
    Webhook.objects.filter(pk=hooks[1].pk).update(claimed_until=None)
    assert [share[0].webhook_id for share in delivering.claim(10)] == [hooks[1].pk]


def test_who_has_been_served_since_we_looked_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    hook = hook_at(CLOSED)
    monkeypatch.setattr(delivering, "_longest_due", lambda most: [hook.pk])
    assert delivering.claim(10) == []
    assert Webhook.objects.get().claimed_until is None


def test_what_goes_wrong_with_one_share_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    with Program(answering(204)) as odd, Program(answering(204)) as site:
        bad = hook_at(odd.url)
        hook_at(site.url)
        tell("one")
        WebhookDelivery.objects.filter(webhook=bad).update(attempts=32_767)
        monkeypatch.setitem(delivering.__dict__, "note", _note_but(bad))
        assert deliver_due() == 1
    assert len(site.received) == 1


def _note_but(bad: Webhook):
    real = delivering.note

    def note(outcome: sending.Outcome) -> None:
        if outcome.delivery.webhook_id == bad.pk:
            raise ValueError("odd")
        real(outcome)

    return note


@pytest.mark.parametrize("status", [302, 404, 500])
def test_only_2xx_is_an_arrival_and_nothing_is_followed(status: int) -> None:
    with Program(answering(204)) as elsewhere, Program(answering(status, location=elsewhere.url)) as site:
        hook_at(site.url)
        tell("one")
        assert deliver_due() == 0
    assert (owed().last_status, len(site.received), elsewhere.received) == (status, 1, [])


@pytest.mark.parametrize(("behaviour", "code"), [(hangs, "timeout"), (resets, "unreachable")])
def test_a_site_that_does_not_answer_costs_its_deadline_and_not_more(
    behaviour, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "DEADLINE_MS", 200)
    with Program(behaviour) as deaf, Program(answering(204)) as site:
        hook_at(deaf.url), hook_at(site.url)
        for number in range(4):
            tell(f"{number}")
        assert deliver_due() == 4
    first, *rest = WebhookDelivery.objects.filter(delivered_at=None).order_by("id")
    assert first.last_detail.startswith(code)
    assert [one.attempts for one in (first, *rest)] == [1, 0, 0, 0]
    assert first.webhook.not_before > first.last_tried_at


def test_what_gives_nothing_good_for_days_or_is_gone_is_switched_off() -> None:
    gone, broken = Program(answering(410)), Program(answering(500))
    with gone, broken:
        gone_hook, broken_hook = hook_at(gone.url), hook_at(broken.url)
        tell("one")
        tell("two")
        deliver_due()
        Webhook.objects.filter(pk=broken_hook.pk).update(failing_since=timezone.now() - timedelta(days=3))
        due_now()
        deliver_due()
        due_now()
        assert deliver_due() == 0
        tell("three")
    gone_hook.refresh_from_db()
    broken_hook.refresh_from_db()
    assert (gone_hook.is_active, gone_hook.reason) == (False, "answered 410 Gone")
    assert (broken_hook.is_active, broken_hook.reason) == (
        False,
        "nothing good came back for 3 days: answered 500; expected 2xx",
    )
    assert (len(gone.received), len(broken.received)) == (1, 2)
    assert WebhookDelivery.objects.count() == 4, "what is switched off is owed nothing"
    assert not WebhookDelivery.objects.exclude(next_try_at=None).exists()


def test_one_good_answer_is_the_end_of_a_bad_time() -> None:
    with Program(answering(500, 204)) as site:
        hook = hook_at(site.url)
        tell("one")
        deliver_due()
        assert Webhook.objects.get(pk=hook.pk).failing_since is not None
        due_now()
        assert deliver_due() == 1
    assert Webhook.objects.get(pk=hook.pk).failing_since is None


def test_addresses_inside_are_never_called(settings: Settings) -> None:
    with Program(answering(204)) as site:
        hook_at(site.url)
        tell("one")
        settings.PUSH_ALLOW_LOOPBACK = False
        assert deliver_due() == 0
    assert (site.connections, owed().last_status) == (0, None)
    assert "not an address on the open internet" in owed().last_detail


def test_each_site_hears_in_the_order_in_which_it_is_due() -> None:
    with Program(answering(204)) as one, Program(answering(204)) as other:
        hook_at(one.url), hook_at(other.url)
        for number in range(20):
            tell(f"{number}", {"id": number})
        now = timezone.now()
        for number, row in enumerate(WebhookDelivery.objects.order_by("-id")):
            WebhookDelivery.objects.filter(pk=row.pk).update(next_try_at=now - timedelta(seconds=100 - number))
        assert deliver_due() == 40
    assert subjects(one.received) == subjects(other.received) == list(range(19, -1, -1))


@seen_by_others
def test_workers_at_once_send_each_piece_of_news_once_and_to_each_site_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivering, "SHARE", 2)
    with ExitStack() as open_sites:
        sites = [open_sites.enter_context(Program(answering(204))) for _ in range(3)]
        for site in sites:
            hook_at(site.url)
        for number in range(12):
            tell(f"{number}", {"id": number})
        assert sum(at_once(*[deliver_due] * 4)) == 36
    assert [subjects(site.received) for site in sites] == [list(range(12))] * 3


@seen_by_others
def test_a_worker_that_is_killed_between_sending_and_noting_has_it_sent_again(child_env: dict[str, str]) -> None:
    worker: list[subprocess.Popen[bytes]] = []
    started = threading.Event()

    async def kills_the_first(exchange: Exchange) -> None:
        started.wait(20)
        if exchange.number == 1:
            os.kill(worker[0].pid, signal.SIGKILL)
            worker[0].wait()
        await exchange.reply(b"", 204)

    with Program(kills_the_first) as site:
        hook = hook_at(site.url)
        tell("one")
        tell("two", {"id": "r_2"})
        code = "import django; django.setup(); from bots_api.webhooks.services import deliver_due; deliver_due()"
        env = {**child_env, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
        worker.append(subprocess.Popen([sys.executable, "-c", code], env=env))
        started.set()
        assert worker[0].wait(60) == -signal.SIGKILL
        lost = WebhookDelivery.objects.order_by("id").values_list("attempts", "delivered_at")
        assert list(lost) == [(1, None), (1, None)]
        assert deliver_due() == 0, "what the dead one claimed is not due for a minute"
        due_now()
        assert deliver_due() == 2
    assert subjects(site.received) == ["r_1", "r_1", "r_2"]
    first, again, _ = site.received
    assert (first.headers["webhook-id"], first.body) == (again.headers["webhook-id"], again.body)
    assert all(verified(one, shown_secret(hook)) for one in site.received)


def test_what_somebody_else_claimed_meanwhile_is_not_written_over() -> None:
    hook_at(CLOSED)
    tell("one")
    ((stale,),) = delivering.claim(10)
    assert delivering.claim(10) == []
    due_now()
    ((fresh,),) = delivering.claim(10)
    delivering.note(sending.Outcome(fresh, 500, "answered 500", pause_s=30))
    delivering.note(sending.Outcome(stale, None, "timeout", pause_s=5))
    delivering.note(sending.Outcome(stale, pause_s=5, is_untried=True))
    row = owed()
    assert (row.attempts, row.last_status, row.last_detail) == (2, 500, "answered 500")
    assert row.next_try_at - timezone.now() > timedelta(seconds=20)


def test_a_delivery_is_sent_again_by_hand_and_a_new_secret_signs_it() -> None:
    with Program(answering(204)) as site:
        hook = hook_at(site.url)
        tell("one")
        deliver_due()
        secret = rotate(hook)
        assert send_again(owed()).delivered_at is None
        assert deliver_due() == 1
    first, again = site.received
    assert first.headers["webhook-id"] == again.headers["webhook-id"]
    assert verified(again, secret)["data"]["id"] == "r_1"
    assert (owed().attempts, owed().delivered_at is not None) == (1, True)


def test_by_hand_the_tries_begin_anew_and_nothing_is_counted_while_it_is_due() -> None:
    with Program(answering(500)) as site:
        hook = hook_at(site.url)
        tell("one")
        WebhookDelivery.objects.update(attempts=8)
        deliver_due()
        assert (owed().attempts, owed().next_try_at) == (9, None)
        for _ in range(3):
            assert send_again(owed()).attempts == 0
        deliver_due()
        assert (owed().attempts, owed().next_try_at is not None) == (1, True)
        due_now()
        ((taken,),) = delivering.claim(10)
        assert send_again(taken).attempts == 2, "it is being sent"
    assert len(site.received) == 2
    remove(hook)
    for act in (partial(send_again, taken), partial(rotate, hook), partial(change, hook, is_active=False)):
        with pytest.raises(WebhookRefused, match="has been removed"):
            act()


def test_a_site_that_is_switched_on_again_is_told_what_happens_then() -> None:
    with Program(answering(204)) as site:
        hook = hook_at(site.url)
        tell("one")
        change(hook, is_active=False)
        tell("two")
        hook = change(hook, is_active=True)
        assert (hook.is_active, hook.reason) == (True, "")
        tell("three", {"id": "r_3"})
        assert deliver_due() == 1
    assert subjects(site.received) == ["r_3"]


def test_the_log_is_kept_for_a_month() -> None:
    hook_at(CLOSED)
    for number in range(4):
        tell(f"{number}")
    old = timezone.now() - timedelta(days=31)
    keys = list(WebhookDelivery.objects.order_by("id").values_list("pk", flat=True))
    rows = WebhookDelivery.objects
    rows.filter(pk=keys[0]).update(delivered_at=old, next_try_at=None, created_at=old)
    rows.filter(pk=keys[1]).update(next_try_at=None, created_at=old)
    rows.filter(pk=keys[2]).update(created_at=old)
    forget_old_webhook_deliveries()
    assert list(rows.order_by("id").values_list("pk", flat=True)) == keys[2:]
