"""Answers to an owner in which a secret may stand."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def private(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page that nobody keeps: not a proxy, and not the browser after logging out."""
    response = render(request, template, context)
    response["Cache-Control"] = "private, no-store"
    return response
