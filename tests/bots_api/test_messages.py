"""What a program is sent, to the letter of protocol §4, and how a version is admitted."""

from __future__ import annotations

import asyncio
import re

import pytest

from bots_api.addresses import AddressRefused
from bots_api.messages import deal_over, game_over, game_start
from bots_api.models import Delivery, MessageCounter
from bots_api.push import PushAgents
from bots_api.services import add_version, ping, register_bot, shown_secret
from engine import PartySetup, apply, default_action, record_of, start
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.models import AgentStatus, PlayerKind, User
from tests.bots_api.tables import ask, question_to, ref_of, version_at
from tests.rogues import behaviours as does
from tests.rogues.program import Program

pytestmark = pytest.mark.django_db(transaction=True)

DECISION = [
    *("protocol", "rules", "overrides", "players", "pairs", "target", "seat", "party", "deal", "ply", "phase", "you"),
    *("table", "history", "events", "legal", "default"),
    *("type", "decision_id", "seq", "game", "match", "round", "rated", "clock"),
]
CLOCK = ["budget_ms", "bank_ms", "grace_ms", "hard_ms", "last_charged_ms", "last_rtt_ms"]


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna")


def test_a_decision_has_these_fields_in_this_order() -> None:
    with Program(does.plays) as program:
        question = question_to(version_at(program.url))
        ask(question)
    (message,) = program.messages()
    assert list(message) == DECISION
    assert list(message["clock"]) == CLOCK
    assert message["clock"] == {
        "budget_ms": 200,
        "bank_ms": 300,
        "grace_ms": 50,
        "hard_ms": 550,
        "last_charged_ms": 0,
        "last_rtt_ms": 0,
    }
    assert (message["protocol"], message["type"], message["rules"]) == ("1", "decision", "moscow/2@1")
    assert (message["seq"], message["round"], message["rated"], message["party"]) == (1, 3, True, 1)
    assert re.fullmatch(r"dec_[0-9A-Za-z]{22}", message["decision_id"])
    assert re.fullmatch(r"g_[0-9A-Za-z]{22}", message["game"])
    assert re.fullmatch(r"m_[0-9A-Za-z]{22}", message["match"])


def test_nothing_of_ours_is_in_it() -> None:
    with Program(does.plays) as program:
        version = version_at(program.url)
        ask(question_to(version))
    body = program.received[0].body.decode()
    for hidden in ("seed", "deck", "stock", "chance", "agent", "secret", "label", "entropy"):
        assert f'"{hidden}' not in body


def test_a_game_start_has_these_fields() -> None:
    ref = ref_of(version_at("http://127.0.0.1:9001/"))
    assert game_start(ref) == {
        "protocol": "1",
        "type": "game_start",
        "game": ref.game,
        "match": ref.match,
        "rules": "moscow/2@1",
        "overrides": {"deals": 1, "next_dealer": "rotate", "hang_dealer": "next"},
        "seat": 0,
        "players": 2,
        "pairs": False,
        "commitment": "c" * 64,
        "control": "blitz",
    }
    assert next(iter(game_start(ref))) == "protocol"


def test_a_deal_over_has_these_fields_and_no_pack() -> None:
    ref = ref_of(version_at("http://127.0.0.1:9001/"))
    table = start(PartySetup(ref.rules, bytes(32)))
    while not table.over:
        table = apply(table, next((one for one in table.legal if one.text == "take"), default_action(table)))
    message = deal_over(ref, table.party.deals[-1])
    assert list(message) == ["protocol", "type", "game", "match", "deal"]
    (written,) = record_of(table)["deals"]
    assert message["deal"] == {key: value for key, value in written.items() if key != "deck"}
    assert list(message["deal"]) == [
        *("number", "dealer", "actions", "end", "maker", "trump"),
        *("points", "written", "waiting", "fines", "totals"),
    ]


