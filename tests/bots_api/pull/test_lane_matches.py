"""Matches of programs that call us, played by real lanes: what is asked, what is told, what is written."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Sequence
from typing import Any

import pytest
import redis
from pytest_django import Settings

from bots_api.models import BotVersion, Delivery, PullDecision, PullNotice
from engine import verify
from matches.core.clocks import CLOCKS, Control
from matches.lane import drive
from matches.models import Match, Party, PartyEvent
from tests.bots_api.pull.mailing import PATIENT, Message, RowProgram, hangs, plays, pull_version, server_seen
from tests.cast import SEED
from tests.matches.drawn import own_connection
from tests.rogues.matches import QUICK, match_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture(autouse=True)
def _patient_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, PATIENT)


def played(version: BotVersion, program: RowProgram, **plan: Any) -> Match:
    """A match of that version against the house, by one lane."""
    match = match_of(version.agent, **plan)
    with program:
        assert drive(slots=4, seconds=40) == 1
    return Match.objects.get(pk=match.pk)


def events_of(match: Match, kind: str = "action") -> list[PartyEvent]:
    """The program's own, in order; what was played again apart."""
    events = PartyEvent.objects.filter(party__match=match, kind=kind).exclude(party__status="void")
    own = events.select_related("party").order_by("party", "seq")
    return [event for event in own if event.seat == event.party.table_seat(0, 2)]


def said(event: PartyEvent) -> tuple[str, str, int, bool]:
    return event.action, event.cause, event.elapsed_ms, event.corrected


def stands(row: PullDecision) -> tuple[str, str, int, bool]:
    """What the log of the party must say of a decision that ended so."""
    return row.action or row.played, row.cause, row.elapsed_ms, row.is_corrected


def letters_of(game: str) -> list[Message]:
    rows = [row for model in (PullDecision, PullNotice) for row in model.objects.all()]
    letters = sorted((json.loads(row.body) for row in rows), key=lambda letter: letter["seq"])
    return [letter for letter in letters if letter["game"] == game]


def test_every_answer_stands_in_row_log_and_record_alike_and_each_game_is_told_in_order() -> None:
    version = pull_version()
    program = RowProgram(version)
    match = played(version, program)
    rows = list(PullDecision.objects.order_by("seq"))
    assert [verify(party.record) for party in Party.objects.filter(match=match)] == [None, None]
    assert [said(event) for event in events_of(match)] == [stands(row) for row in rows]
    assert {row.state for row in rows} == {"answered"}
    assert [message["decision_id"] for message in program.heard] == [row.decision_id for row in rows]
    lines = Delivery.objects.order_by("seq").values_list("message_id", "outcome", "action", "note")
    assert list(lines) == [(row.decision_id, "ok", row.action, "well") for row in rows]
    check_letters(match, {row.game for row in rows})


def check_letters(match: Match, games: Collection[str]) -> None:
    """Numbers count decisions and notices together."""
    letters = [letter for game in games for letter in letters_of(game)]
    assert sorted(letter["seq"] for letter in letters) == list(range(1, len(letters) + 1))
    assert {letter["match"] for letter in letters} == {match.public_id}
    for game in games:
        types = [letter["type"] for letter in letters_of(game)]
        assert [kind for kind in types if kind != "decision"] == ["game_start", "deal_over", "deal_over", "game_over"]
        assert (types[0], types[-1]) == ("game_start", "game_over")


def test_a_program_that_never_answers_forfeits_and_is_told_of_each_decision_that_was_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, QUICK)
    version = pull_version()
    match = played(version, RowProgram(version, hangs))
    assert match.result.forfeited_parties == 2
    assert [said(event) for event in events_of(match)] == [stands(row) for row in PullDecision.objects.order_by("seq")]
    assert [event.cause for event in events_of(match)] == ["timeout"] * 4
    assert [event.cause for event in events_of(match, "forfeit")] == ["timeout"] * 2
    for game in {row.game for row in PullDecision.objects.all()}:
        told = [letter["type"] for letter in letters_of(game) if letter["type"] != "deal_over"]
        assert told == ["game_start", *["decision", "decision_closed"] * 2, "game_over"]


def revokes(message: Message) -> Sequence[str] | str:
    """Insists on a card that it holds and may not play, whenever there is one."""
    forbidden = [f"play:{card}" for card in message["you"]["hand"] if f"play:{card}" not in message["legal"]]
    if forbidden and any(action.startswith("play:") for action in message["legal"]):
        return [forbidden[0], f"{forbidden[0]}+bella"]
    return plays(message)


@pytest.mark.parametrize("rules", ["moscow/2", "klabor/2"])
def test_r66_an_illegal_card_lies_on_the_table_and_the_program_is_told_so(rules: str) -> None:
    version = pull_version()
    match = played(version, RowProgram(version, revokes), rules=rules, deals=2, overrides={"illegal_move": "rules"})
    assert [said(event) for event in events_of(match)] == [stands(row) for row in PullDecision.objects.order_by("seq")]
    illegal = PullDecision.objects.filter(cause="illegal").order_by("seq")
    assert illegal
    assert all(row.played in row.revokes for row in illegal)
    assert {row.tried.removeprefix(row.played) for row in illegal} == {"", "+bella"}
    told = [
        json.loads(row.body)["played"] for row in PullNotice.objects.filter(message="decision_closed").order_by("seq")
    ]
    assert told == [row.played for row in illegal]
    parties = Party.objects.filter(match=match)
    ends = [deal["end"] for party in parties for deal in party.record["deals"]]
    assert "fault" in ends
    assert [verify(party.record) for party in parties] == [None, None]


def test_after_three_outages_of_ours_the_party_is_played_again_and_nothing_is_charged() -> None:
    version, asked, over = pull_version(), [], threading.Event()

    def answers_from_the_fourth(message: Message) -> str | None:
        asked.append(message["decision_id"])
        if len(asked) > 3:
            return plays(message)
        PullDecision.objects.filter(decision_id=asked[-1]).update(budget_ms=0, bank_ms=0, grace_ms=0)
        return None

    beating = threading.Thread(target=own_connection, args=(_beats_without_a_past, asked, over))
    beating.start()
    match = played(version, RowProgram(version, answers_from_the_fourth, beats=False), seed=SEED)
    over.set()
    beating.join()
    assert len(set(asked[:3])) == 1
    assert asked[3] not in asked[:3]
    assert Party.objects.filter(match=match, status="void").count() == 1
    assert match.result.forfeited_parties == 0
    assert {event.cause for event in events_of(match)} == {""}


def _beats_without_a_past(asked: Sequence[str], over: threading.Event) -> None:
    """A server that is there whenever one looks and was never there all the while, until the fourth question."""
    while not over.wait(0.05):
        server_seen(alive_for=0 if len(asked) < 4 else 3_600)


def test_without_a_broker_programs_hear_later_and_nothing_else_happens(settings: Settings) -> None:
    settings.HINTS_URL = "unix:///nonexistent/socket"
    version = pull_version()
    match = played(version, RowProgram(version), deals=1)
    assert {event.cause for event in events_of(match)} == {""}


def test_a_broker_that_forgets_and_drops_everybody_costs_no_decision(broker: dict[str, str]) -> None:
    version, number = pull_version(), iter(range(1_000))

    def forgotten(message: Message) -> str:
        if next(number) % 5 == 0:
            with redis.Redis.from_url(broker["REDIS_URL"]) as client:
                client.flushall()
                client.client_kill_filter(_type="pubsub")
        return plays(message)

    match = played(version, RowProgram(version, forgotten), deals=1)
    assert {event.cause for event in events_of(match)} == {""}
