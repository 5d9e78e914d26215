"""Programs that know the API alone."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from django.test import Client

from bots_api.models import BotVersion
from bots_api.tokens import make_token
from matches.models import User
from matches.services.players import person as player

CUP = {
    "slug": "cup",
    "name": "Cup",
    "rules": "moscow/2",
    "auto_draw": False,
    "auto_publish": False,
    "tie_breaks": ["buchholz", "lot"],
}


_NUMBERS = count(1)


class Program:
    """An organiser's program with a token; or anybody's, with other scopes or a version's token."""

    def __init__(self, owner: User, *scopes: str, version: BotVersion | None = None) -> None:
        self.client = Client()
        self.text = make_token(owner, f"program {next(_NUMBERS)}", scopes or ["comp:admin"], 1, version)[1]

    def __call__(self, method: str, path: str, body: Any = None, *, key: str = "", status: int | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.text}"} | ({"Idempotency-Key": key} if key else {})
        answer = self.client.generic(
            method.upper(), f"/api/v1/{path}", self._json(body), content_type="application/json", headers=headers
        )
        if status is not None:
            assert answer.status_code == status, answer.content
        return answer

    def post(self, path: str, body: Any = None, status: int = 200, key: str = "") -> Any:
        return self("post", path, body, status=status, key=key).json()

    def get(self, path: str) -> Any:
        return self("get", path, status=200).json()

    @staticmethod
    def _json(body: Any) -> bytes:
        return b"" if body is None else json.dumps(body).encode()


def drawn_up(program: Program, *names: str, **fields: Any) -> str:
    cup = program.post("tournaments", CUP | fields, status=201)["id"]
    for name in names:
        program.post(f"tournaments/{cup}/entries", {"players": [player(name).public_id]}, status=201)
    return f"tournaments/{cup}"
