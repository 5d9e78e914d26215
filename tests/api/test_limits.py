"""Limits: exact however many count, told with which and how long, blind to what a client says of his address."""

from __future__ import annotations

import http.client
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from bots_api.models import Bot
from bots_api.tokens import make_token
from deploy import environment
from matches.api.limits import LimitReached, address_of, count
from matches.core.limits import Limit, parse_limit
from tests.api.program import Program
from tests.bots_api.pull.calling import asked, caller, put, put_in, request
from tests.cast import person
from tests.proofs.limits import counted_by
from tests.pull_program import serving

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
LIST = "/api/v1/presets"


@pytest.fixture
def only(settings):
    """Sets one limit."""

    def put(name: str, text: str) -> None:
        settings.LIMITS = settings.LIMITS | {name: parse_limit(text)}

    return put


def taken(_: int) -> bool:
    try:
        count("bots", "user:1")
    except LimitReached:
        return False
    return True


def test_of_many_at_once_exactly_so_many_are_let_through(only) -> None:
    only("bots", "100/minute")
    with ThreadPoolExecutor(16) as pool:
        assert Counter(pool.map(taken, range(400))) == {True: 100, False: 300}


def test_of_many_processes_too() -> None:
    assert counted_by(processes=8, times=25, windows=1, limit="40/day")["passed"] == [40]


def test_one_who_has_reached_it_takes_nothing_from_others(only) -> None:
    only("bots", "1/day")
    count("bots", "user:1")
    with pytest.raises(LimitReached, match="1 a day"):
        count("bots", "user:1")
    count("bots", "user:2")
    count("versions", "user:1")


def test_the_window_moves(settings) -> None:
    settings.LIMITS = settings.LIMITS | {"bots": Limit(2, 10)}
    assert [taken(0) for _ in range(3)] == [True, True, False]
    until = time.monotonic() + 60
    while not taken(0):
        assert time.monotonic() < until
        time.sleep(0.5)


def test_it_says_which_and_how_long(client: Client, only) -> None:
    only("reading", "2/minute")
    assert [client.get(LIST).status_code for _ in range(2)] == [200, 200]
    refused = client.get(LIST)
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    problem = refused.json()
    assert (problem["code"], problem["status"]) == ("rate_limited", 429)
    assert "“reading” is 2 a minute" in problem["detail"]
    wait = int(refused["Retry-After"])
    assert 1 <= wait <= 60
    assert refused["RateLimit-Policy"] == '"reading";q=2;w=60'
    assert refused["RateLimit"] == f'"reading";r=0;t={wait}'


def test_every_answer_says_what_is_left(client: Client, only) -> None:
    only("reading", "3/minute")
    told = [client.get(LIST) for _ in range(2)]
    assert [answer["RateLimit-Policy"] for answer in told] == ['"reading";q=3;w=60'] * 2
    left = [re.fullmatch(r'"reading";r=(\d);t=(\d+)', answer["RateLimit"]).groups() for answer in told]
    assert [count for count, _ in left] == ["2", "1"]
    assert all(0 <= int(seconds) <= 60 for _, seconds in left)
    only("reading", "off")
    assert "RateLimit" not in client.get(LIST)
    only("writing", "9/minute")
    only("bots", "2/day")
    made = Program(person("bohdan"), "bot:write")("post", "bots", {"name": "Greta"}, status=201)
    assert re.fullmatch(r'"writing";r=8;t=\d+, "bots";r=1;t=\d+', made["RateLimit"])


def test_it_says_so_in_good_words() -> None:
    told = str(LimitReached("challenges", Limit(60, 3_600), 61).detail)
    assert told == "The limit “challenges” is 60 an hour: the next is taken in 2 minutes."


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer mnl_none"}])
def test_who_is_refused_is_counted_by_his_address(client: Client, only, header: dict[str, str]) -> None:
    only("writing", "3/minute")
    statuses = [client.post("/api/v1/bots", headers=header).status_code for _ in range(5)]
    assert statuses == [401, 401, 401, 429, 429]


def test_what_is_refused_uses_nothing_up(only) -> None:
    only("bots", "2/day")
    program = Program(person("bohdan"), "bot:write")
    program.post("bots", {"name": "Greta"}, status=201)
    for body, status in [({"name": "Greta"}, 409), ({"nmae": "Gerta"}, 400)] * 2:
        program("post", "bots", body, status=status)
    program.post("bots", {"name": "Gerta"}, status=201)
    assert program("post", "bots", {"name": "Grete"}, status=429).json()["code"] == "rate_limited"
    assert {bot.player.name for bot in Bot.objects.all()} == {"Greta", "Gerta"}


def test_a_limit_that_is_off_counts_nothing(only) -> None:
    only("bots", "off")
    assert all(taken(0) for _ in range(50))


def test_what_a_client_says_of_his_address_is_one_bucket(only, settings) -> None:
    only("reading", "5/minute")
    for proxies in (0, 1):
        settings.TRUSTED_PROXIES = proxies
        spoofed = [f"198.51.{number // 250}.{number % 250}" for number in range(1_000)]
        real = f"203.0.113.{proxies + 1}"
        statuses = Counter(
            Client(
                REMOTE_ADDR="127.0.0.1" if proxies else real,
                HTTP_X_FORWARDED_FOR=f"{one}, {real}" if proxies else one,
            )
            .get(LIST)
            .status_code
            for one in spoofed[:100]
        )
        assert statuses == {200: 5, 429: 95}
        assert len({_seen(f"{one}, {real}" if proxies else one, real) for one in spoofed}) == 1


