"""Whole matches over real sockets: a lane asks, a server gives out, a program answers."""

from __future__ import annotations

import pytest

from engine import verify
from matches.lane import drive
from matches.models import Party, PartyEvent
from tests.bots_api.pull.calling import caller
from tests.bots_api.pull.mailing import plays
from tests.pull_program import PullProgram, serving
from tests.rogues.matches import match_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("mode", ["stream", "poll"])
def test_a_match_is_played_to_its_end_without_a_fault(child_env: dict[str, str], mode: str) -> None:
    one = caller()
    match = match_of(one.version.agent)
    with serving(child_env) as server, PullProgram(server.base_url, one.token, plays, mode) as program:
        assert drive(slots=4, seconds=60) == 1
    assert [verify(party.record) for party in Party.objects.filter(match=match)] == [None, None]
    assert not PartyEvent.objects.filter(party__match=match).exclude(cause="")
    assert {reply.status for reply in program.replies} == {200}
    asked = {message["decision_id"] for message in program.messages()}
    assert asked == {reply.decision_id for reply in program.replies}
