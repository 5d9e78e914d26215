"""The doors of play: what programs that call us ask, tried by nobody, by accounts and by versions themselves."""

from __future__ import annotations

import json

from tests.bots_api.pull.calling import request
from tests.doors.house import House

NEVER = "dec_" + "0" * 22
OF_PLAY = (
    # what is asked; nobody, a token of an account, a version's own
    ("GET", "bot/decisions?wait=0", None, (401, 403, 200)),
    ("PUT", "bot/presence", {"accepting": True}, (401, 403, 200)),
    ("PUT", "bot/presence", {}, (401, 403, 400)),
    ("PUT", f"decisions/{NEVER}", {"action": "pass"}, (401, 403, 404)),
    ("POST", "bot/decisions", {}, (405, 405, 405)),
    ("GET", "bot/stream?after=x", None, (401, 403, 400)),
)
"""The routes that programs call stand in no URL configuration; a stream is opened elsewhere."""
FOR_ACCOUNTS = ("tournaments", "bots", "webhooks", "challenges")


def wrong_answers_of_play(house: House, base_url: str) -> list[str]:
    """Where a door of play opens or shuts against the table, and where one elsewhere opens to a version."""
    nobody: dict[str, str] = {}
    accounts = [_bearing(token) for token in house.tokens.values()]
    versions = [_bearing(token) for token in house.play_tokens.values()]
    wrong = []
    for method, path, body, expected in OF_PLAY:
        for headers, status in zip(([nobody], accounts, versions), expected, strict=True):
            seen = [_status(base_url, method, path, body, one) for one in headers]
            wrong += [f"{method} {path}: {one}, expected {status}" for one in seen if one != status]
    for path in FOR_ACCOUNTS:
        seen = [_status(base_url, "POST", path, {}, one) for one in versions]
        wrong += [f"POST {path} as a version: {one}, expected 403" for one in seen if one != 403]
    return wrong


def _bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _status(base_url: str, method: str, path: str, body: object, headers: dict[str, str]) -> int:
    return request(base_url, method, path, None if body is None else json.dumps(body).encode(), headers).status
