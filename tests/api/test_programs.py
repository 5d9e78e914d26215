"""Programs by the API: Bohdan registers his own and reads their logs, Chrystyna does not, and nobody sees secrets."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from bots_api.delivery_log import Delivered, write
from bots_api.models import ApiToken, Bot, BotVersion, Qualification
from bots_api.services import add_version, change_bot, register_bot
from bots_api.services.registering import MOST_BOTS, MOST_VERSIONS
from bots_api.tokens import MOST_OF_VERSION
from matches.core.limits import Limit
from matches.core.names import NameRefused
from matches.models import AgentStatus, KeptAnswer, User
from matches.services.versions import set_status
from tests.api.program import Program
from tests.cast import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
ADDRESS = "http://127.0.0.1:65535/a-secret-path"


@pytest.fixture
def bohdan() -> User:
    return person("bohdan")


@pytest.fixture
def program(bohdan: User) -> Program:
    return Program(bohdan, "bot:write", "logs:read")


@pytest.fixture
def version(bohdan: User) -> BotVersion:
    """One of Bohdan's that we call."""
    return add_version(register_bot("Greta", bohdan), "v1", ADDRESS)


@pytest.fixture
def calling(bohdan: User) -> BotVersion:
    """One of Bohdan's that calls us."""
    return add_version(register_bot("Caller", bohdan), "v1")


def of(version: BotVersion) -> str:
    return f"versions/{version.agent.public_id}"


def test_from_nothing_to_a_version_that_is_called(program: Program) -> None:
    bot = program.post("bots", {"name": "Greta", "about": "plays low", "challenges": "ask"}, status=201)
    assert (bot["owner"], bot["about"], bot["challenges"], bot["versions"]) == ("bohdan", "plays low", "ask", [])
    made = program.post(f"bots/{bot['id']}/versions", {"label": "v1", "url": ADDRESS}, status=201)
    assert made["secret"].startswith("whsec_")
    assert (made["kind"], made["status"], made["own"]["url"]) == ("push", "new", ADDRESS)
    assert [one["id"] for one in program.get(f"bots/{bot['id']}")["versions"]] == [made["id"]]


def test_from_nothing_to_a_version_that_calls_us(program: Program) -> None:
    bot = program.post("bots", {"name": "Greta"}, status=201)
    made = program.post(f"bots/{bot['id']}/versions", {"label": "v1"}, status=201)
    assert (made["kind"], made["secret"], made["own"]["ready"]) == ("pull", None, False)
    token = program.post(f"versions/{made['id']}/tokens", {"name": "laptop", "days": 30}, status=201)
    assert token["token"].startswith("mnl_")
    assert token["scopes"] == ["bot:play"]
    refused = program("post", f"versions/{made['id']}/secret", {}, status=409)
    assert refused.json()["code"] == "no_secret"


def test_a_program_is_changed_but_for_its_name(program: Program, version: BotVersion) -> None:
    bot = f"bots/{version.bot.public_id}"
    assert program("patch", bot, {"about": "learns"}, status=200).json()["about"] == "learns"
    assert program("patch", bot, {"challenges": "none"}, status=200).json()["challenges"] == "none"
    assert Bot.objects.get().about == "learns"
    refused = program("patch", bot, {"name": "Gretel"}, status=400).json()
    assert [error["field"] for error in refused["errors"]] == ["name"]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("bots", {"name": "house:greta"}, 409, "name_house"),
        ("bots", {"name": "greta"}, 409, "name_taken"),
        ("bots", {"name": "\u202egreta"}, 400, "name_unseen"),
        ("bots", {}, 400, "required"),
        ("bots", {"name": "x", "challenges": "some"}, 400, "invalid_choice"),
        ("{bot}/versions", {"label": "v1"}, 409, "label_taken"),
        ("{bot}/versions", {"label": "v 2"}, 400, "bad_label"),
        ("{bot}/versions", {"label": "v2", "url": "http://10.0.0.1/"}, 400, "address_refused"),
        ("{version}/tokens", {"name": "a", "days": 0}, 400, "min_value"),
        ("{version}/tokens", {"name": " ", "days": 1}, 400, "blank"),
        ("{version}/tokens", {"name": "a", "days": 1, "scopes": ["comp:admin"]}, 400, "invalid_choice"),
        ("{version}/tokens", {"name": "a", "days": 1, "scopes": ["logs:read"]}, 409, "bad_scopes"),
        ("{version}/secret", {"hours": 0}, 400, "min_value"),
        ("{version}/accepting", {}, 405, "method_not_allowed"),
    ],
)
def test_what_cannot_be_says_why(
    program: Program, version: BotVersion, path: str, body: Any, status: int, code: str
) -> None:
    at = path.format(bot=f"bots/{version.bot.public_id}", version=of(version))
    assert program("post", at, body, status=status).json()["code"] == code


