"""Everything that leaves the service on an evening, by whom it reaches and what it is an answer to."""

from __future__ import annotations

import http.client
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any
from urllib.parse import urlsplit

from django.test import Client

from bots_api.models import BotVersion, DecisionState, Delivery, PullDecision
from matches.models import Game, Match, Party, Player
from tests.doors.house import PEOPLE
from tests.doors.routes import Route, routes
from tests.doors.table import Row, rows
from tests.leaks.evening import Evening
from tests.leaks.masking import masked, masked_headers

Heard = dict[str, bytes]
"""By what was asked, what came back: status, headers and body, masked."""
OF_MATCHES = ("m/<", "api/v1/matches/<")
OF_PROGRAMS = ("b/<", "v/<", "api/v1/bots/<", "api/v1/versions/<")
LOGS = ("b/", "v/", "api/v1/versions/")
BETWEEN_LINES = rb'\n|(?<="results":\[)|(?<=\}),(?=\{)|(?<=\})(?=\]\})'
POLLED = ("m/<public_id:public_id>/", "t/<slug:slug>/live/")
OF_ALL = ("matches", "tournaments", "bots", "challenges", "webhooks")
LISTS = ("", "t/", "bots/", "challenges/", "webhooks/", *(f"api/v1/{things}" for things in OF_ALL))
OF_NO_MATCH = ("admin/", "rules/", "tokens/", "api/v1/^presets")
FAULTS = "v/<public_id:version_id>/"
NOTHING = "m_" + "0" * 22
"""The id of no thing."""
TELLING = frozenset({"200", "401", "403", "404", "409"})
LIVE = {"HX-Request": "true"}


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def whole(self) -> bytes:
        return b"%d\n%b\n\n%b" % (self.status, masked_headers(self.headers), masked(self.body))


class Caller:
    """One connection to the server that is kept."""

    def __init__(self, base_url: str, headers: Mapping[str, str]) -> None:
        self._connection, self._headers = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=30), headers

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        sent = json.dumps(body).encode() if body is not None else None
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request(method, path, sent, {**self._headers, **more})
        reply = self._connection.getresponse()
        return Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())

    def close(self) -> None:
        self._connection.close()


def everything(evening: Evening, base_url: str, but: Sequence[str] = ()) -> dict[str, Heard]:
    """By observer, all that he can get, but for those named. Nothing of the story changes by it; programs come last,
    who use up a correction each."""
    addresses = _Addresses(evening)
    people = [who for who in ("nobody", *evening.people) if who not in but]
    heard = {who: _pages(evening, base_url, who, addresses) for who in people}
    heard |= {f"{who}'s token": _answers(evening, base_url, who, addresses) for who in people}
    return heard | _programs(evening, base_url, but) | {"a webhook's site": _news(evening)}


def _pages(evening: Evening, base_url: str, who: str, addresses: _Addresses) -> Heard:
    """Every page that opens to that person, as his browser gets it; those that are polled, polled as well."""
    call = Caller(base_url, _cookie(evening, who))
    heard: Heard = {}
    for route in _routes_for(who, is_api=False):
        for label, address in addresses.of(route):
            heard[label] = _in_order(label, call("GET", address).whole)
            if route.pattern in POLLED:
                heard[f"{label} live"] = call("GET", address, **LIVE).whole
    call.close()
    return heard


def _answers(evening: Evening, base_url: str, who: str, addresses: _Addresses) -> Heard:
    """The same of the API."""
    token = evening.tokens.get(who)
    call = Caller(base_url, {"Authorization": f"Bearer {token}"} if token else {})
    heard: Heard = {}
    for route in _routes_for(who, is_api=True):
        for label, address in addresses.of(route):
            heard[label] = _in_order(label, call("GET", address).whole)
    call.close()
    return heard


def _cookie(evening: Evening, who: str) -> dict[str, str]:
    browser = Client()
    if who in evening.people:
        browser.force_login(evening.people[who])
    return {"Cookie": browser.cookies.output(header="", attrs=[], sep=";").strip()} if browser.cookies else {}


def _news(evening: Evening) -> Heard:
    """What a webhook was sent: anybody may have one."""
    requests = list(evening.site.received)
    assert {one.message["type"] for one in requests} == {"ping", "round.drawn"}
    return {f"news {number}": masked_headers(one.headers) + masked(one.body) for number, one in enumerate(requests)}


