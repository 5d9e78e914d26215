"""The page of a program."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bots_api.web.reading import bot_page, delivery_log, find_bot, owns


@require_safe
def bot(request: HttpRequest, public_id: str) -> HttpResponse:
    """What anybody may know of a program; for its owner also addresses, secrets and the delivery log."""
    row = find_bot(public_id)
    is_owner = owns(request.user, row)
    faults_only = "faults" in request.GET
    context = {
        "bot": bot_page(row, request.user, for_owner=is_owner),
        "is_owner": is_owner,
        "faults_only": faults_only,
        "log": delivery_log(row, faults_only) if is_owner else (),
    }
    response = render(request, "bots_api/bot.html", context)
    if is_owner:
        response["Cache-Control"] = "private, no-store"
    return response
