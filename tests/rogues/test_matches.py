"""Whole matches of misbehaving programs: each ends by protocol §7, and the record says what happened."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.test import Client

from bots_api.models import Delivery
from bots_api.services import ping, shown_secret
from deploy.demo_stage import free_port
from engine import verify
from matches.core.clocks import CLOCKS, ClockRules, Control
from matches.lane import drive
from matches.models import Agent, Match, PartyEvent, Player
from tests.bots_api.tables import version_at
from tests.rogues import behaviours as does
from tests.rogues.behaviours import ROGUES
from tests.rogues.matches import QUICK, Played, match_of, played
from tests.rogues.program import Exchange, Program
from tests.rogues.sleepers import NAPS

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SERVED = sorted(path.name for path in EXAMPLES.glob("*.py") if "def do_POST" in path.read_text(encoding="utf-8"))
FAULTS = {
    "hang": "timeout",
    "trickle": "timeout",
    "garbage": "http_error",
    "megabyte": "malformed",
    "redirect": "http_error",
    "illegal": "illegal",
    "malformed": "malformed",
    "reset": "unreachable",
    "bomb": "malformed",
    "endless": "malformed",
    "crash": "http_error",
}


@pytest.fixture(autouse=True)
def _quick_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, QUICK)


def marks_of(one: Played) -> list[list[str]]:
    """The actions of each party's record that the platform chose."""
    return [
        [action for deal in party.record["deals"] for action in deal["actions"] if "!" in action]
        for party in one.parties
    ]


def test_every_rogue_forfeits_by_two_running_faults_and_the_house_wins() -> None:
    assert FAULTS.keys() == ROGUES.keys()
    for name, one in played(ROGUES).items():
        assert one.match.status == "finished", name
        assert one.match.result.forfeited_parties == 2, name
        assert one.points() == (0, 2 * one.match.forfeit_points), name
        assert one.outcomes() == ("lost", "won"), name
        assert one.status == "active", name
        for party in one.parties:
            assert one.causes(party) == [FAULTS[name]] * 2, name
            assert (party.forfeiter, party.reason) == (one.seat_in(party), "forfeit"), name
            assert party.record["deals"][-1]["end"] == "forfeit"
            assert party.record["result"]["forfeiter"] == one.seat_in(party)
            assert verify(party.record) is None, name
        for party, marks in zip(one.parties, marks_of(one), strict=True):
            assert [mark.partition(" !")[2] for mark in marks] == [FAULTS[name]] * 2, name
            assert all(mark.startswith(f"{one.seat_in(party)} ") for mark in marks), name


def test_a_program_that_plays_is_charged_nothing_and_wins_or_loses_by_its_cards() -> None:
    one = played({"": does.at_decisions(does.plays)})[""]
    assert one.match.result.forfeited_parties == 0
    assert {event.cause for event in one.events} == {""}
    assert marks_of(one) == [[], []]
    assert sum(one.points()) > 0
    assert all(verify(party.record) is None for party in one.parties)


def test_strict_forfeits_at_the_first_fault() -> None:
    one = played({"": ROGUES["crash"]}, strict=True)[""]
    assert [one.causes(party) for party in one.parties] == [["http_error"], ["http_error"]]
    assert one.points() == (0, 2 * one.match.forfeit_points)


def test_three_faults_forfeit_and_two_apart_do_not() -> None:
    def every_third(times: int):
        left = {}

        async def behave(exchange: Exchange) -> None:
            asked = left.setdefault(exchange.message["game"], [0, times])
            asked[0] += 1
            if asked[0] % 3 == 0 and asked[1]:
                asked[1] -= 1
                await exchange.reply(b"", 500)
            else:
                await does.plays(exchange)

        return does.at_decisions(behave)

    seen = played({"two": every_third(2), "three": every_third(3)})
    for party in seen["two"].parties:
        assert party.forfeiter is None
        assert [cause for cause in seen["two"].causes(party) if cause] == ["http_error"] * 2
    for party in seen["three"].parties:
        assert party.forfeiter == seen["three"].seat_in(party)
        assert seen["three"].causes(party) == ["", "", "http_error"] * 3


def test_one_correction_a_game_and_the_game_goes_on() -> None:
    wrong_once: set[str] = set()

    async def behave(exchange: Exchange) -> None:
        game = exchange.message["game"]
        if game not in wrong_once:
            wrong_once.add(game)
            return await exchange.reply(b'{"action":"play:everything"}')
        return await does.plays(exchange)

    one = played({"": does.at_decisions(behave)})[""]
    assert one.match.result.forfeited_parties == 0
    assert [event.corrected for event in one.events].count(True) == 2
    assert {event.cause for event in one.events} == {""}


