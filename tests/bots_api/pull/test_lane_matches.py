"""Matches of programs that call us, played by a real lane: what is asked, what is told, what is written."""

from __future__ import annotations

import json

import pytest

from bots_api.models import Delivery, PullDecision, PullNotice
from engine import verify
from matches.lane import drive
from matches.models import Match, Party, PartyEvent
from tests.bots_api.pull.mailing import RowProgram, pull_version, server_seen
from tests.rogues.matches import match_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def events_of(match: Match) -> list[PartyEvent]:
    """The program's own, in order."""
    events = PartyEvent.objects.filter(party__match=match).select_related("party").order_by("party", "seq")
    return [event for event in events if event.seat == event.party.table_seat(0, 2)]


def test_a_match_is_played_to_its_result_and_every_answer_is_the_row_s() -> None:
    server_seen()
    version = pull_version()
    match = match_of(version.agent)
    with RowProgram(version) as program:
        assert drive(slots=4, seconds=40) == 1
    assert [verify(party.record) for party in Party.objects.filter(match=match)] == [None, None]
    events = events_of(match)
    rows = PullDecision.objects.order_by("seq")
    assert [(row.state, row.action, row.elapsed_ms) for row in rows] == [
        ("answered", event.action, event.elapsed_ms) for event in events
    ]
    assert [event.cause for event in events] == [""] * len(events)
    assert {message["decision_id"] for message in program.heard} == {row.decision_id for row in rows}
    lines = Delivery.objects.order_by("seq")
    assert [(line.message_id, line.outcome, line.action, line.note) for line in lines] == [
        (row.decision_id, "ok", row.action, "well") for row in rows
    ]


def test_numbers_count_decisions_and_notices_together_in_their_order() -> None:
    server_seen()
    version = pull_version()
    match = match_of(version.agent)
    with RowProgram(version):
        drive(slots=4, seconds=40)
    letters = [json.loads(row.body) for model in (PullDecision, PullNotice) for row in model.objects.all()]
    letters.sort(key=lambda letter: letter["seq"])
    assert [letter["seq"] for letter in letters] == list(range(1, len(letters) + 1))
    assert [letter["protocol"] for letter in letters] == ["1"] * len(letters)
    for game in {letter["game"] for letter in letters}:
        types = [letter["type"] for letter in letters if letter["game"] == game]
        assert (types[0], types[-1]) == ("game_start", "game_over")
        assert [kind for kind in types if kind != "decision"] == ["game_start", "deal_over", "deal_over", "game_over"]
    assert {letter["match"] for letter in letters} == {match.public_id}
    assert Match.objects.get(pk=match.pk).status == "finished"