def _in_order(label: str, told: bytes) -> bytes:
    """Logs of programs, which play several games at once, have their lines as chance had it: sorted here."""
    if not label.startswith(LOGS):
        return told
    return b"\n".join(sorted(re.split(BETWEEN_LINES, told)))


# --- addresses: every route that can be read, of every thing of the evening


def _routes_for(who: str, *, is_api: bool) -> Iterator[Route]:
    """Those that tell him something by the table of doors, or refuse him."""
    for route in routes():
        if route.is_api != is_api or "GET" not in route.methods or not _is_of_the_evening(route):
            continue
        if _answers_to(who, rows()[route.row, "GET"]) & TELLING:
            yield route


def _is_of_the_evening(route: Route) -> bool:
    """Whether what it tells has to do with matches. The desk is left out: behind it sit those who keep the seeds."""
    return route.pattern in LISTS or ("<" in route.pattern and not route.pattern.startswith(OF_NO_MATCH))


def _answers_to(who: str, row: Row) -> frozenset[str]:
    """Bohdan and Dmytro both own things here, and are strangers to each other's."""
    by_person = dict(zip(PEOPLE, row, strict=True))
    return by_person["bohdan"] | by_person["dmytro"] if who in ("bohdan", "dmytro") else by_person[who]


class _Addresses:
    """What to write in the addresses of an evening, by the word that stands before it there."""

    def __init__(self, evening: Evening) -> None:
        self._programs = [_of_version(version) for version in evening.versions]
        self._matches = [_of_match(match) for match in evening.matches]
        self._parties = {
            f"{number}.{party.number}": _of_match(match) | _of_party(party)
            for number, match in enumerate(evening.matches, start=1)
            for party in match.parties.order_by("number")
        }
        self._common = self._programs[0] | self._matches[0] | _common(evening)

    def of(self, route: Route) -> Iterator[tuple[str, str]]:
        """The route's address for each thing that it may be about, with what to call it in every world."""
        for label, keys in self._keys(route):
            whole = "?page_size=100" if route.pattern.endswith("/deliveries") else ""
            yield f"{route.pattern} {label}".strip(), route.address(self._common | keys) + whole
            if route.pattern == FAULTS:
                yield f"{route.pattern} {label}, faults", f"{route.address(self._common | keys)}?faults"

    def _keys(self, route: Route) -> Iterable[tuple[str, dict[str, str]]]:
        if route.pattern.startswith(OF_PROGRAMS):
            return [(f"program {number}", keys) for number, keys in enumerate(self._programs)]
        if "parties/" in route.pattern:
            return self._parties.items()
        if route.pattern.startswith(OF_MATCHES):
            return [(f"match {number}", keys) for number, keys in enumerate(self._matches, start=1)]
        return [("", {})]


def _common(evening: Evening) -> dict[str, str]:
    draw = evening.cup.stages.get().rounds.order_by("number").first()
    entry = evening.cup.entries.order_by("number").first()
    assert draw is not None
    assert entry is not None
    return {
        "t": evening.cup.slug,
        "tournaments": evening.cup.public_id,
        "stages": "1",
        "standings": "1",
        "rounds": draw.public_id,
        "rounds/int": str(draw.number),
        "entries": entry.public_id,
        "own-entries": entry.public_id,
        "new": "swiss",
        "files": "document.json",
        "p": Player.objects.order_by("pk")[0].public_id,
        "challenges": evening.challenge.public_id,
        "webhooks": evening.webhook.public_id,
        "deliveries": evening.webhook.deliveries.order_by("pk")[0].public_id,
        **dict.fromkeys(("tokens", "other"), NOTHING),
    }


def _of_match(match: Match) -> dict[str, str]:
    return {"m": match.public_id, "matches": match.public_id, "m/parties": match.public_id}


def _of_party(party: Party) -> dict[str, str]:
    return {"parties": party.public_id, "parties/int": str(party.number)}


def _of_version(version: BotVersion) -> dict[str, str]:
    """`messages`: the first that it was sent of the first game that it plays."""
    agent = version.agent.public_id
    first = Game.objects.filter(match_seat__agent=version.agent_id).order_by("pk")[0]
    message = Delivery.objects.filter(agent=version.agent_id, game=first.public_id).order_by("seq")[0]
    bot = version.bot.public_id
    return {"b": bot, "bots": bot, "v": agent, "versions": agent, "messages": str(message.pk)}