@pytest.mark.parametrize(
    ("code", "cause", "status"), [(401, "rejected", "quarantined"), (403, "rejected", "quarantined")]
)
def test_a_program_that_rejects_us_is_quarantined_after_the_game(code: int, cause: str, status: str) -> None:
    one = played({"": does.at_decisions(does.says(b"", code))})[""]
    first, second = one.parties
    assert one.causes(first) == ["rejected", "rejected"]
    assert one.causes(second) == []
    assert [event.cause for event in one.events if event.party_id == second.pk] == ["no_show"]
    assert one.status == "quarantined"
    assert one.points() == (0, 2 * one.match.forfeit_points)


def test_a_program_that_is_gone_is_retired_and_shows_up_no_more() -> None:
    one = played({"": does.at_decisions(does.says(b"", 410))})[""]
    first, second = one.parties
    assert one.causes(first) == ["resigned", "resigned"]
    assert [event.cause for event in one.events if event.party_id == second.pk] == ["no_show"]
    assert one.status == "retired"


def test_charged_is_what_goes_over_the_grace_and_the_bank_pays_what_goes_over_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, ClockRules(budget_ms=40, bank_ms=8_000, grace_ms=20))
    one = played({"": does.at_decisions(does.answers_slowly)}, deals=1)[""]
    assert {event.cause for event in one.events} == {""}
    for party in one.parties:
        bank = 8_000
        for event in (event for event in one.events if event.party_id == party.pk):
            assert event.charged_ms == max(0, event.elapsed_ms - 20)
            bank -= max(0, event.charged_ms - 40)
            assert event.bank_ms == bank
        assert bank < 8_000 - 60 * 5
    asked = [message["clock"] for message in one.program.messages()]
    for clock, before in zip(asked[1:], one.events, strict=False):
        if before.bank_ms == clock["bank_ms"]:
            assert clock["last_charged_ms"] == before.charged_ms
            assert clock["last_rtt_ms"] == before.elapsed_ms
        assert clock["hard_ms"] == clock["bank_ms"] + 60


def test_an_empty_bank_is_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, ClockRules(budget_ms=40, bank_ms=150, grace_ms=20))
    one = played({"": does.at_decisions(does.answers_slowly)}, deals=1)[""]
    for party in one.parties:
        assert one.causes(party)[-2:] == ["timeout", "timeout"]
        assert one.causes(party)[0] == ""
        assert party.forfeiter == one.seat_in(party)


def test_the_bank_survives_the_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, ClockRules(budget_ms=40, bank_ms=60_000, grace_ms=20))
    with Program(does.at_decisions(does.answers_slowly)) as program:
        match = match_of(version_at(program.url).agent)
        lanes = 0
        while not Match.objects.filter(pk=match.pk, status="finished").exists():
            drive(slots=4, seconds=1)
            lanes += 1
    assert lanes > 2
    seqs = sorted(request.message["seq"] for request in program.received)
    assert seqs == list(range(1, len(seqs) + 1))  # no number was drawn for a question that the lane's end prevented
    asked: dict[str, list[dict[str, int]]] = {}
    for message in program.messages():
        asked.setdefault(message["game"], []).append(message["clock"])
    for game, clocks in asked.items():
        banks = [clock["bank_ms"] for clock in clocks]
        assert banks[0] == 60_000
        assert banks == sorted(banks, reverse=True), game
        assert banks[-1] < 60_000 - 40 * len(banks)


def test_the_events_of_a_decision_are_what_is_new_since_the_seat_last_acted() -> None:
    """A program that keeps all that it is told, and what it did itself, knows the whole party and nothing twice."""
    one = played({"": does.at_decisions(does.plays)}, deals=3)[""]
    told: dict[str, list[str]] = {}
    for message in one.program.messages():
        story = told.setdefault(message["game"], [])
        story += message["events"]
        assert story[-len(message["history"]) :] == message["history"] or not message["history"]
        assert sum(line[0] != "!" for line in story) == message["ply"]
        story.append(f"{message['seat']} {'take' if 'take' in message['legal'] else message['default']}")
    assert all(len(story) > 50 for story in told.values())