def test_there_is_a_most_of_programs_and_of_versions(program: Program, version: BotVersion) -> None:
    for number in range(MOST_BOTS - 1):
        register_bot(f"Greta {number}", version.bot.player.owner)
    assert program("post", "bots", {"name": "one more"}, status=409).json()["code"] == "too_many"
    for number in range(MOST_VERSIONS - 1):
        add_version(version.bot, f"w{number}")
    versions = f"bots/{version.bot.public_id}/versions"
    assert program("post", versions, {"label": "one-more"}, status=409).json()["code"] == "too_many"
    program.post(f"{of(version)}/retire")
    program.post(versions, {"label": "one-more"}, status=201)


def test_a_version_is_retired_for_good(program: Program, version: BotVersion) -> None:
    set_status(version.agent_id, AgentStatus.ACTIVE)
    for _ in range(2):
        told = program.post(f"{of(version)}/retire", {"reason": "it has lost too often"})
        assert (told["status"], told["own"]["reason"]) == ("retired", "it has lost too often")
    refused = program("post", f"{of(version)}/tokens", {"name": "a", "days": 1}, status=409)
    assert refused.json()["code"] == "retired"


def test_a_version_is_drained_and_takes_matches_again(program: Program, version: BotVersion) -> None:
    for accepting in (False, True):
        told = program("put", f"{of(version)}/accepting", {"accepting": accepting}, status=200).json()
        assert (told["own"]["accepting"], told["own"]["ready"]) == (accepting, accepting)


def test_a_secret_is_changed_while_both_are_good(program: Program, version: BotVersion) -> None:
    changed = program.post(f"{of(version)}/secret", {"hours": 2})
    assert changed["secret"].startswith("whsec_")
    assert changed["old_secret_until"] > datetime.now(UTC).isoformat()
    assert program("post", f"{of(version)}/secret", {}, status=409).json()["code"] == "rotation_running"
    program("delete", f"{of(version)}/secret", status=204)
    program("delete", f"{of(version)}/secret", status=204)
    assert program.get(of(version))["own"]["old_secret_until"] is None


def test_two_tokens_of_a_version_live_so_that_one_takes_over(program: Program, calling: BotVersion) -> None:
    tokens = f"{of(calling)}/tokens"
    made = [program.post(tokens, {"name": f"n{number}", "days": 1}, status=201) for number in range(MOST_OF_VERSION)]
    assert program("post", tokens, {"name": "more", "days": 1}, status=409).json()["code"] == "too_many"
    program("delete", f"{tokens}/{made[0]['id']}", status=204)
    program("delete", f"{tokens}/{made[0]['id']}", status=204)
    program.post(tokens, {"name": "more", "days": 1}, status=201)
    listed = program.get(tokens)["results"]
    assert [one["revoked_at"] is None for one in listed] == [True, True, False]
    assert "token" not in listed[0]


def test_a_token_makes_none_that_opens_what_it_does_not_open(bohdan: User, calling: BotVersion) -> None:
    body = {"name": "spy", "days": 1, "scopes": ["bot:play", "logs:read"]}
    refused = Program(bohdan, "bot:write")("post", f"{of(calling)}/tokens", body, status=403)
    assert refused.json()["code"] == "scope_missing"
    Program(bohdan, "bot:write", "logs:read").post(f"{of(calling)}/tokens", body, status=201)


def test_of_eight_with_one_name_at_once_one_is_made() -> None:
    owners = [person(f"owner{number}") for number in range(8)]

    def registered(owner: User) -> str:
        try:
            register_bot("Greta", owner)
        except NameRefused as refusal:
            return refusal.code
        finally:
            connection.close()
        return "made"

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(registered, owners)) == ["made", *["name_taken"] * 7]


def test_of_two_changes_at_once_neither_undoes_the_other(version: BotVersion) -> None:
    one, other = Bot.objects.get(), Bot.objects.get()
    change_bot(one, challenges="none")
    change_bot(other, about="plays low")
    kept = Bot.objects.get()
    assert (kept.about, kept.challenges) == ("plays low", "none")


def test_of_eight_at_once_two_are_made(program: Program, calling: BotVersion) -> None:
    def make(number: int) -> int:
        try:
            return program("post", f"{of(calling)}/tokens", {"name": f"n{number}", "days": 1}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(make, range(8))) == [201] * 2 + [409] * 6


def test_an_answer_that_is_told_again_has_no_secret_in_it(program: Program, version: BotVersion) -> None:
    bot = f"bots/{version.bot.public_id}"
    for path, body, name in [
        (f"{bot}/versions", {"label": "v2", "url": ADDRESS}, "secret"),
        (f"{of(version)}/tokens", {"name": "a", "days": 1}, "token"),
        (f"{of(version)}/secret", {}, "secret"),
    ]:
        first = program("post", path, body, key=path)
        again = program("post", path, body, key=path)
        assert again["Idempotency-Replayed"] == "true"
        assert first["Cache-Control"] == "no-store"
        assert {**first.json(), name: None} == again.json()
        assert first.json()[name] not in str(list(KeptAnswer.objects.values_list("body", flat=True)))