# --- programs: what they were sent, what they are given when they ask, and what they are refused


def _programs(evening: Evening, base_url: str, but: Sequence[str]) -> dict[str, Heard]:
    return {
        f"{evening.owner_of(version)}'s program {number}": _Program(evening, base_url, version.agent_id).everything()
        for number, version in enumerate(evening.versions)
        if evening.owner_of(version) not in but
    }


class _Program:
    """One version. What it hears is sorted by game, since it plays several at once, and within a game as it came."""

    def __init__(self, evening: Evening, base_url: str, agent_id: int) -> None:
        self._evening, self._base_url, self._agent_id = evening, base_url, agent_id
        self._places = {
            game.public_id: f"{number}.{party.number} seat {game.seat}"
            for number, match in enumerate(evening.matches, start=1)
            for party in match.parties.prefetch_related("games")
            for game in party.games.all()
        }

    def everything(self) -> Heard:
        if self._agent_id in self._evening.pushed:
            requests = list(self._evening.pushed[self._agent_id].received)
            return self._by_game("called", ((masked_headers(one.headers), one.body) for one in requests))
        told = [(b"", _line(message)) for message in list(self._evening.pulling[self._agent_id].heard)]
        return self._by_game("told", told) | self._asked_again()

    def _by_game(self, how: str, messages: Iterable[tuple[bytes, bytes]]) -> Heard:
        told: defaultdict[str, list[bytes]] = defaultdict(list)
        for headers, body in messages:
            message = json.loads(body)
            if "game" in message:
                told[f"{how} {self._places[message['game']]} {message['type']}"].append(headers + masked(body))
        return {game: b"\n".join(bodies) for game, bodies in told.items()}

    def _asked_again(self) -> Heard:
        """By a long poll, a new stream, and answers that are refused."""
        call = Caller(self._base_url, self._headers)
        poll = call("GET", "/api/v1/bot/decisions?wait=0&max=64")
        given = [(b"", _line(decision)) for decision in json.loads(poll.body)["decisions"]]
        heard = {"poll": masked_headers(poll.headers), **self._by_game("given", given), **self._streamed()}
        decisions = PullDecision.objects.filter(agent=self._agent_id).order_by("seq")
        for decision in {(decision.game, decision.state): decision for decision in decisions}.values():
            heard |= self._refused(call, decision)
        call.close()
        return heard

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._evening.play_tokens[self._agent_id]}"}

    def _streamed(self) -> Heard:
        """A stream from the first message on, until the program has superseded it or there is nothing but a ping."""
        connection = http.client.HTTPConnection(urlsplit(self._base_url).netloc, timeout=30)
        connection.request("GET", "/api/v1/bot/stream?after=0", headers=self._headers)
        reply = connection.getresponse()
        lines = list(takewhile(lambda line: b'"type":"ping"' not in line, reply))
        headers = {name.lower(): value for name, value in reply.getheaders()}
        reply.close()
        connection.close()
        told = self._by_game("streamed", ((b"", line) for line in lines))
        return {"stream": masked_headers(headers) + masked(lines[0]), **told}

    def _refused(self, call: Caller, decision: PullDecision) -> Heard:
        """What is said to answers that are none, come too late, are another's or are not legal."""
        address, place = f"/api/v1/decisions/{decision.decision_id}", self._places[decision.game]
        ply = json.loads(decision.body)["ply"]
        tried: dict[str, Any] = {"no answer": {}, "the same": {"action": decision.action}}
        tried |= {"illegal": {"action": "play:XX"}, "another": {"action": "pass"}}
        if decision.state == DecisionState.OPEN:
            tried = {"no answer": {}, "illegal": {"action": "play:XX"}}
        heard = {f"{place} ply {ply}, {what}": call("PUT", address, body).whole for what, body in tried.items()}
        others = [agent for agent in self._evening.play_tokens if agent != self._agent_id]
        for agent in others:
            token = {"Authorization": f"Bearer {self._evening.play_tokens[agent]}"}
            heard[f"{place} ply {ply}, by another program"] = call("PUT", address, {"action": "pass"}, **token).whole
        return heard


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()
