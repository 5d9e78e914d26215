"""Tables of three, four and pairs, illegal cards that the rules punish, the news of deals: all with real programs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.utils import timezone

from bots_api.called import NOTICE_DEADLINE_MS
from bots_api.models import Delivery
from engine import presets, verify
from matches.core.clocks import CLOCKS, Control
from matches.core.plan import MatchPlan
from matches.lane import drive
from matches.models import Match, PartyEvent, Result
from matches.services.create import create_match
from tests.bots_api.tables import version_at
from tests.rogues import behaviours as does
from tests.rogues.matches import QUICK, played
from tests.rogues.program import Behaviour, Exchange, Program

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _quick_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLOCKS, Control.BLITZ, QUICK)


@contextmanager
def seated(behaviours: Sequence[Behaviour], hands: int, **plan: Any) -> Iterator[tuple[Match, list[Program]]]:
    """A match of these programs, drawn and due; with two hands each sits opposite itself."""
    with ExitStack() as running:
        programs = [running.enter_context(Program(behaviour)) for behaviour in behaviours]
        agents = tuple(version_at(program.url).agent.pk for program in programs) * hands
        yield create_match(MatchPlan(agents=agents, boards=1, control=Control.BLITZ, **plan)), programs


def unknown_to_the_table(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "deck"}


@pytest.mark.parametrize(
    ("rules", "programs", "hands", "deals"),
    [
        ("moscow/3", 3, 1, 1),
        ("house/4", 4, 1, 1),
        ("klabor/pairs", 4, 1, 2),
        ("klabor/pairs", 2, 2, 1),
        ("short/3", 3, 1, None),
        ("short_dava/2", 2, 1, None),
    ],
)
def test_programs_play_every_kind_of_table(rules: str, programs: int, hands: int, deals: int | None) -> None:
    with seated([does.at_decisions(does.plays)] * programs, hands, rules=rules, deals=deals) as (match, servers):
        assert drive(slots=4, seconds=60) == 1
    seats, pairs = programs * hands, rules.endswith("pairs")
    parties = list(match.parties.order_by("number"))
    assert [party.rotation for party in parties] == list(range(seats))
    assert all(verify(party.record) is None for party in parties)
    assert not PartyEvent.objects.exclude(cause="").exists()
    assert Result.objects.get(match=match).seats.count() == seats
    for server in servers:
        starts = server.messages("game_start")
        assert {(start["players"], start["pairs"], start["rules"]) for start in starts} == {
            (seats, pairs, f"{rules}@1")
        }
        assert sorted(start["seat"] for start in starts) == sorted(list(range(seats)) * hands)
        games = {start["game"]: start["seat"] for start in starts}
        assert len(games) == len(parties) * hands
        assert {message["game"] for message in server.messages("game_over")} == games.keys()
        for message in server.messages():
            assert message["seat"] == games[message["game"]]
            assert message["you"]["side"] == message["seat"] % (2 if pairs else seats)
            assert len(message["table"]["hand_sizes"]) == len(message["table"]["tricks_won"]) == seats
            assert len(message["table"]["totals"]) == (2 if pairs else seats)


def test_every_seat_is_told_every_deal_once_in_order_and_before_the_end_of_the_game() -> None:
    with seated([does.at_decisions(does.plays)] * 3, 1, rules="moscow/3", deals=3) as (match, servers):
        assert drive(slots=4, seconds=60) == 1
    records = {game.public_id: party.record for party in match.parties.all() for game in party.games.all()}
    for server in servers:
        for start in server.messages("game_start"):
            heard = [
                request.message
                for request in server.received
                if request.message["type"] in ("deal_over", "game_over") and request.message["game"] == start["game"]
            ]
            record = records[start["game"]]
            assert [message["type"] for message in heard] == ["deal_over"] * len(record["deals"]) + ["game_over"]
            told = [message["deal"] for message in heard[:-1]]
            assert told == [unknown_to_the_table(deal) for deal in record["deals"]]


def test_a_deal_that_is_forfeited_is_told_too() -> None:
    one = played({"": does.ROGUES["crash"]})[""]
    last = {message["game"]: message["deal"]["end"] for message in one.program.messages("deal_over")}
    assert list(last.values()) == ["forfeit", "forfeit"]


def test_a_program_that_does_not_take_the_news_is_not_waited_for_and_hears_the_end_all_the_same() -> None:
    async def deaf(exchange: Exchange) -> None:
        kind = exchange.message["type"]
        if kind == "deal_over":
            return await does.hangs(exchange)
        return await (does.plays(exchange) if kind == "decision" else does.answers_notices(exchange))

    began = time.monotonic()
    one = played({"": deaf}, deals=8)[""]
    assert {event.cause for event in one.events} == {""}
    assert max(event.elapsed_ms for event in one.events) < QUICK.budget_ms
    told, games = one.program.messages("deal_over"), one.program.messages("game_start")
    assert {message["game"] for message in told} == {start["game"] for start in games}
    assert len(told) < 16, "one hangs for seconds, and the next waits until it is over"
    assert len(one.program.messages("game_over")) == 2
    assert not Delivery.objects.filter(message="deal_over", outcome="ok").exists()
    assert time.monotonic() - began < 15


def slow_at(kind: str, seconds: float) -> Behaviour:
    """Plays well and takes its time over one kind of message."""

    async def behave(exchange: Exchange) -> None:
        if exchange.message["type"] == kind:
            await asyncio.sleep(seconds)
        asked = exchange.message["type"] == "decision"
        return await (does.plays(exchange) if asked else does.answers_notices(exchange))

    return behave


def test_a_program_slower_than_its_deals_misses_some_and_hears_the_end_of_the_game_at_once() -> None:
    one = played({"": slow_at("deal_over", 1)}, deals=20)[""]
    deals = sum(len(party.record["deals"]) for party in one.parties)
    told = one.program.messages("deal_over")
    dropped = Delivery.objects.filter(message="deal_over", outcome="dropped")
    assert len(told) + dropped.count() == deals
    assert dropped.count() > 0
    assert {line.seq for line in dropped} == {0}
    for start in one.program.messages("game_start"):
        numbers = [message["deal"]["number"] for message in told if message["game"] == start["game"]]
        assert numbers == sorted(set(numbers))
    ends = Delivery.objects.filter(message="game_over")
    assert [line.outcome for line in ends] == ["ok", "ok"]
    for party, end in zip(one.parties, ends.order_by("sent_at"), strict=True):
        assert (end.sent_at - party.finished_at).total_seconds() < 0.9


def test_news_that_nobody_takes_hold_the_end_of_a_lane_up_no_longer_than_one_notice() -> None:
    async def deaf(exchange: Exchange) -> None:
        await (does.hangs if exchange.message["type"] in ("deal_over", "game_over") else slow_at("", 0))(exchange)

    one = played({"": deaf}, deals=3)[""]
    over = timezone.now()
    assert (over - one.match.finished_at).total_seconds() < 2 * NOTICE_DEADLINE_MS / 1_000 + 1
    lines = Delivery.objects.filter(message__in=["deal_over", "game_over"])
    assert {line.outcome for line in lines} <= {"timeout", "dropped"}
    deals = sum(len(party.record["deals"]) for party in one.parties)
    assert lines.count() == deals + 2


REVOKE_COSTS = {"moscow/2": "a bait", "klabor/2": "the deal and 100", "kharkov_full/2": "a trick"}


@pytest.mark.parametrize("rules", REVOKE_COSTS)
def test_r66_an_illegal_card_costs_what_the_rules_say_and_stands_in_the_record(rules: str) -> None:
    """The first is corrected; the second, and with it the deal, is the program's own."""
    one = played({"": does.at_decisions(does.revokes)}, rules=rules, deals=2, overrides={"illegal_move": "rules"})[""]
    faults = 0
    for party in one.parties:
        record = party.record
        assert verify(record) is None
        own = [event for event in one.events if event.party_id == party.pk and event.cause]
        punished = [deal for deal in record["deals"] if deal["end"] == "fault"]
        assert [f"{event.seat} {event.action} !illegal" for event in own if event.kind == "action"] == [
            deal["actions"][-1] for deal in punished
        ]
        faults += len(punished)
        side = one.seat_in(party)
        for deal in punished:
            assert deal["written"][side] <= 0 or REVOKE_COSTS[rules] == "a trick"
            assert (deal["fines"][side] == 100) == (REVOKE_COSTS[rules] == "the deal and 100")
    assert faults
    corrected = [event for event in one.events if event.corrected]
    assert len(corrected) == len(one.parties)