def test_a_repeated_request_is_not_counted(program: Program, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"bots": Limit(2, 60)}
    for _ in range(3):
        program("post", "bots", {"name": "Greta"}, key="once", status=201)
    program.post("bots", {"name": "Gerta"}, status=201)
    assert program("post", "bots", {"name": "Grete"}, status=429).json()["code"] == "rate_limited"
    assert Bot.objects.count() == 2


def line(version: BotVersion, number: int, outcome: str = "ok", **columns: Any) -> Delivered:
    fields: dict[str, Any] = {
        "message": "decision",
        "game": "g_" + "0" * 22,
        "message_id": f"dec_{number}",
        "attempt": 1,
        "detail": "",
        "status": 200,
        "elapsed_ms": number,
        "action": "pass",
        "note": "",
        "request": "",
        "reply": "",
        "sent_at": datetime.now(UTC),
    }
    return Delivered(agent_id=version.agent_id, seq=number, outcome=outcome, **{**fields, **columns})


def test_the_log_is_read_and_sifted(program: Program, version: BotVersion) -> None:
    write([line(version, number, note="thinks") for number in range(1, 5)])
    write(
        [
            line(version, 5, "malformed", request="{}", reply="nonsense"),
            line(version, 6, message="game_over", game="g_x"),
        ]
    )
    log = f"{of(version)}/deliveries"
    assert [one["seq"] for one in program.get(log)["results"]] == [6, 5, 4, 3, 2, 1]
    assert [one["reply"] for one in program.get(f"{log}?faults=true")["results"]] == ["nonsense"]
    assert [one["seq"] for one in program.get(f"{log}?message=game_over")["results"]] == [6]
    assert [one["seq"] for one in program.get(f"{log}?game=g_x")["results"]] == [6]
    page = program.get(f"{log}?page_size=2")
    assert [one["seq"] for one in program.get(page["next"].partition("/api/v1/")[2])["results"]] == [4, 3]
    assert len(program.get(f"{log}?faults=False&page_size=9")["results"]) == 6
    for wrong in ("message=nothing", "game=" + "g" * 25, "faults=maybe", "fault=true"):
        program("get", f"{log}?{wrong}", status=400)


def test_how_it_plays_and_why_nothing_plays(program: Program, version: BotVersion) -> None:
    set_status(version.agent_id, AgentStatus.ACTIVE)
    empty = program.get(f"{of(version)}/stats")
    assert (empty["decisions"], empty["p50_ms"], empty["faults"], empty["fault_rate_bp"]) == (0, None, {}, 0)
    assert empty["waiting"] == {"due": 0, "ahead": 0, "running": 0, "reason": "none_due"}
    write([line(version, number) for number in range(1, 100)])
    write([line(version, 100, "illegal_action"), line(version, 100, attempt=2)])
    write([line(version, 101, "timeout"), line(version, 102, "http_500"), line(version, 103, "infra")])
    told = program.get(f"{of(version)}/stats")
    assert (told["decisions"], told["p50_ms"], told["p95_ms"]) == (103, 50, 95)
    assert told["faults"] == {"timeout": 1, "http_error": 1}
    assert told["fault_rate_bp"] == 2 * 10_000 // 103
    write([line(version, 104, "illegal_action"), line(version, 104, "infra", attempt=2)])
    write([line(version, 104)])  # asked again after our failure, its attempts counted anew
    now = datetime.now(UTC)
    write([line(version, 105, attempt=2, sent_at=now), line(version, 105, "illegal_action", sent_at=now)])
    again = program.get(f"{of(version)}/stats")
    assert (again["decisions"], again["p95_ms"], again["faults"]) == (105, 97, told["faults"])