def _seen(forwarded: str, direct: str) -> str:
    return address_of(RequestFactory().get("/", HTTP_X_FORWARDED_FOR=forwarded, REMOTE_ADDR=direct))


@pytest.mark.parametrize(
    ("proxies", "forwarded", "direct", "address"),
    [
        (0, "198.51.100.7", "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.7", "127.0.0.1", "198.51.100.7"),
        (1, "10.0.0.1, 198.51.100.7", "127.0.0.1", "198.51.100.7"),
        (2, "10.0.0.1, 198.51.100.7, 192.0.2.1", "127.0.0.1", "198.51.100.7"),
        (2, "198.51.100.7", "127.0.0.1", "127.0.0.1"),
        (1, "", "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.7:1234", "127.0.0.1", "198.51.100.7"),
        (1, "[2001:db8:0:7:1:2:3:4]:443", "127.0.0.1", "2001:db8:0:7::/64"),
        (1, "a house", "203.0.113.9", "203.0.113.9"),
        (0, "", "2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"),
        (0, "", "::ffff:203.0.113.9", "203.0.113.9"),
        (0, "", "", "unknown"),
    ],
)
def test_an_address_is_what_our_own_proxy_saw(
    settings, proxies: int, forwarded: str, direct: str, address: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert _seen(forwarded, direct) == address


def test_without_its_server_everything_is_let_through_and_logged(only, settings, caplog, monkeypatch) -> None:
    monkeypatch.setattr("matches.api.limits._away_until", 0.0)
    settings.HINTS_URL = "unix:///nonexistent/socket?db=0"
    only("bots", "1/day")
    assert [taken(0) for _ in range(5)] == [True] * 5
    assert len([line for line in caplog.records if "Nothing is counted" in line.message]) == 1


def test_settings_change_each(monkeypatch) -> None:
    monkeypatch.setenv("LIMITS", "bots=3/hour, reading=off")
    assert environment.limits({"bots": "20/day", "reading": "9/minute", "x": "1/second"}) == {
        "bots": Limit(3, 3_600),
        "reading": None,
        "x": Limit(1, 1),
    }


@pytest.mark.parametrize("said", ["rolls=1/day", "bots=0/day", "bots=1/year", "bots", "bots=1/day/day"])
def test_a_limit_that_is_none_is_told(monkeypatch, said: str) -> None:
    monkeypatch.setenv("LIMITS", said)
    with pytest.raises(Exception, match="LIMITS has"):
        environment.limits({"bots": "20/day"})


@pytest.mark.parametrize(
    ("broker", "seen"),
    [
        ("redis+socket:///a/b.sock?virtual_host=3", "unix:///a/b.sock?db=3"),
        ("redis+socket:///a/b.sock", "unix:///a/b.sock?db=0"),
        ("redis://host:6379/1", "redis://host:6379/1"),
    ],
)
def test_the_brokers_server_is_found(monkeypatch, broker: str, seen: str) -> None:
    monkeypatch.setenv("BROKER_URL", broker)
    monkeypatch.delenv("REDIS_URL", raising=False)
    assert environment.hints_url() == seen


def test_every_limit_is_in_the_operators_book() -> None:
    book = (settings.BASE_DIR / "docs" / "operators.md").read_text()
    for name, limit in settings.LIMITS.items():
        per = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
        told = re.findall(
            r"[0-9]+/[a-z]+", next(line for line in book.splitlines() if f"`{name}`" in line and "/" in line)
        )
        assert limit in [Limit(int(text.partition("/")[0]), per[text.partition("/")[2]]) for text in told]


def test_the_proxy_in_the_operators_book_says_where_a_request_comes_from() -> None:
    book = (settings.BASE_DIR / "docs" / "operators.md").read_text()
    pages = re.search(r"location / \{.*?\n\}", book, re.DOTALL)
    assert pages is not None
    assert "X-Forwarded-For $proxy_add_x_forwarded_for;" in pages[0]


@pytest.mark.django_db(transaction=True)
def test_programs_that_play_meet_no_limit(child_env: dict[str, str]) -> None:
    one = caller()
    with serving(child_env, LIMITS="reading=5/minute,writing=5/minute") as server:
        (given,) = put_in(asked(one))
        statuses = Counter(request(server.base_url, "GET", "presets").status for _ in range(10))
        assert statuses == {200: 5, 429: 5}
        for _ in range(20):
            assert request(server.base_url, "GET", "bot/decisions?wait=0", headers=one.headers).status == 200
            assert put(server.base_url, one, given, {"action": "play:7C"}).status == 200


@pytest.mark.django_db(transaction=True)
def test_over_a_real_server_no_spelling_of_a_header_is_another_address(child_env: dict[str, str]) -> None:
    with serving(child_env, LIMITS="reading=5/hour", TRUSTED_PROXIES="1") as server:
        statuses = Counter(
            request(
                server.base_url,
                "GET",
                "presets",
                headers={"X-Forwarded-For": "203.0.113.6", "X_Forwarded_For": f"198.51.100.{number}"},
            ).status
            for number in range(7)
        )
        assert statuses == {200: 5, 429: 2}
        chunked = {"Content-Type": "application/json", "X-Forwarded-For": "203.0.113.7"}
        token = make_token(person("bohdan"), "chunked", ["bot:write"], 1)[1]
        connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=60)
        connection.request(
            "POST",
            "/api/v1/bots",
            iter([b'{"name":', b' "Chunky"}']),
            headers=chunked | {"Authorization": f"Bearer {token}"},
            encode_chunked=True,
        )
        assert connection.getresponse().status == 201
        connection.close()
