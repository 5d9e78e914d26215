"""DBP/1 on the wire: values of ours → JSON, a program's bytes → an action. Pure; the protocol's §2, §4, §5."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from engine import Action
from engine.actions import ACTION_OF

PROTOCOL = "1"
REPLY_LIMIT = 16 * 1024
NOTE_LIMIT = 200
INT_DIGITS = 20
NOTED_LIMIT = 2_000
"""Of a reply that nobody has to mend, so many bytes are kept."""
CUT = "… (cut)"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a program answered to a decision: an action as text, and a note for its owner's log."""

    action: str
    note: str = ""


class ReplyError(Exception):
    """A reply that is not what was asked for. `code` is the protocol's, the text is for the program's author.

    `action`: what was answered, where it is an action at some table and not legal at this one.
    """

    def __init__(self, code: str, detail: str, action: Action | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.action = action


def encode(message: object) -> bytes:
    return _ENCODER.encode(message).encode()


def ping(challenge: str) -> dict[str, Any]:
    return {"protocol": PROTOCOL, "type": "ping", "challenge": challenge}


def read_reply(body: bytes, legal: Collection[str]) -> Reply:
    """A program's answer to a decision; raises ReplyError `malformed` or `illegal_action`."""
    reply = read_answer(body)
    check_legal(reply.action, legal)
    return reply


def read_answer(body: bytes) -> Reply:
    """A program's answer, whatever was asked; raises ReplyError `malformed`."""
    reply = read_object(body)
    action, note = reply.get("action"), reply.get("note", "")
    if not isinstance(action, str):
        raise ReplyError("malformed", 'Expected {"action": "…"} with one of the actions in "legal" as a string.')
    return Reply(action, printable(note)[:NOTE_LIMIT] if isinstance(note, str) else "")


def check_legal(action: str, legal: Collection[str]) -> None:
    """Raises ReplyError `illegal_action` where the action is none of those that were offered."""
    if action not in legal:
        detail = f"{_shown(action)} is not legal now; legal are: {', '.join(legal)}."
        raise ReplyError("illegal_action", detail, ACTION_OF.get(action))


def check_echo(body: bytes, challenge: str) -> None:
    """Raises ReplyError where this is not the challenge, come back."""
    echoed = read_object(body).get("challenge")
    if not isinstance(echoed, str):
        raise ReplyError("malformed", 'Expected {"challenge": "…"} with the challenge of the ping.')
    if echoed != challenge:
        raise ReplyError("malformed", "The challenge that came back is another one.")


def read_object(body: bytes) -> dict[str, Any]:
    """A JSON object of a stranger's, within the limits; raises ReplyError `malformed`."""
    if len(body) > REPLY_LIMIT:
        raise ReplyError("malformed", f"The reply is longer than {REPLY_LIMIT} bytes.")
    try:
        value = _DECODER.decode(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ReplyError("malformed", f"The reply is not JSON in UTF-8: {printable(str(error))[:200]}") from error
    if not isinstance(value, dict):
        raise ReplyError("malformed", "Expected a JSON object.")
    return value


def printable(text: str) -> str:
    """Text that a database and a page can hold: control characters and lone surrogates are replaced."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def excerpt(body: bytes, limit: int = REPLY_LIMIT) -> str:
    """A program's own reply, for its owner's log: the whole of it, or the beginning of one that is longer, marked."""
    text = body[:limit].decode("utf-8", "replace").replace("\r\n", "\n")
    shown = "".join(char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in text)
    return shown + CUT if len(body) > limit else shown


def is_number(text: str) -> bool:
    """Whether a stranger's text is a whole number of a size that we reckon with. `isdigit` alone takes `²` too."""
    return text.isascii() and text.isdigit() and len(text) <= INT_DIGITS


def _shown(action: str) -> str:
    return json.dumps(printable(action[:40]), ensure_ascii=False)


def _short_int(digits: str) -> int:
    if len(digits) > INT_DIGITS:
        raise ValueError(f"a number with more than {INT_DIGITS} digits")
    return int(digits)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


# Made once: `json.dumps` and `json.loads` with options make one at every call.
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_int=_short_int, parse_constant=_no_constant)
