"""Boards at practice tables are the boards of the ladder and of matches, with the clocks and faults of play."""

from __future__ import annotations

import asyncio
import sys
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import pytest
from standardwebhooks import Webhook

from bots_api.endpoints import Endpoint
from bots_api.models import PUSH
from bots_api.practice import Conditions, Played, PracticeSeat, play_party, tables
from bots_api.practice.account import Account, Conduct
from bots_api.practice.boards import BoardPlayed, Meeting, moments_of, paid
from bots_api.practice.report import as_json, report_of
from engine import PartySetup, record_of, rules_of, verify
from engine.ladder import Duel
from engine.ladder.boards import play_board
from matches.agents import Answer, GameRef, Question
from matches.core.clocks import CLOCKS, ClockRules, Control
from matches.core.faults import Cause
from matches.core.house import KIND
from matches.house import HouseAgents
from matches.lag import LagMeter
from tests.bots_api.conformance import programs as are
from tests.rogues import behaviours as does
from tests.rogues.program import Behaviour, Program

GREEDY = PracticeSeat(KIND, 0, "greedy@1")
PROGRAM = PracticeSeat(PUSH, 1, "")
SECRET = "whsec_" + b64encode(are.KEY).decode()
QUICK = ClockRules(budget_ms=200, bank_ms=300, grace_ms=50)


def boards_of(meeting: Meeting, endpoints: Mapping[int, Endpoint], count: int, at_once: int = 1) -> list[BoardPlayed]:
    async def play() -> list[BoardPlayed]:
        boards: list[BoardPlayed] = []
        async with tables(endpoints, lambda _: None) as agents:
            await meeting.play(agents, count, at_once, boards.append)
        return sorted(boards, key=lambda one: one.board.number)

    return asyncio.run(play())


def met(
    behaviour: Behaviour, count: int, preset: str = "moscow/2", deals: int = 1
) -> tuple[Meeting, list[BoardPlayed]]:
    """Boards of a program against the house's greedy one."""
    meeting = Meeting(Duel(preset, ("program", "greedy"), deals=deals), (PROGRAM, GREEDY), Control.BLITZ)
    with Program(behaviour) as program:
        return meeting, boards_of(meeting, {1: Endpoint(1, program.url, Webhook(are.KEY))}, count)


@pytest.mark.parametrize("preset", ["moscow/2", "moscow/3", "klabor/pairs", "short_dava/2"])
def test_a_board_of_the_houses_programs_is_the_ladders_board(preset: str) -> None:
    """`greedy` leaves nothing to chance, so that nothing but the board can make a difference."""
    duel = Duel(preset, ("greedy", "greedy"), seed="boards", deals=2)
    played = boards_of(Meeting(duel, (GREEDY, GREEDY), Control.LADDER), {}, 3)
    assert [board.board for board in played] == [play_board(duel, number) for number in range(3)]


def test_every_party_can_be_verified() -> None:
    _, boards = met(are.well, 3, "klabor/pairs", deals=2)
    records = [record_of(exposed.played.table) for board in boards for exposed in board.exposures]
    assert len(records) == 6
    assert [verify(record) for record in records] == [None] * 6
    assert len({record["suits"] for record in records if record["seed"] == records[0]["seed"]}) == 2


def test_a_program_that_hangs_forfeits_as_in_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, QUICK)
    meeting, boards = met(does.at_decisions(does.hangs), 2)
    report = report_of(Account.of(meeting, boards), ("program", "greedy"))
    assert report.players[0].faults == {"timeout": 8}  # two running, in four parties
    assert (report.players[0].forfeits, report.players[1].forfeits) == (4, 0)
    assert report.points.high < 0
    assert all(exposed.played.table.result.reason == "forfeit" for board in boards for exposed in board.exposures)
    assert [paid(exposed.played) for exposed in boards[0].exposures] == [(0, 100), (100, 0)]


def test_faults_are_told_by_cause_with_the_worst_moments_first() -> None:
    illegal_once = does.first(does.plays, does.says(b'{"action":"play:7C+x"}'), does.says(b"nonsense"), does.plays)
    meeting, boards = met(does.at_decisions(illegal_once), 2)
    report = report_of(Account.of(meeting, boards), ("program", "greedy"))
    player = report.players[0]
    assert sum(player.faults.values()) == 1
    assert player.worst[0].entry.cause in player.faults
    assert as_json(report)["players"][0]["worst"][0]["cause"]
    assert player.decisions == len(moments_of(0, boards))
    assert (player.share_ms(0.5) or 0) <= (player.share_ms(0.95) or 0)


