"""Answers to an owner in which a secret may stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def line_of(typed: Mapping[str, str], name: str, longest: int) -> str:
    """What was typed into a field that no form of ours looks at: one line, without what no text column takes."""
    return " ".join(typed.get(name, "").replace("\0", "").split())[:longest]


def private(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page that nobody keeps: not a proxy, and not the browser after logging out."""
    response = render(request, template, context)
    response["Cache-Control"] = "private, no-store"
    return response
