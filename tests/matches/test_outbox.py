"""News to other rooms: owed in the transaction that made it true, told at least once, whatever one consumer does."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from matches.models import Match, Outbox, OutboxKind, Player
from matches.public_ids import new_id
from matches.services.outbox import deliver_due, post
from tests.matches.drawn import at_once, drawn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
told: Counter[int] = Counter()
WELL, BADLY, BREAKING, AWAY = (f"tests.matches.test_outbox.{name}" for name in ("well", "badly", "breaking", "away"))


def well(kind: OutboxKind, match: Match) -> None:
    """A consumer that does its work: a row of its own for each piece of news."""
    told[match.pk] += 1
    Player.objects.create(name=new_id(""), kind="person")


def badly(kind: OutboxKind, match: Match) -> None:
    """A consumer that fails after half of its work."""
    well(kind, match)
    raise LookupError("no such tournament")


def breaking(kind: OutboxKind, match: Match) -> None:
    """A consumer that runs into a constraint."""
    Player.objects.create(name=new_id(""), kind="ghost")


def away(kind: OutboxKind, match: Match) -> None:
    """A consumer during whose work the database goes away."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def slow(kind: OutboxKind, match: Match) -> None:
    """A consumer whose statement takes longer than it may."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 10")
        cursor.execute("SELECT pg_sleep(1)")


@pytest.fixture(autouse=True)
def _consumers(settings: Settings) -> None:
    told.clear()
    settings.OUTBOX_CONSUMERS = {"well": WELL}


def news(match: Match | None = None) -> Match:
    match = match or drawn()
    with transaction.atomic():
        post(OutboxKind.MATCH_FINISHED, match)
    return match


def put_back(**columns: object) -> None:
    Outbox.objects.update(next_try_at=timezone.now() - timedelta(seconds=1), **columns)


def test_every_consumer_is_owed_every_piece_of_news(settings: Settings) -> None:
    settings.OUTBOX_CONSUMERS = {"one": WELL, "two": WELL}
    match = news()
    assert list(Outbox.objects.values_list("kind", "match", "consumer", "delivered_at")) == [
        ("match_finished", match.pk, "one", None),
        ("match_finished", match.pk, "two", None),
    ]


def test_news_of_what_did_not_happen_is_not_owed() -> None:
    match = drawn()

    class PowerCut(Exception):
        pass

    def half_done() -> None:
        with transaction.atomic():
            post(OutboxKind.MATCH_FINISHED, match)
            raise PowerCut

    with pytest.raises(PowerCut):
        half_done()
    assert not Outbox.objects.exists()


def test_what_is_owed_is_told_once() -> None:
    matches = [news() for _ in range(5)]
    assert deliver_due() == 5
    assert deliver_due() == 0
    assert told == Counter(match.pk for match in matches)
    assert not Outbox.objects.filter(delivered_at=None).exists()


def test_a_run_delivers_no_more_than_its_limit() -> None:
    for _ in range(5):
        news()
    assert [deliver_due(limit=2) for _ in range(4)] == [2, 2, 1, 0]


def test_deliveries_at_once_tell_each_piece_of_news_once() -> None:
    match = drawn()
    for _ in range(20):
        Outbox.objects.create(kind="match_finished", match=match, consumer="well")
    assert sum(at_once(*[deliver_due] * 4)) == 20
    assert Player.objects.filter(kind="person").count() == 20
    assert not Outbox.objects.filter(delivered_at=None).exists()


def test_a_consumer_that_fails_is_put_off_longer_each_time_and_the_others_go_on(settings: Settings) -> None:
    settings.OUTBOX_CONSUMERS = {"badly": BADLY, "well": WELL}
    match = news()
    pauses = []
    for attempt in range(1, 11):
        before = timezone.now()
        assert deliver_due() == (1 if attempt == 1 else 0)
        owed = Outbox.objects.get(consumer="badly")
        assert (owed.attempts, owed.delivered_at) == (attempt, None)
        assert owed.last_error == "LookupError: no such tournament"
        pauses.append(round((owed.next_try_at - before).total_seconds()))
        assert deliver_due() == 0, "it is asked again before its time"
        put_back()
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert Outbox.objects.get(consumer="well").delivered_at is not None
    assert told[match.pk] == 11


def test_what_a_failing_consumer_did_is_taken_back(settings: Settings) -> None:
    settings.OUTBOX_CONSUMERS = {"badly": BADLY}
    news()
    deliver_due()
    assert not Player.objects.filter(kind="person").exists()


def test_the_work_of_a_consumer_and_the_delivery_stand_in_one_transaction() -> None:
    match = news()

    class PowerCut(Exception):
        pass

    def deliver_and_fail() -> None:
        with transaction.atomic():
            assert deliver_due() == 1
            raise PowerCut

    with pytest.raises(PowerCut):
        deliver_and_fail()
    assert not Player.objects.filter(kind="person").exists()
    assert Outbox.objects.get().delivered_at is None
    assert deliver_due() == 1
    assert told[match.pk] == 2


def test_a_consumer_that_breaks_a_constraint_holds_nobody_up(settings: Settings) -> None:
    settings.OUTBOX_CONSUMERS = {"breaking": BREAKING, "well": WELL}
    news()
    assert deliver_due() == 1
    owed = Outbox.objects.get(delivered_at=None)
    assert (owed.consumer, owed.attempts) == ("breaking", 1)
    assert owed.last_error.startswith(IntegrityError.__name__)


def test_a_consumer_that_is_no_longer_set_holds_nobody_up(settings: Settings) -> None:
    settings.OUTBOX_CONSUMERS = {"gone": WELL, "well": WELL}
    news()
    settings.OUTBOX_CONSUMERS = {"well": WELL}
    assert deliver_due() == 1
    assert Outbox.objects.get(delivered_at=None).consumer == "gone"


def test_a_consumer_that_takes_too_long_holds_nobody_up(settings: Settings) -> None:
    settings.OUTBOX_CONSUMERS = {"slow": "tests.matches.test_outbox.slow", "well": WELL}
    news()
    assert deliver_due() == 1
    assert Outbox.objects.get(delivered_at=None).attempts == 1


def test_a_database_that_is_away_is_nobodys_fault(settings: Settings) -> None:
    settings.OUTBOX_CONSUMERS = {"away": AWAY}
    news()
    with pytest.raises(OperationalError):
        deliver_due()
    connection.close()
    assert Outbox.objects.get().attempts == 0
