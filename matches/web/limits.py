"""Pages that say no to who asks too often, and for how long."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from matches.api.limits import LimitReached, count, who_asks

View = Callable[..., HttpResponse]
Made = TypeVar("Made")
TOO_MANY = 429


def within_limit(request: HttpRequest, name: str) -> bool:
    """Counts one more of what the limit of that name is about. Always true: a view below `tells_limits` ends here."""
    count(name, who_asks(request))
    return True


@transaction.atomic
def made_within_limit(request: HttpRequest, name: str, make: Callable[[], Made]) -> Made:
    """What `make` returns, which is counted unless it is None, or raises: what is refused costs nothing, as in the API.

    Where the limit is met all that was made is undone, and a view below `tells_limits` ends here.
    """
    made = make()
    if made is not None:
        within_limit(request, name)
    return made


def tells_limits(view: View) -> View:
    """Answers 429 with a page that says which limit was met and when to come again."""

    @wraps(view)
    def told(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        try:
            return view(request, *arguments, **named)
        except LimitReached as reached:
            response = render(request, "429.html", {"told": str(reached.detail)}, status=TOO_MANY)
            response["Retry-After"] = str(reached.wait)
            for field, value in reached.headers.items():
                response[field] = value
            return response

    return told
