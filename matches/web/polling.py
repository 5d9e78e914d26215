"""Pages that ask for themselves again while cards are played, and stop when nothing can change any more."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

STOP_POLLING = 286
"""htmx's own status for “this was the last answer”."""


class HtmxRequest(HttpRequest):
    """A request as the middleware of htmx leaves it; `htmx` is true if a page asked, not a reader."""

    htmx: HtmxDetails


def last_answer(response: HttpResponse, *, reload: bool = False) -> HttpResponse:
    """Turns a response into the last one; `reload` also has the page loaded anew, head and all."""
    response.status_code = STOP_POLLING
    if reload:
        response["HX-Refresh"] = "true"
    return response
