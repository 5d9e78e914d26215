"""The routes that programs call, as the API's schema tells of them: they are no views of the framework's."""

from __future__ import annotations

from typing import Any, Final

from bots_api.pull.server.app import PREFIX
from bots_api.pull.server.polls import DECISIONS, LONGEST_WAIT_SECONDS, MOST_DECISIONS, WAIT_SECONDS
from bots_api.pull.server.streams import LARGEST_SEQ, NDJSON
from bots_api.wire import NOTE_LIMIT, REPLY_LIMIT
from matches.api.problems import PROBLEM_TYPE

Schema = dict[str, Any]
TAG: Final = "bot"
SECURITY: Final[list[dict[str, list[str]]]] = [{"token": []}]
A_DECISION: Final = "dec_0123456789abcdefABCDEF"

DECISION_EXAMPLE: Final = {
    "protocol": "1",
    "rules": "moscow/2@1",
    "overrides": {},
    "players": 2,
    "pairs": False,
    "target": 501,
    "seat": 0,
    "party": 1,
    "deal": 5,
    "ply": 17,
    "phase": "play",
    "you": {"hand": ["7C", "9C", "TD", "QD", "9H", "JH", "8S", "TS"], "side": 0},
    "table": {
        "dealer": 1,
        "upcard": "7S",
        "trump": "H",
        "maker": 1,
        "bottom": "8C",
        "totals": [120, 87],
        "waiting": [],
        "baits": [0, 1],
        "announced": [{"seat": 1, "kind": "terz", "top": "9", "cards": ["7D", "8D", "9D"]}],
        "bella": [],
        "trick": [{"seat": 1, "card": "AH"}],
        "hand_sizes": [8, 7],
        "tricks_won": [0, 1],
        "stake": 1,
    },
    "history": ["0 pass", "1 pass", "0 pass", "1 trump:H", "! bottom 8C", "0 play:KS", "1 play:AS", "1 play:AH"],
    "events": ["1 play:AS", "1 play:AH"],
    "legal": ["play:9H", "play:JH"],
    "default": "play:9H",
    "type": "decision",
    "decision_id": A_DECISION,
    "seq": 4182,
    "game": "g_0123456789abcdefABCDEF",
    "match": "m_0123456789abcdefABCDEF",
    "round": 3,
    "rated": True,
    "clock": {
        "budget_ms": 1000,
        "bank_ms": 8200,
        "grace_ms": 250,
        "hard_ms": 9450,
        "last_charged_ms": 38,
        "last_rtt_ms": 41,
    },
}
HELLO_EXAMPLE: Final = {"protocol": "1", "type": "hello", "version": "v_0123456789abcdefABCDEF", "seq": 4181}
PROTOCOL: Final = {"type": "string", "enum": ["1"]}

COMPONENTS: Final[dict[str, Schema]] = {
    "Decision": {
        "type": "object",
        "description": "What one seat may know, and the ticket to answer with. Ignore fields that you do not know.",
        "properties": {
            "protocol": PROTOCOL,
            "type": {"type": "string", "enum": ["decision"]},
            "decision_id": {"type": "string", "description": "The key of this decision, however often it is given."},
            "seq": {"type": "integer", "description": "Messages to this version, counted from 1."},
            "game": {"type": "string", "description": "One party seen from one seat."},
            "match": {"type": "string"},
            "legal": {"type": "array", "items": {"type": "string"}, "description": "Answer with one of these."},
            "default": {"type": "string", "description": "What is played for a seat that fails."},
            "clock": {"$ref": "#/components/schemas/DecisionClock"},
        },
        "required": ["protocol", "type", "decision_id", "seq", "game", "match", "legal", "default", "clock"],
        "additionalProperties": True,
        "example": DECISION_EXAMPLE,
    },
    "DecisionClock": {
        "type": "object",
        "description": "Whole milliseconds. What a decision takes beyond grace and budget is taken from the bank.",
        "properties": {
            name: {"type": "integer"}
            for name in ("budget_ms", "bank_ms", "grace_ms", "hard_ms", "last_charged_ms", "last_rtt_ms")
        },
        "required": ["budget_ms", "bank_ms", "grace_ms", "hard_ms"],
        "additionalProperties": True,
    },
    "DecisionList": {
        "type": "object",
        "properties": {"decisions": {"type": "array", "items": {"$ref": "#/components/schemas/Decision"}}},
        "required": ["decisions"],
    },
    "DecisionAnswer": {
        "type": "object",
        "properties": {
            "action": {"type": "string", "description": "One of the decision's `legal`."},
            "note": {"description": f"Text of up to {NOTE_LIMIT} characters, for the owner's log only."},
        },
        "required": ["action"],
        "additionalProperties": True,
        "example": {"action": "play:9H", "note": "keeps the jack"},
    },
    "AnswerAccepted": {
        "type": "object",
        "properties": {
            "accepted": {"type": "boolean", "enum": [True]},
            "charged_ms": {"type": "integer"},
            "bank_ms": {"type": "integer", "description": "What is left of the bank."},
            "replayed": {"type": "boolean", "description": "The same answer had been accepted before."},
        },
        "required": ["accepted", "charged_ms", "bank_ms"],
    },
    "Accepting": {
        "type": "object",
        "properties": {"accepting": {"type": "boolean", "description": "Whether the version takes new matches."}},
        "required": ["accepting"],
        "additionalProperties": True,
        "example": {"accepting": False},
    },
    "PullProblem": {
        "allOf": [{"$ref": "#/components/schemas/Problem"}],
        "type": "object",
        "properties": {
            "action": {"type": "string", "description": "The answer that was accepted (409)."},
            "legal": {"type": "array", "items": {"type": "string"}, "description": "What may be answered (422)."},
            "played": {
                "type": "string",
                "description": "What lies on the table instead; empty where the game ends (410, 422).",
            },
            "cause": {"type": "string", "description": "Why (410, 422)."},
        },
    },
}


