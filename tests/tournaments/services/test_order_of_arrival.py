"""The same results, in whatever order they come and however often they are told: the same bytes of standings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction

from matches.models import Outbox
from tests.engine.agreements import FULL
from tests.tournaments.services.people import SEED, better_number_wins, open_tables, people, say
from tournaments.models import Pairing, Round, Tournament
from tournaments.services import entries, results, running
from tournaments.services.publishing import canonical, snapshot_rows

pytestmark = pytest.mark.django_db
ORDERS = 8 if FULL else 2
Played = tuple[bytes, list[Any], list[Any]]


class _Undo(Exception):
    """Takes back one way of playing a tournament, so that another one finds the same entries."""


@contextmanager
def taken_back() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
            raise _Undo
    except _Undo:
        pass


def played_in_order(competition: Tournament, order: random.Random) -> Played:
    """Reports whatever table comes up, delivers each news sooner or later, some of them twice."""
    running.start(competition.pk, SEED)
    owed: list[Outbox] = []
    while tables := open_tables(competition):
        table = order.choice([one for one in tables if one.match.status == "awaited"] or tables)
        if table.match.status == "awaited":
            say(table.match, better_number_wins(table))
            owed += 2 * list(Outbox.objects.filter(match=table.match))
        order.shuffle(owed)
        while owed and (order.random() < 0.6 or all(one.match.status != "awaited" for one in tables)):
            news = owed.pop()
            results.take(news.kind, news.match)
            if news.match == table.match:
                break
        if not any(one.match.status == "awaited" for one in open_tables(competition)):
            results.settle(competition.pk)
    for news in owed:
        results.take(news.kind, news.match)
    competition.refresh_from_db()
    assert competition.status == "published"
    drawn = Round.objects.filter(stage__tournament=competition).order_by("stage__number", "number")
    seats = Pairing.objects.filter(round__in=drawn).order_by(
        "round__stage__number", "round__number", "number", "seats__seat"
    )
    return (
        canonical(snapshot_rows(competition)),
        list(drawn.values_list("number", "status", "draw", "lots")),
        list(seats.values_list("number", "status", "bye", "seats__entry", "seats__state")),
    )


@pytest.mark.parametrize(
    ("count", "stages", "options"),
    [
        (5, (("round_robin", {}),), {}),
        (7, (("swiss", {"settings": {"rounds": 3}}), ("double_elimination", {"takes": {"first": 4}})), {}),
        (6, (("groups", {"settings": {"groups": 2}}), ("single_elimination", {"takes": {"of_each": 1}})), {}),
        (8, (("tables_swiss", {"settings": {"rounds": 3}}),), {"rules": "house/4"}),
        (8, (("partner_swiss", {"settings": {"rounds": 2}}),), {"rules": "klabor/pairs", "entries_are": "individuals"}),
    ],
)
def test_any_order_of_arrival_gives_the_same_bytes(count: int, stages: Any, options: dict[str, Any]) -> None:
    competition = people(count, *stages, **options)
    entries.rate(competition.entries.get(number=3).pk, 1700)
    ways = []
    for seed in range(ORDERS):
        with taken_back():
            ways.append(played_in_order(Tournament.objects.get(pk=competition.pk), random.Random(seed)))
    assert len(ways) == ORDERS
    assert all(way == ways[0] for way in ways[1:])
