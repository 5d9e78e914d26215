"""One message to a version, whole: what was asked, what came back, and the same once more."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from bots_api.models import BotVersion, Delivery
from bots_api.services.resending import ResendRefused, curl_of, put_line_of, send_again, under_way
from bots_api.web.answers import private
from bots_api.web.version_reading import find_delivery, find_version, log_line, party_of
from bots_api.web.versions import find_called
from matches.models import User
from matches.web.limits import tells_limits, within_limit


@login_required
@require_safe
def message(request: HttpRequest, version_id: str, number: int) -> HttpResponse:
    """One message to the version, whole, with the line that sends it, or the answer to it, by hand."""
    row = find_version(version_id, request.user)
    return _shown(request, row, find_delivery(row, number))


@login_required
@require_POST
@tells_limits
def again(request: HttpRequest, version_id: str, number: int) -> HttpResponse:
    """Sends a message once more and shows what is answered; no game takes note of it."""
    row = find_called(request, version_id)
    delivery = find_delivery(row, number)
    try:
        with under_way(cast(User, request.user).pk):
            within_limit(request, "resends")
            answered = send_again(delivery)
    except ResendRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("message", version_id, number)
    return _shown(request, row, delivery, answered=log_line(answered))


def _shown(request: HttpRequest, row: BotVersion, delivery: Delivery, **more: Any) -> HttpResponse:
    line = log_line(delivery, party_of(row, delivery))
    context = {"version": row, "line": line, "curl": _curl(row, delivery), **more}
    return private(request, "bots_api/message.html", context)


def _curl(row: BotVersion, delivery: Delivery) -> str:
    """Empty where there is nothing to be sent, or no more of it than its beginning."""
    try:
        return put_line_of(delivery) if row.is_pull else curl_of(delivery)
    except ResendRefused:
        return ""