def test_seq_counts_every_message_to_a_version_and_a_game_is_told_its_start_and_end() -> None:
    one = played({"": does.at_decisions(does.plays)})[""]
    sent = [request.message for request in one.program.received]
    assert sorted(message["seq"] for message in sent) == list(range(1, len(sent) + 1))
    starts, ends = one.program.messages("game_start"), one.program.messages("game_over")
    games = {message["game"] for message in one.program.messages()}
    assert {message["game"] for message in starts} == {message["game"] for message in ends} == games
    assert len(starts) == len(ends) == 2
    assert {message["match"] for message in sent} == {one.match.public_id}
    assert [message["party"] for message in one.program.messages()] == sorted(
        message["party"] for message in one.program.messages()
    )
    by_seq = sorted(Delivery.objects.values_list("seq", "message", "outcome"))
    assert [row[0] for row in by_seq] == list(range(1, len(sent) + 1))
    assert {row[2] for row in by_seq} == {"ok"}


def test_the_address_in_game_over_leads_to_the_record() -> None:
    one = played({"": does.at_decisions(does.plays)})[""]
    for message in one.program.messages("game_over"):
        reply = Client().get(message["record_url"].partition("//")[2].partition("/")[2].join(["/", ""]))
        assert reply.status_code == 200
        record = reply.json()
        assert record["result"] == message["result"]
        assert verify(record) is None


def test_a_lane_that_sleeps_charges_nobody_voids_the_party_and_deals_it_again(settings) -> None:
    """Three `infra` void a party; what is played again is the same board."""
    settings.SEAT_AGENTS = settings.SEAT_AGENTS | {"sleeper": "tests.rogues.sleepers.SleepingAgents"}
    sleepers = [
        Agent.objects.create(
            player=Player.objects.create(name=f"sleeper {n}", kind="house"),
            kind="sleeper",
            label="greedy@1",
            status="active",
        )
        for n in range(2)
    ]
    with Program(does.at_decisions(does.hangs)) as program:
        match = match_of(version_at(program.url).agent)
        match_of(*sleepers, deals=NAPS // 4)
        assert drive(slots=4, seconds=60) == 2
    first = list(match.parties.filter(number=1).order_by("attempt"))
    assert len(first) >= 2
    *void, last = first
    for party in void:
        assert party.status == "void"
        assert not PartyEvent.objects.filter(party=party).exclude(cause="").exists()
        assert (party.board_id, party.rotation, party.suits) == (last.board_id, last.rotation, last.suits)
    assert last.status == "finished"
    assert last.forfeiter == last.table_seat(0, 2)
    infra = Delivery.objects.filter(outcome="infra")
    assert infra.count() >= 3
    assert {message["clock"]["bank_ms"] for message in program.messages()} <= {QUICK.bank_ms, 0}


@contextmanager
def example(name: str, secret: str) -> Iterator[int]:
    """An example program in its own process; the port it listens at."""
    port = free_port(19_000)
    argv = [sys.executable, "-W", "ignore", str(EXAMPLES / name), str(port)]
    with subprocess.Popen(argv, env=os.environ | {"SECRET": secret}) as process:
        try:
            yield port
        finally:
            process.kill()


@pytest.mark.parametrize("name", SERVED)
def test_an_example_program_plays_a_match_without_a_fault(name: str) -> None:
    port = free_port(19_000)
    version = version_at(f"http://127.0.0.1:{port}/")
    with example(name, shown_secret(version)) as found:
        assert found == port
        assert any(ping(version).outcome == "ok" or asyncio.run(asyncio.sleep(0.2)) for _ in range(50))
        match = match_of(version.agent)
        assert drive(slots=2, seconds=40) == 1
    assert not PartyEvent.objects.filter(party__match=match).exclude(cause="").exists()
    assert Match.objects.get(pk=match.pk).result.forfeited_parties == 0


def test_an_example_program_with_another_secret_rejects_us() -> None:
    version = version_at(f"http://127.0.0.1:{free_port(19_000)}/")
    with example("cheapest.py", shown_secret(version_at("http://127.0.0.1:9001/"))):
        for _ in range(50):
            delivery = ping(version)
            if delivery.outcome != "unreachable":
                break
            asyncio.run(asyncio.sleep(0.2))
        assert (delivery.outcome, delivery.status) == ("http_error", 401)
        match = match_of(version.agent)
        drive(slots=2, seconds=40)
    assert set(PartyEvent.objects.filter(party__match=match).values_list("cause", flat=True)) >= {"rejected", "no_show"}
    assert Agent.objects.get(pk=version.agent_id).status == "quarantined"