def test_a_game_over_has_these_fields() -> None:
    ref = ref_of(version_at("http://127.0.0.1:9001/"))
    result = {"totals": [512, 388], "winner": 0, "reason": "target", "stakes": None, "forfeiter": None}
    message = game_over(ref, result)
    assert list(message) == ["protocol", "type", "game", "match", "result", "record_url"]
    assert (message["game"], message["result"]) == (ref.game, result)
    assert message["record_url"].endswith(f"/api/v1/parties/{ref.game}/record")


def test_a_bot_is_a_player_with_an_owner(anna: User) -> None:
    bot = register_bot("Манела", anna, about="counts trumps")
    assert (bot.player.kind, bot.player.owner, bot.about) == (PlayerKind.BOT, anna, "counts trumps")


def test_a_new_version_may_not_play_yet(anna: User) -> None:
    version = add_version(register_bot("Manela", anna), "v1", "http://127.0.0.1:9001/")
    assert (version.agent.status, version.agent.kind) == (AgentStatus.NEW, "push")
    assert MessageCounter.objects.get(agent=version.agent).last_seq == 0
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", shown_secret(version))


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://localhost@127.0.0.1/", "ftp://example.org/", "http://[::1"]
)
def test_a_version_at_an_address_that_is_never_called_is_refused(anna: User, url: str) -> None:
    with pytest.raises(AddressRefused):
        add_version(register_bot("Manela", anna), "v1", url)


def test_a_version_that_echoes_the_challenge_is_not_thereby_admitted(anna: User) -> None:
    with Program(does.answers_notices) as program:
        version = add_version(register_bot("Manela", anna), "v1", program.url)
        delivery = ping(version)
    assert (delivery.outcome, delivery.status, delivery.seq) == ("ok", 200, 1)
    version.agent.refresh_from_db()
    assert version.agent.status == AgentStatus.NEW
    (message,) = program.messages("ping")
    assert list(message) == ["protocol", "type", "challenge", "seq"]
    assert len(message["challenge"]) >= 32


@pytest.mark.parametrize(
    ("behaviour", "outcome"),
    [
        (does.says(b"{}"), "malformed"),
        (does.says(b'{"challenge":"another"}'), "malformed"),
        (does.says(b'{"challenge":null}'), "malformed"),
        (does.says(b"", 500), "http_error"),
        (does.says(b"", 302, Location="/"), "http_error"),
        (does.sends_a_megabyte, "malformed"),
        (does.hangs_up, "unreachable"),
        (does.sends(b"\x00\r\n\r\n"), "http_error"),
    ],
)
def test_what_is_wrong_with_the_answer_to_a_ping_is_told(anna: User, behaviour: does.Behaviour, outcome: str) -> None:
    with Program(behaviour) as program:
        version = add_version(register_bot("Manela", anna), "v1", program.url)
        delivery = ping(version)
    version.agent.refresh_from_db()
    assert (delivery.outcome, version.agent.status) == (outcome, AgentStatus.NEW)
    assert Delivery.objects.get().detail == delivery.detail != ""


def test_a_version_that_answers_a_ping_with_410_is_retired() -> None:
    with Program(does.says(b"", 410)) as program:
        version = version_at(program.url)
        assert ping(version).status == 410
    version.agent.refresh_from_db()
    assert (version.agent.status, version.agent.status_reason) == (AgentStatus.RETIRED, "answered 410 Gone")


def test_a_number_that_a_given_up_match_left_is_used_and_a_failed_one_is_not() -> None:
    async def run() -> list[int]:
        async with Ledger() as ledger, PushAgents(LagMeter(), ledger) as push:
            push.expect(question.ref)  # its match is given up, and claimed by the same lane again
            push.expect(question.ref)
            await push.decide(question)
            monkey.setattr("bots_api.sequence.ADVANCE", "SELECT * FROM unnest(%s::bigint[], %s::int[]) WHERE 1 / 0 = 1")
            push.expect(question.ref)
            await asyncio.sleep(0.2)
            monkey.undo()
            await push.decide(question)
            return [message["seq"] for message in program.messages()]

    with Program(does.plays) as program, pytest.MonkeyPatch.context() as monkey:
        question = question_to(version_at(program.url))
        assert asyncio.run(run()) == [1, 2]
