"""The bodies of requests: JSON of a bounded size, with nothing in it that a database could not keep."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import APIException, NotAcceptable, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser

_SUSPECT = re.compile(rb"\\u(?:0000|d[89a-f])", re.IGNORECASE)
"""Escapes that may stand for NUL, or for half a character."""


class TooLarge(APIException):
    status_code = 413
    default_code = "too_large"
    default_detail = "The body is larger than this address takes."


def read_body(request: HttpRequest, most: int) -> bytes:
    """The whole body, of at most so many bytes, kept where Django looks for it; raises TooLarge.

    Django itself has one limit for all addresses.
    """
    if not hasattr(request, "_body"):
        content = request.read(most + 1)
        if len(content) > most:
            raise TooLarge(f"The body is larger than the {most} bytes that this address takes.")
        request._body, request._stream = content, BytesIO(content)
    return request.body


class AnyAccept(DefaultContentNegotiation):
    """Answers in the form that there is whatever `Accept` asks for, as HTTP allows: files and problems have theirs."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            return renderers[0], renderers[0].media_type


class JsonBody(JSONParser):
    """Tells as the sender's what the parser or the database would fail at."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        content = stream.read()
        try:
            given = super().parse(BytesIO(content), media_type, parser_context)
        except RecursionError as deep:
            raise ParseError("The body is nested too deeply.") from deep
        if _SUSPECT.search(content) and not _can_be_kept(given):
            raise ParseError("The body has characters that are none: NUL, or half of a pair.")
        return given


def _can_be_kept(given: Any) -> bool:
    text = json.dumps(given, ensure_ascii=False).replace("\\\\", "")
    try:
        return b"\\u0000" not in text.encode()
    except UnicodeEncodeError:
        return False
