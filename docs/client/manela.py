"""A client of Manela's API in one file, on Python's standard library alone: copy it beside your program.

    from manela import Client, ManelaError

    for decision in (client := Client(token="mnl_…", site="https://manela.example.org")).decisions():
        try:
            client.answer(decision, decision["default"])
        except (ManelaError, OSError) as no:
            print(no)  # too late, say: the game goes on, and so do you

What comes back is the JSON of the API as it stands. A reply that is lost is asked for again: every write carries a
key by which the second request has the first one's answer.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit

Json = dict[str, Any]
TRIES = 8
LONGEST_PAUSE_S = 5.0
SILENCE_S = 15.0
"""A stream says something every five seconds."""
_LOST = (OSError, http.client.HTTPException)


class ManelaError(Exception):
    """The API has said no. `code` is stable, `status` HTTP's; `problem` is all that was said, such as `legal`.

    `retry_after`: seconds after which a request is taken again, where a limit was met.
    """

    def __init__(self, status: int, problem: Json, retry_after: int | None = None) -> None:
        super().__init__(problem.get("detail") or f"HTTP {status}")
        self.status, self.problem, self.retry_after = status, problem, retry_after
        self.code: str = problem.get("code", "")
        self.errors: list[Json] = problem.get("errors", [])


class Client:
    """One token's view of one site. Threads may share it: each has a connection of its own."""

    def __init__(self, token: str = "", site: str = "http://localhost:8000", timeout_s: float = 30) -> None:
        self._site, self._timeout_s = urlsplit(site), timeout_s
        self._headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._kept = threading.local()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes this thread's connection; the next request opens another."""
        if (connection := getattr(self._kept, "connection", None)) is not None:
            connection.close()
        self._kept.connection = None

    # What everybody reads

    def matches(self, **filters: Any) -> Iterator[Json]:
        """Newest first, however many pages; by `status`, `player`, `version`."""
        return self.pages("matches", **filters)

    def match(self, match_id: str) -> Json:
        return self.get(f"matches/{match_id}")

    def record(self, party_id: str) -> Json:
        """All of a party, once every exposure of its board is over; by its id, or by a game's (`g_…`)."""
        return self.get(f"parties/{party_id}/record")

    def standings(self, tournament_id: str) -> Json:
        return self.get(f"tournaments/{tournament_id}/standings")

    def bots(self) -> Iterator[Json]:
        return self.pages("bots")

    def version(self, version_id: str) -> Json:
        return self.get(f"versions/{version_id}")

    # One's own programs

    def register_bot(self, name: str, about: str = "", challenges: str = "all") -> Json:
        return self.send("POST", "bots", {"name": name, "about": about, "challenges": challenges})

    def add_version(self, bot_id: str, label: str, url: str = "") -> Json:
        """With a `url` the platform calls it there, and `secret` is in this answer alone; without one it calls."""
        return self.send("POST", f"bots/{bot_id}/versions", {"label": label, "url": url})

    def play_token(self, version_id: str, name: str, days: int = 90, scopes: tuple[str, ...] = ("bot:play",)) -> Json:
        """A token with which a version plays; `token` is in this answer alone."""
        body = {"name": name, "days": days, "scopes": list(scopes)}
        return self.send("POST", f"versions/{version_id}/tokens", body)

    def qualify(self, version_id: str) -> Json:
        return self.send("POST", f"versions/{version_id}/qualification", {})

    def qualification(self, version_id: str) -> Json:
        return self.get(f"versions/{version_id}/qualification")

    def retire(self, version_id: str, reason: str = "") -> Json:
        return self.send("POST", f"versions/{version_id}/retire", {"reason": reason})

    def set_accepting(self, version_id: str, accepting: bool) -> Json:
        return self.send("PUT", f"versions/{version_id}/accepting", {"accepting": accepting})

    def deliveries(self, version_id: str, **filters: Any) -> Iterator[Json]:
        """What was sent and answered, newest first; by `faults`, `message`, `game`."""
        return self.pages(f"versions/{version_id}/deliveries", **filters)

    def stats(self, version_id: str) -> Json:
        return self.get(f"versions/{version_id}/stats")

    def enter(self, tournament_id: str, *players: str) -> Json:
        """Enters one's own players (`p_…`) or versions (`v_…`)."""
        return self.send("POST", f"tournaments/{tournament_id}/own-entries", {"players": list(players)})

    # Challenges

    def challenge(self, challenger: str, *opponents: str, **plan: Any) -> Json:
        """`opponents`: `v_…`, `b_…` or `house:greedy`; `plan`: rules, boards, deals, control and others of the API."""
        return self.send("POST", "challenges", {"challenger": challenger, "opponents": list(opponents), **plan})

    def challenges(self) -> Iterator[Json]:
        return self.pages("challenges")

    def answer_challenge(self, challenge_id: str, word: str = "accept", **more: Any) -> Json:
        """`accept` or `decline`, or `cancel` one's own; `more`: a `reason`, or the `version` that is meant."""
        return self.send("POST", f"challenges/{challenge_id}/{word}", more)

    # Playing, with a version's own token

    def decisions(self) -> Iterator[Json]:
        """Every decision to be made, for as long as you ask; one that was not answered comes again after a break."""
        return (message for message in self.messages() if message["type"] == "decision")

    def answer(self, decision: Json, action: str, note: str = "") -> Json:
        """Plays an action; raises ManelaError: `illegal_action` once a game, `deadline_passed`, `already_decided`."""
        return self._request("PUT", f"decisions/{decision['decision_id']}", {"action": action, "note": note}, {})

    def set_presence(self, accepting: bool) -> Json:
        """False: finish what has begun and begin nothing."""
        return self._request("PUT", "bot/presence", {"accepting": accepting}, {})

    def messages(self) -> Iterator[Json]:
        """All that is said to a version, over a stream that is opened again whenever it breaks.

        Raises ManelaError where there is no use in trying again: the token is not, or no longer, good; and, as long as
        the site has never said anything, what keeps us from it: a wrong name, a wrong certificate, a closed port.
        """
        after: int | None = None
        pause_s = 0.05
        while True:
            began = time.monotonic()
            try:
                for message in self._stream(after):
                    if after is None or message["type"] != "hello":  # a later one counts what we have yet to hear
                        after = max(after or 0, message.get("seq", 0))
                    if message["type"] not in ("hello", "ping", "resync"):
                        yield message
            except (*_LOST, ValueError):  # a line that was cut is none, and is given again by the next stream
                if after is None:
                    raise
            except ManelaError as no:
                if no.status < 500:
                    raise
            pause_s = 0.05 if time.monotonic() - began > SILENCE_S else min(pause_s * 2, LONGEST_PAUSE_S)
            time.sleep(pause_s)

    def _stream(self, after: int | None) -> Iterator[Json]:
        connection = self._connect(SILENCE_S)
        try:
            query = "" if after is None else f"?after={after}"
            connection.request("GET", f"{self._site.path}/api/v1/bot/stream{query}", headers=self._headers)
            reply = connection.getresponse()
            if reply.status != 200:
                raise _refusal(reply.status, reply.read(), reply.headers.get("Retry-After"))
            while line := reply.readline():
                yield json.loads(line)
        finally:
            connection.close()

    # What all of this is made of

    def get(self, path: str, **query: Any) -> Any:
        """What stands at any address of the API, such as `bots/b_…` or `tournaments/t_…/rounds`."""
        return self._request("GET", f"{path}?{urlencode(query)}" if query else path, None, {})

    def send(self, method: str, path: str, body: Any) -> Any:
        """A write that may be repeated without harm."""
        return self._request(method, path, body, {"Idempotency-Key": uuid.uuid4().hex})

    def pages(self, path: str, **query: Any) -> Iterator[Json]:
        """Every row of a list, such as `tournaments`, page by page."""
        page = self.get(path, **query)
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            page = self.get(f"{path}?{urlsplit(page['next']).query}")

    def _request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        pause_s = 0.05
        for left in reversed(range(TRIES)):
            wait = None
            try:
                status, content, wait = self._once(method, path, body, headers)
            except _LOST:
                self.close()
                if not left:
                    raise
            else:
                if status < 400:
                    return json.loads(content) if content else {}
                if status != 503 or not left:
                    raise _refusal(status, content, wait)
            time.sleep(max(pause_s, min(float(wait), 60.0) if wait and wait.isdigit() else 0.0))
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _once(self, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, bytes, str | None]:
        connection = getattr(self._kept, "connection", None) or self._connect(self._timeout_s)
        self._kept.connection = connection
        content = None if body is None else json.dumps(body).encode()
        sent = self._headers | headers | ({"Content-Type": "application/json"} if content is not None else {})
        connection.request(method, f"{self._site.path}/api/v1/{path}", content, sent)
        reply = connection.getresponse()
        return reply.status, reply.read(), reply.headers.get("Retry-After")

    def _connect(self, timeout_s: float) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._site.scheme == "https" else http.client.HTTPConnection
        return kind(self._site.netloc, timeout=timeout_s)


def _refusal(status: int, content: bytes, retry_after: str | None) -> ManelaError:
    try:
        problem = json.loads(content)
    except ValueError:
        problem = {}
    wait = int(retry_after) if retry_after and retry_after.isdigit() else None
    return ManelaError(status, problem if isinstance(problem, dict) else {}, wait)