def test_the_house_has_no_times_of_its_own() -> None:
    meeting, boards = met(are.well, 2)
    house = report_of(Account.of(meeting, boards), ("program", "greedy")).players[1]
    assert (house.share_ms(0.5), house.times, house.worst, house.faults) == (None, {}, [], {})
    assert house.decisions


def test_of_a_board_nothing_is_kept_but_its_margins_and_the_worst_moments() -> None:
    meeting, boards = met(are.well, 2)
    exposures = boards[0].exposures
    held = sys.getrefcount(exposures), sys.getrefcount(exposures[0].played), sys.getrefcount(exposures[0].played.table)
    account = Account.of(meeting, boards * 5)
    assert (len(account.boards), account.parties) == (10, 20)
    assert len(account.players[0].worst) == 5
    assert held == (
        sys.getrefcount(exposures),
        sys.getrefcount(exposures[0].played),
        sys.getrefcount(exposures[0].played.table),
    )


@pytest.mark.parametrize(("share", "most"), [(0.5, 2), (0.75, 3), (0.95, 40), (1.0, 40)])
def test_so_many_decisions_are_answered_in_so_many_milliseconds(share: float, most: int) -> None:
    assert Conduct(times=Counter([1, 2, 3, 40])).share_ms(share) == most


def test_a_party_is_left_between_two_cards_when_the_time_is_over() -> None:
    async def play() -> bool:
        house = HouseAgents(LagMeter(), None)
        setup = PartySetup(rules_of("moscow/2"), bytes(32))
        began = time.monotonic()
        async with house:
            played = await play_party(Conditions(setup.rules), setup, [GREEDY, GREEDY], {KIND: house}, seconds=0.0)
        assert time.monotonic() - began < 30
        return played.is_over

    assert not asyncio.run(play())


class Watched(HouseAgents):
    """Notes what it is told of the end of games."""

    def __init__(self) -> None:
        super().__init__(LagMeter(), None)
        self.heard: list[str] = []

    async def over(self, ref: GameRef, causes: Sequence[Cause | None]) -> None:
        self.heard.append("over")

    async def end(self, ref: GameRef, result: Mapping[str, Any]) -> None:
        self.heard.append("end")

    def leave(self, ref: GameRef) -> None:
        self.heard.append("leave")


@pytest.mark.parametrize("is_written", [True, False])
def test_what_follows_from_a_game_is_told_before_it_is_written_and_every_game_is_left(
    monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    """Where it is not, whoever goes on with it tells the same again."""

    async def finish(*_: object) -> Mapping[str, Any]:
        house.heard.append("written")
        if not is_written:
            raise ConnectionError
        return {"result": {}}

    async def play() -> None:
        async with house:
            setup = PartySetup(rules_of("moscow/2", {"deals": 1}), bytes(32))
            await play_party(Conditions(setup.rules), setup, [GREEDY, GREEDY], {KIND: house})

    house = Watched()
    monkeypatch.setattr("bots_api.practice.party._Memory.finish", finish)
    with nullcontext() if is_written else pytest.raises(ConnectionError):
        asyncio.run(play())
    assert house.heard == ["over", "over", "written", *["end"] * 2 * is_written, "leave", "leave"]


class TakenForDead(HouseAgents):
    """Its first decision was closed because nobody seemed to wait for it."""

    def __init__(self) -> None:
        super().__init__(LagMeter(), None)
        self.games: set[str] = set()

    async def decide(self, question: Question) -> Answer:
        self.games.add(question.ref.game)
        return await super().decide(question) if len(self.games) > 1 else Answer(None, cause=Cause.ADMIN_VOID)


def test_a_party_whose_decision_was_closed_by_others_begins_anew_and_nobody_is_charged() -> None:
    async def play() -> Played:
        async with house:
            setup = PartySetup(rules_of("moscow/2", {"deals": 1}), bytes(32))
            return await play_party(Conditions(setup.rules), setup, [GREEDY, GREEDY], {KIND: house})

    house = TakenForDead()
    assert not any(entry.cause for entry in asyncio.run(play()).entries)
    assert len(house.games) == 3


def test_messages_come_in_order_and_tell_of_the_whole_game() -> None:
    with Program(are.well) as program:
        meeting = Meeting(Duel("moscow/2", ("program", "greedy")), (PROGRAM, GREEDY), Control.LADDER)
        boards_of(meeting, {1: Endpoint(1, program.url, Webhook(are.KEY))}, 1)
    kinds = [request.message["type"] for request in program.received]
    assert (kinds.count("game_start"), kinds.count("deal_over"), kinds.count("game_over")) == (2, 2, 2)
    numbers = [message["seq"] for message in program.messages()]
    assert numbers == sorted(numbers)
    assert {message["rated"] for message in program.messages()} == {False}
