"""What a party keeps to itself until every exposure of its board is over, and what a void match never tells."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.test import Client

from matches.models import Match, Party
from matches.services.claim import claim_due
from matches.services.desk import void_match
from matches.services.finish import begin_party
from tests.cast import SEED, played, tournament
from tournaments.services import running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture
def half_played() -> Iterator[Party]:
    """The first exposure of the only board, forfeited; the second is still to be played."""
    running.start(tournament("greedy@1", "random@1").pk, SEED)
    match = Match.objects.get()
    (lease,) = claim_due("test", 1)
    first = match.parties.get(number=1)
    begin_party(lease, first.pk)
    Party.objects.filter(pk=first.pk).update(
        status="finished",
        record_json=json.dumps({"seed": "told"}).encode(),
        totals=[0, 100],
        reason="forfeit",
        forfeiter=0,
        finished_at=match.created_at,
    )
    first.refresh_from_db()
    return first


def asked(client: Client, path: str):
    return client.get(f"/api/v1/{path}")


def test_how_a_party_ended_is_told_with_its_record(client: Client, half_played: Party) -> None:
    of_match = asked(client, f"matches/{half_played.match.public_id}").json()["parties"][0]
    alone = asked(client, f"parties/{half_played.public_id}").json()
    for shown in (of_match, alone):
        assert (shown["totals"], shown["reason"], shown["forfeiter"]) == (None, None, None)
    Match.objects.update(status="void", lease_until=None)
    opened = asked(client, f"parties/{half_played.public_id}").json()
    assert (opened["totals"], opened["reason"], opened["forfeiter"]) == ([0, 100], "forfeit", 0)


def test_an_alias_is_answered_no_sooner_than_the_record_is_open(client: Client, half_played: Party) -> None:
    waiting = half_played.match.parties.get(number=2)
    for party in (half_played, waiting):
        for game in party.games.all():
            for path in (f"parties/{game.public_id}", f"parties/{game.public_id}/record"):
                refused = asked(client, path)
                assert (refused.status_code, refused.json()["code"]) == (409, "not_yet_revealed"), path
                assert party.public_id not in refused.content.decode()


def test_an_alias_leads_to_its_party_afterwards(client: Client) -> None:
    played("greedy@1", "random@1")
    for party in Party.objects.all():
        for game in party.games.all():
            assert asked(client, f"parties/{game.public_id}").json()["id"] == party.public_id


def test_a_void_match_was_won_by_nobody(client: Client) -> None:
    played("greedy@1", "random@1")
    match = Match.objects.get()
    decided = asked(client, f"matches/{match.public_id}").json()["seats"]
    assert {seat["outcome"] for seat in decided} <= {"won", "lost", "drawn"}
    void_match(match.pk, "it was played under the wrong rules")
    for shown in (asked(client, f"matches/{match.public_id}").json(), asked(client, "matches").json()["results"][0]):
        assert [(seat["points"], seat["outcome"]) for seat in shown["seats"]] == [(None, None)] * 2
