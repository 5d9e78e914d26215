"""A message that went wrong, sent again for its owner to look at: the same body, the same id, a fresh signature."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote

from django.conf import settings

from bots_api import wire
from bots_api.asking import read_answer
from bots_api.delivery_log import KEPT_BYTES
from bots_api.endpoints import Endpoint, endpoint_of
from bots_api.models import Delivery, MessageType
from bots_api.services import pinging
from bots_api.services.calling import Call, call_all
from bots_api.transport import HttpReply
from bots_api.wire import ReplyError
from matches.core.faults import Cause

RESEND_DEADLINE_MS = 3_000
MOST_UNDER_WAY = 2
"""Of all owners, in one process: each holds one of the few threads that answer pages for up to the deadline."""
_under_way: set[int] = set()
_counting = threading.Lock()


class ResendRefused(Exception):
    """A message that cannot be sent again; the text says why. `code` is stable."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


@contextmanager
def under_way(owner_id: int) -> Iterator[None]:
    """Whoever sends again within it is alone of his owner, and one of a few in this process; raises ResendRefused.

    What is guarded are the threads of this process, so what they have under way is counted here.
    """
    with _counting:
        if owner_id in _under_way:
            raise ResendRefused("under_way", "Another message is just being sent again: wait until it is answered.")
        if len(_under_way) >= MOST_UNDER_WAY:
            raise ResendRefused("busy", "Others are having messages sent again just now: try it in a few seconds.")
        _under_way.add(owner_id)
    try:
        yield
    finally:
        with _counting:
            _under_way.remove(owner_id)


def send_again(delivery: Delivery) -> Delivery:
    """Sends a message of the log once more and writes what came as a line of its own, a repeat.

    Nothing follows from the answer: no card is played, no version is retired. Raises ResendRefused. Takes up to
    RESEND_DEADLINE_MS, so not to be called with a transaction open.
    """
    endpoint, body = _endpoint(delivery), _body(delivery)
    (called,) = call_all([Call(endpoint, delivery.message_id, body)], RESEND_DEADLINE_MS)
    again = Delivery(
        message=delivery.message, seq=delivery.seq, game=delivery.game, attempt=delivery.attempt, is_repeat=True
    )
    reply = called.written_to(again)
    if reply is not None:
        _judge(again, reply, json.loads(body))
    again.save()
    return again


def curl_of(delivery: Delivery) -> str:
    """A line for a shell that sends the message as we would now, once (`-g`); its signature is good for five minutes.

    Raises ResendRefused.
    """
    endpoint, body = _endpoint(delivery), _body(delivery)
    headers = {"content-type": "application/json"} | endpoint.signed(delivery.message_id, body)
    named = " ".join(f"-H {quote(f'{name}: {value}')}" for name, value in headers.items())
    return f"curl -sS -i -g {named} --data-binary {quote(body.decode())} {quote(endpoint.url)}"


def put_line_of(delivery: Delivery) -> str:
    """The line for a shell that answers a decision as a program that calls us has; where none came, with its default.

    The token is to be in the shell's variable TOKEN. Raises ResendRefused.
    """
    if delivery.outcome == Cause.INFRA:
        raise ResendRefused("our_failure", "It was our own failure, and the decision was asked again.")
    sent = delivery.reply or wire.encode({"action": json.loads(_body(delivery)).get("default")}).decode()
    url = f"{settings.PUBLIC_URL}/api/v1/decisions/{delivery.message_id}"
    headers = "-H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json'"
    return f"curl -sS -i -g -X PUT {headers} --data-binary {quote(sent)} {quote(url)}"


def _endpoint(delivery: Delivery) -> Endpoint:
    endpoint = endpoint_of(delivery.agent_id)
    if not endpoint.url:
        raise ResendRefused("version_calls_us", "This version calls us: there is no address to send anything to.")
    return endpoint


def _body(delivery: Delivery) -> bytes:
    body = delivery.request.encode()
    if not body:
        raise ResendRefused("request_not_kept", "The request was not kept: it was answered well.")
    if len(body) >= KEPT_BYTES:
        raise ResendRefused("request_cut", f"Only the first {KEPT_BYTES} bytes of the request were kept.")
    return body


def _judge(again: Delivery, reply: HttpReply, message: dict[str, object]) -> None:
    """What a lane, or whoever sent it, would have made of the reply."""
    if again.message == MessageType.PING:
        again.outcome, again.detail = pinging.judged(reply, str(message["challenge"]))
    elif again.message == MessageType.DECISION:
        _judge_action(again, reply, message)
    else:
        again.outcome = "ok" if reply.status // 100 == 2 else "http_error"


def _judge_action(again: Delivery, reply: HttpReply, message: dict[str, object]) -> None:
    if reply.status != 200:
        again.outcome = f"http_{reply.status}"
        return
    legal = message["legal"]
    try:
        told = read_answer(reply, legal if isinstance(legal, list) else ())
    except ReplyError as error:
        again.outcome, again.detail = error.code, error.detail[:300]
    else:
        again.outcome, again.action, again.note = "ok", told.action, told.note
