"""Nobody is led to an address inside: not by how it is written, by a name server, by a reply or by the environment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bots_api import resolving, transport
from bots_api.addresses import AddressRefused
from bots_api.services import add_version, register_bot
from bots_api.transport import CallFailed, HttpReply
from matches.models import Agent, User
from tests.bots_api.address_corpus import INSIDE, LEADING_INSIDE, LOOKED_UP, STRANGE
from tests.bots_api.canary import Canary, at, called
from tests.bots_api.name_server import NameServer
from tests.rogues import behaviours as does
from tests.rogues.program import Program


def test_nothing_in_the_corpus_leads_to_the_canary() -> None:
    with Canary() as canary:
        came = asyncio.run(called([*at(canary.port), *STRANGE]))
        assert canary.connections == 0
    assert {(one.code, one.before_reply) for one in came if isinstance(one, CallFailed)} == {("unreachable", False)}
    assert len(came) == len(LEADING_INSIDE) + len(STRANGE)


def test_without_the_rule_much_of_the_corpus_would_lead_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary sings, and the corpus is not made of forms that lead nowhere."""
    monkeypatch.setattr(transport, "check_url", lambda *_, **__: None)
    monkeypatch.setattr(resolving, "may_call", lambda *_, **__: True)
    with Canary() as canary:
        asyncio.run(called(at(canary.port), loopback=True, deadline_ms=300))
        assert canary.connections >= 40


@pytest.mark.django_db
def test_nothing_in_the_corpus_can_be_registered_but_names_that_are_judged_at_each_call(settings: Any) -> None:
    settings.PUSH_ALLOW_LOOPBACK, settings.PUSH_ALLOW_HTTP = False, True
    bot = register_bot("Manela", User.objects.create_user("anna"))
    taken = []
    plain = [f"http://[{one}]/" if ":" in one else f"http://{one}/" for one in INSIDE]
    for url in filter(None, (*LEADING_INSIDE, *STRANGE, *plain)):  # without any address it is one that calls us
        try:
            add_version(bot, f"v{len(taken)}", url)
        except AddressRefused:
            continue
        taken.append(url.partition("//")[2].rpartition(":")[0])
        Agent.objects.update(status="retired")
    names = {name.removesuffix(".").lower() for name in taken}
    assert names == {*LOOKED_UP, "ip6-localhost", "localhost.localdomain"}


def test_a_rebinding_name_server_is_believed_once_for_each_connection() -> None:
    """First the program's address, then one that leads to the canary at the same port, which is refused."""

    closes = does.says(b"{}", Connection="close")
    inside = ("0.0.0.0", "::ffff:127.0.0.1", "::", "10.0.0.1", "169.254.169.254")
    with (
        Program(closes, host="127.0.0.2") as program,
        Program(does.plays, program.port) as canary,
        NameServer(lambda name, turn: ["127.0.0.2"] if turn == 0 else [inside[int(name[1])]]) as names,
    ):
        for n in range(len(inside)):
            url = f"http://n{n}.example.org:{program.port}/play"
            first, second = asyncio.run(called([url, url], names.look_up, loopback=True))
            assert isinstance(first, HttpReply)
            assert isinstance(second, CallFailed)
            assert "not on the open internet" in second.detail
        assert set(names.asked.values()) == {1}
        assert (program.connections, canary.connections) == (len(inside), 0)


@pytest.mark.parametrize(
    "said",
    [
        ["127.0.0.1"],
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::1"],
        ["8.8.8.8", "::ffff:127.0.0.1"],
        ["2606:4700::1111", "64:ff9b::7f00:1"],
        ["inside.example.org"],
        ["first.alias.example.org"],
        ["around.example.org"],
        [],
    ],
)
def test_one_answer_that_leads_inside_refuses_them_all_however_many_aliases_it_takes(said: list[str]) -> None:
    zone = {
        "first.alias.example.org": ["second.alias.example.org"],
        "second.alias.example.org": ["inside.example.org"],
        "inside.example.org": ["8.8.8.8", "127.0.0.1"],
        "around.example.org": ["around.example.org"],
    }
    with Canary() as canary, NameServer(lambda name, _: zone.get(name, said)) as names:
        (failure,) = asyncio.run(called([f"http://bot.example.org:{canary.port}/"], names.look_up))
        assert canary.connections == 0
    assert isinstance(failure, CallFailed)
    assert failure.code == "unreachable"
    leads_nowhere = said in (["around.example.org"], [])
    assert ("cannot be resolved" if leads_nowhere else "not on the open internet") in failure.detail


def sends_on_to(port: int) -> dict[str, does.Behaviour]:
    """Replies that would lead a browser, or a kinder client, to the canary."""
    there = f"http://127.0.0.1:{port}/"
    action = b'{"action":"take"}'
    return {
        **{str(code): does.says(b"", code, Location=there) for code in (300, 301, 302, 303, 305, 307, 308)},
        "a location of no scheme": does.says(b"", 307, Location=f"//127.0.0.1:{port}/"),
        "a location with 200": does.says(action, 200, Location=there, Content_Location=there),
        "a refresh": does.says(action, 200, Refresh=f"0; url={there}", Link=f"<{there}>; rel=canonical"),
        "an alternative service": does.says(action, 200, Alt_Svc=f'http/1.1="127.0.0.1:{port}"; ma=86400; persist=1'),
        "a proxy to use": does.says(b"", 407, Proxy_Authenticate="Basic", Location=there),
        "another protocol": does.says(b"", 101, Upgrade="h2c", Connection="Upgrade", Location=there),
        "HTTP/1.0": does.sends(b"HTTP/1.0 302 Found\r\nLocation: %s\r\n\r\n" % there.encode()),
        "HTTP/0.9": does.sends(b'<meta http-equiv=refresh content="0; url=%s">' % there.encode()),
    }


def test_no_reply_sends_us_on() -> None:
    with Canary() as canary:
        for name, behaviour in sends_on_to(canary.port).items():
            with Program(behaviour) as program:
                first, second = asyncio.run(called([program.url] * 2, loopback=True))
                assert len(program.received) == 2, name
            for came in (first, second):
                assert (came.status // 100 if isinstance(came, HttpReply) else came.code) in (1, 2, 3, 4, "http_error")
        assert canary.connections == 0


def test_the_environment_sends_us_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    with Canary() as canary, Program(does.plays) as program:
        for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy", "no_proxy"):
            for spelled in (name, name.upper()):
                monkeypatch.setenv(spelled, f"http://127.0.0.1:{canary.port}" if name != "no_proxy" else "")
        (tmp_path / ".netrc").write_text("default login anna password secret\n")
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
        (reply,) = asyncio.run(called([program.url], loopback=True))
        assert isinstance(reply, HttpReply)
        assert "authorization" not in program.received[0].headers
        assert canary.connections == 0
