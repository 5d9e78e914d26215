"""What the API takes and answers about programs, one example of each, as the schema and its page show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer

Example = dict[str, Any]
T = TypeVar("T", bound=type)

_ID = "0123456789abcdefABCDEF"
_MADE, _LATER, _DAYS_LATER = "2026-11-30T12:00:00Z", "2026-11-30T12:03:20Z", "2027-02-28T12:00:00Z"


def takes(**examples: Example) -> Callable[[T], T]:
    """Decorates the serializer of a body with examples by their names, words joined by `_`."""
    told = [OpenApiExample(name.replace("_", " "), given, request_only=True) for name, given in examples.items()]
    return extend_schema_serializer(examples=told)


def answers(example: Example) -> Callable[[T], T]:
    """Decorates the serializer of an answer with what it looks like."""
    told = OpenApiExample("an answer", example, response_only=True, status_codes=["200", "201", "202"])
    return extend_schema_serializer(examples=[told])


VERSION: Final = {"id": f"v_{_ID}", "label": "v1", "kind": "pull", "status": "active", "created_at": _MADE}
BOT: Final = {
    "id": f"b_{_ID}",
    "name": "Cheapest",
    "player": f"p_{_ID}",
    "owner": "bohdan",
    "about": "Plays the card with the fewest points.",
    "challenges": "all",
    "versions": [VERSION],
    "created_at": _MADE,
}
OWN_VERSION: Final = {
    "url": "https://bot.example.org/play",
    "reason": "",
    "accepting": True,
    "ready": True,
    "seen_at": None,
    "old_secret_until": None,
}
VERSION_DETAIL: Final = {
    **VERSION,
    "bot": BOT["id"],
    "name": BOT["name"],
    "kind": "push",
    "own": OWN_VERSION,
}
SECRET: Final = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
NEW_VERSION: Final = {**VERSION_DETAIL, "status": "new", "secret": SECRET}
ROTATED: Final = {"secret": SECRET, "old_secret_until": "2026-12-01T12:00:00Z"}
TOKEN: Final = {
    "id": f"k_{_ID}",
    "name": "my laptop",
    "hint": "vWxYz012",
    "scopes": ["bot:play"],
    "created_at": _MADE,
    "expires_at": _DAYS_LATER,
    "last_used_at": None,
    "revoked_at": None,
}
NEW_TOKEN: Final = {**TOKEN, "token": "mnl_0123456789abcdefghijklmnopqrstuvWxYz012"}
QUALIFICATION: Final = {
    "id": f"q_{_ID}",
    "status": "failed",
    "reason": "1 of 2 cases failed.",
    "created_at": _MADE,
    "started_at": _MADE,
    "finished_at": _LATER,
    "cases": [
        {
            "number": 1,
            "code": "ping",
            "outcome": "passed",
            "detail": "",
            "request": "",
            "reply": "",
            "elapsed_ms": 12,
        },
        {
            "number": 2,
            "code": "decision",
            "outcome": "failed",
            "detail": 'illegal_action: "play:7C" is not legal now; legal are: play:9H, play:JH.',
            "request": '{"protocol":"1","type":"decision"}',
            "reply": '{"action":"play:7C"}',
            "elapsed_ms": 15,
        },
    ],
}
DELIVERY: Final = {
    "message_id": f"dec_{_ID}",
    "message": "decision",
    "seq": 4182,
    "game": f"g_{_ID}",
    "attempt": 1,
    "outcome": "illegal_action",
    "detail": '"play:7C" is not legal now; legal are: play:9H, play:JH.',
    "status": 200,
    "elapsed_ms": 15,
    "action": "",
    "note": "",
    "request": '{"protocol":"1","type":"decision"}',
    "reply": '{"action":"play:7C"}',
    "sent_at": _LATER,
}
STATS: Final = {
    "decisions": 1200,
    "p50_ms": 14,
    "p95_ms": 61,
    "faults": {"timeout": 2, "illegal": 1},
    "fault_rate_bp": 25,
    "waiting": {"due": 1, "ahead": 3, "running": 0, "reason": "queued"},
}
CHALLENGE: Final = {
    "id": f"c_{_ID}",
    "made_by": "bohdan",
    "status": "accepted",
    "reason": "",
    "rules": "moscow/2@1",
    "overrides": {},
    "length": "boards",
    "boards": 2,
    "deals": 4,
    "control": "ladder",
    "strict": False,
    "rated": False,
    "same_owner": False,
    "seats": [
        {
            "index": 0,
            "player": BOT["player"],
            "name": "Cheapest",
            "version": VERSION["id"],
            "label": "v1",
            "answer": "accepted",
        },
        {
            "index": 1,
            "player": "p_5gTzWv3iRnXk8aEsQ5hCdM",
            "name": "greedy",
            "version": "v_7mB1rKQeYwD5tLxHf6uJcP",
            "label": "greedy@1",
            "answer": "accepted",
        },
    ],
    "match": f"m_{_ID}",
    "created_at": _MADE,
    "expires_at": "2026-12-01T12:00:00Z",
}
WEBHOOK: Final = {
    "id": f"w_{_ID}",
    "url": "https://club.example.org/hooks/manela",
    "events": ["round.drawn", "match.finished"],
    "tournament": "t_1hVbQnYzR6wKcE8dXoTf3u",
    "is_active": True,
    "reason": "",
    "failing_since": None,
    "created_at": _MADE,
}
NEW_WEBHOOK: Final = {**WEBHOOK, "secret": SECRET}
SENT: Final = {
    "id": f"msg_{_ID}",
    "event": "ping",
    "body": {
        "type": "ping",
        "timestamp": _MADE,
        "data": {
            "webhook": WEBHOOK["id"],
            "events": WEBHOOK["events"],
            "tournament": WEBHOOK["tournament"],
            "url": f"https://manela.example.org/webhooks/w_{_ID}/",
            "api_url": f"https://manela.example.org/api/v1/webhooks/w_{_ID}",
        },
    },
    "attempts": 1,
    "created_at": _MADE,
    "delivered_at": _LATER,
    "next_try_at": None,
    "last_tried_at": _LATER,
    "last_status": 204,
    "last_detail": "",
    "last_reply": "",
}