def test_secrets_and_tokens_are_in_no_column_of_any_table(program: Program, bohdan: User) -> None:
    club = Program(bohdan, "comp:admin")
    bot = program.post("bots", {"name": "Greta"}, 201)["id"]
    called = program.post(f"bots/{bot}/versions", {"label": "v1", "url": ADDRESS}, 201, "first")
    rotated = program.post(f"versions/{called['id']}/secret", {"hours": 2}, key="second")
    calling = program.post(f"bots/{bot}/versions", {"label": "v2"}, 201)
    token = program.post(f"versions/{calling['id']}/tokens", {"name": "home", "days": 3}, 201, "third")
    hook = club.post("webhooks", {"url": ADDRESS, "events": ["match.finished"]}, 201, "fourth")
    assert BotVersion.objects.get(agent__public_id=called["id"]).old_secret is not None
    secrets = [called["secret"], rotated["secret"], hook["secret"]]
    raw = [b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    forms = [secret.removeprefix("whsec_").encode() for secret in secrets]
    forms += [*raw, *(one.hex().encode() for one in raw)]
    forms += [text.encode() for text in (token["token"], program.text, club.text)]
    kept = list(cells())
    assert [where for where, cell in kept for one in forms if one in cell] == []
    assert sum(token["name"].encode() == cell for _, cell in kept) == 1, "nothing was looked at"


def cells() -> Iterator[tuple[str, bytes]]:
    """Whatever is in the database, with its table."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                for cell in row:
                    yield table, bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode()


def test_a_qualification_is_asked_for_once_and_read(program: Program, version: BotVersion) -> None:
    at = f"{of(version)}/qualification"
    assert program("get", at, status=404).json()["code"] == "not_asked"
    asked = [program("post", at, status=202).json() for _ in range(2)]
    assert (asked[0]["status"], asked[0]["cases"]) == ("waiting", [])
    assert asked[0]["id"] == asked[1]["id"] == program.get(at)["id"]
    newest = Qualification.objects.get()
    case = {"code": "ping", "outcome": "failed", "detail": "No answer.", "request": "{}", "reply": "", "elapsed_ms": 5}
    newest.cases.create(number=1, **case)
    assert program.get(at)["cases"] == [{"number": 1, **case}]
    program.post(f"{of(version)}/retire")
    Qualification.objects.update(status="failed")
    assert program("post", at, {}, status=409).json()["code"] == "retired"


PRIVATE = ["qualification", "tokens", "deliveries", "stats"]
WRITES = [
    ("patch", "{bot}"),
    ("post", "{bot}/versions"),
    ("post", "{version}/retire"),
    ("put", "{version}/accepting"),
    ("post", "{version}/secret"),
    ("delete", "{version}/secret"),
    ("post", "{version}/tokens"),
    ("post", "{version}/qualification"),
    ("delete", "{version}/tokens/k_" + "0" * 22),
]


def test_what_is_private_is_not_there_for_a_stranger(program: Program, version: BotVersion) -> None:
    chrystyna = Program(person("chrystyna"), "bot:write", "logs:read")
    program("post", f"{of(version)}/qualification", status=202)
    nobody = of(version)[:-3] + "000"
    for path in PRIVATE:
        assert Client().get(f"/api/v1/{of(version)}/{path}").status_code == 401
        refused, unknown = chrystyna("get", f"{of(version)}/{path}", status=404), chrystyna("get", f"{nobody}/{path}")
        assert refused.content.replace(of(version)[9:].encode(), nobody[9:].encode()) == unknown.content
        program("get", f"{of(version)}/{path}", status=200)


def test_a_stranger_changes_nothing(version: BotVersion) -> None:
    chrystyna = Program(person("chrystyna"), "bot:write")
    reads = Program(version.bot.player.owner, "logs:read", "comp:admin")
    for method, path in WRITES:
        at = path.format(bot=f"bots/{version.bot.public_id}", version=of(version))
        assert Client().generic(method.upper(), f"/api/v1/{at}").status_code == 401
        assert chrystyna(method, at, {}).json()["code"] == "not_yours", (method, at)
        assert reads(method, at, {}).json()["code"] == "scope_missing", (method, at)


def test_address_and_state_are_the_owners_alone(program: Program, version: BotVersion) -> None:
    strangers: list[Any] = [Client(), Program(person("chrystyna"), "bot:write").client]
    shown = [client.get(f"/api/v1/{of(version)}").json() for client in strangers]
    shown.append(Program(person("danylo"), "bot:write").get(of(version)))
    shown.append(Program(version.bot.player.owner, "logs:read").get(of(version)))
    assert [one["own"] for one in shown] == [None] * 4
    assert program.get(of(version))["own"]["url"] == ADDRESS


def test_a_versions_token_reads_its_own_log_and_nothing_else(version: BotVersion, calling: BotVersion) -> None:
    owner = version.bot.player.owner
    plays = Program(owner, "bot:play", "logs:read", version=calling)
    plays("get", f"{of(calling)}/deliveries", status=200)
    plays("get", f"{of(calling)}/stats", status=200)
    plays("get", f"{of(version)}/deliveries", status=404)
    assert plays.get(of(calling))["own"] is None
    plays("get", f"{of(calling)}/tokens", status=403)
    plays("post", "bots", {"name": "another"}, status=403)
    assert plays("post", "tournaments", {}, status=403).json()["code"] == "scope_missing"
    silent = Program(owner, "bot:play", version=calling)
    silent("get", f"{of(calling)}/deliveries", status=403)
    ApiToken.objects.filter(version=calling).delete()
    assert plays("get", f"{of(calling)}/deliveries").status_code == 401