def test_r66_who_plays_illegal_cards_for_ever_forfeits_by_the_third_or_the_second_running() -> None:
    """Under redeal_100 the same dealer would deal again and again."""
    plan = {"rules": "klabor/2", "deals": None, "overrides": {"illegal_move": "rules"}}
    one = played({"": does.at_decisions(does.revokes)}, **plan)[""]
    for party in one.parties:
        causes = [cause for cause in one.causes(party) if cause]
        assert causes in (["illegal"] * 2, ["illegal"] * 3)
        assert party.forfeiter == one.seat_in(party)
    assert one.points() == (0, 2)


def test_an_answer_to_dava_is_a_decision_like_any_other() -> None:
    """One raises whenever it may, the other accepts: stakes of more than one are won and counted."""

    async def raises(exchange: Exchange) -> None:
        legal = exchange.message["legal"]
        wanted = next((action for action in ("dava", "accept", "take") if action in legal), None)
        await exchange.reply_json({"action": wanted or exchange.message["default"]})

    with seated([does.at_decisions(raises)] * 2, 1, rules="short_dava/2", deals=None) as (match, servers):
        assert drive(slots=2, seconds=60) == 1
    phases = {message["phase"] for server in servers for message in server.messages()}
    assert phases >= {"bid", "play", "dava"}
    parties = list(match.parties.all())
    assert any(max(map(abs, party.stakes)) > 1 for party in parties)
    points = list(Result.objects.get(match=match).seats.order_by("index").values_list("points", flat=True))
    turned = [[party.stakes[party.table_side(side, 2)] for side in (0, 1)] for party in parties]
    assert points == [sum(column) for column in zip(*turned, strict=True)]


def test_the_examples_can_answer_at_every_preset() -> None:
    """Whatever is asked of them: random tables, each decision given to each example's `choose`."""
    from tests.rogues.examples import choosers, decisions_of

    for name in presets():
        for message in decisions_of(name, parties=2):
            for example, choose in choosers().items():
                assert choose(message) in message["legal"], (name, example, message["legal"])