def add_routes(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """A postprocessing hook of the schema's: adds our paths and what they speak of."""
    result["paths"] |= _paths()
    components = result.setdefault("components", {})
    components["schemas"] = dict(sorted({**components.get("schemas", {}), **COMPONENTS}.items()))
    result["paths"] = dict(sorted(result["paths"].items()))
    return result


def _paths() -> dict[str, Schema]:
    return {
        f"{PREFIX}/bot/decisions": {"get": _polling()},
        f"{PREFIX}/bot/stream": {"get": _streaming()},
        f"{PREFIX}/bot/presence": {"put": _presence()},
        f"{PREFIX}/decisions/{{decision_id}}": {"put": _answering()},
    }


def _polling() -> Schema:
    return _operation(
        "bot_decisions_list",
        "Wait for decisions",
        "Every open decision of the version, as soon as there is one; an empty list when the wait is over. What is not "
        "answered yet is given again. A decision's clock starts when it has been flushed to you, and at the latest 2 s "
        "after it was made.",
        parameters=[
            _query("wait", "Seconds to wait for a decision.", WAIT_SECONDS, 0, LONGEST_WAIT_SECONDS),
            _query("max", "So many decisions at most, the oldest first.", DECISIONS, 1, MOST_DECISIONS),
        ],
        responses={
            "200": _said("Open decisions", "DecisionList", {"decisions": [DECISION_EXAMPLE]}),
            "400": _problem("`wait` or `max` is no such number"),
            **_WHO,
            **_AWAY,
        },
    )


def _streaming() -> Schema:
    return _operation(
        "bot_stream_get",
        "Listen to all messages",
        "One JSON object a line: `hello`, every open decision, then `decision`, `decision_closed`, `game_start`, "
        "`deal_over`, `game_over` as they come, and `ping` every 5 s. A second stream of the version ends the first. "
        "After `resync`, or a lost connection, connect again with the last `seq` that you saw: you miss nothing.",
        parameters=[_query("after", "The last `seq` that you have seen.", None, 0, LARGEST_SEQ)],
        responses={
            "200": {
                "description": "Messages, until either side ends the stream",
                "content": {NDJSON: {"schema": {"type": "object"}, "example": HELLO_EXAMPLE}},
            },
            "400": _problem("`after` is no such number"),
            **_WHO,
            **_AWAY,
        },
    )


def _presence() -> Schema:
    return _operation(
        "bot_presence_set",
        "Take new matches, or none",
        "With `false` the version finishes what it has begun and takes nothing new. A match that is due waits ten "
        "minutes for it and then begins all the same.",
        body="Accepting",
        responses={
            "200": _said("As it is now", "Accepting", {"accepting": False}),
            "400": _problem("No JSON object, or `accepting` is neither true nor false"),
            **_WHO,
            **_BODY,
            **_AWAY,
        },
    )


def _answering() -> Schema:
    return _operation(
        "decisions_answer",
        "Answer a decision",
        "The first answer counts. To send the same one again is always safe.",
        parameters=[
            {
                "name": "decision_id",
                "in": "path",
                "required": True,
                "schema": {"type": "string"},
                "example": A_DECISION,
            }
        ],
        body="DecisionAnswer",
        responses={
            "200": _said("Played", "AnswerAccepted", {"accepted": True, "charged_ms": 41, "bank_ms": 8200}),
            "400": _problem("`malformed`: no JSON object with an `action`; nothing changes, the clock runs"),
            **_WHO,
            "404": _problem("Unknown, or not yours"),
            "409": _problem("`already_decided`: another answer was accepted, `action`"),
            "410": _problem("`deadline_passed`: `played` was played instead; go on"),
            "422": _problem(
                "`illegal_action`: answer one of `legal`, once in a game; after that says what was `played`"
            ),
            **_BODY,
            **_AWAY,
        },
    )


def _operation(
    name: str,
    summary: str,
    description: str,
    *,
    responses: Schema,
    parameters: list[Schema] | None = None,
    body: str = "",
) -> Schema:
    told: Schema = {"operationId": name, "summary": summary, "description": description, "tags": [TAG]}
    if parameters:
        told["parameters"] = parameters
    if body:
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{body}"}}}
        told["requestBody"] = {"required": True, "content": content}
    return {**told, "security": SECURITY, "responses": dict(sorted(responses.items()))}


def _query(name: str, description: str, default: int | None, least: int, most: int) -> Schema:
    schema: Schema = {"type": "integer", "minimum": least, "maximum": most}
    if default is not None:
        schema["default"] = default
    return {"name": name, "in": "query", "description": description, "schema": schema}


def _said(description: str, component: str, example: object) -> Schema:
    schema = {"$ref": f"#/components/schemas/{component}"}
    return {"description": description, "content": {"application/json": {"schema": schema, "example": example}}}


def _problem(description: str) -> Schema:
    schema = {"$ref": "#/components/schemas/PullProblem"}
    return {"description": description, "content": {PROBLEM_TYPE: {"schema": schema}}}


_WHO: Final = {
    "401": _problem("No token, or one that is good for nothing"),
    "403": _problem("`scope_missing`: not the token of a version, with the scope bot:play"),
}
_BODY: Final = {
    "408": _problem("The body did not come in time"),
    "413": _problem(f"`malformed`: the body is larger than {REPLY_LIMIT} bytes"),
}
_AWAY: Final = {
    "503": {
        **_problem("Our database is away: send the same request again after `retry-after` seconds"),
        "headers": {"Retry-After": {"schema": {"type": "integer"}}},
    }
}
