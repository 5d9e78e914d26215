"""Keeps what a lane sends, so that a bare loop can send the very same."""

from __future__ import annotations

import json
from pathlib import Path

from bots_api.endpoints import Endpoint
from bots_api.push import PushAgents
from bots_api.transport import HttpReply

MOST = 5_000
_calls: list[tuple[str, dict[str, str], str]] = []


class RecordingPushAgents(PushAgents):
    async def post(
        self, endpoint: Endpoint, message_id: str, body: bytes, deadline_ms: int, free_ms: int = 0
    ) -> HttpReply:
        if len(_calls) < MOST:
            _calls.append((endpoint.url, endpoint.signed(message_id, body), body.decode()))
        return await super().post(endpoint, message_id, body, deadline_ms, free_ms)


def write_recording(path: Path) -> None:
    path.write_text("\n".join(map(json.dumps, _calls)))
