"""What a request to the API may do: scopes come with the token, and are asked for here without knowing who gave it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request


class Scope(StrEnum):
    """What a token can be good for."""

    BOT_PLAY = "bot:play"
    """play as one version of a program; nothing else"""
    BOT_WRITE = "bot:write"
    """register programs and versions, change, qualify, drain and retire them"""
    COMP_ENTER = "comp:enter"
    """enter one's own programs in tournaments, check them in and take them out"""
    COMP_ADMIN = "comp:admin"
    """draw up and run one's tournaments"""
    LOGS_READ = "logs:read"
    """read what was sent to one's programs and what they answered"""
    CHALLENGE_CREATE = "challenge:create"
    """challenge other programs, and answer challenges"""


def scopes_of(request: Request) -> frozenset[str]:
    """The scopes of the token that came with a request; none without one."""
    return frozenset(getattr(request.auth, "scopes", ()))


def holds(request: Request, *wanted: Scope) -> bool:
    """Whether a token came with a request; raises PermissionDenied for one with none of the wanted scopes."""
    if request.auth is None:
        return False
    if not scopes_of(request).intersection(wanted):
        raise PermissionDenied(f"This takes a token with the scope {' or '.join(wanted)}.", "scope_missing")
    return True


def reader_of(request: Request) -> Any:
    """As whom a request reads tournaments and matches: with a token, unless it directs, as a stranger does.

    Whoever was given a token to play or to challenge with has not been shown what its owner draws up.
    """
    is_the_owner = request.auth is None or Scope.COMP_ADMIN in scopes_of(request)
    return request.user if is_the_owner else AnonymousUser()


class ReadOrScope(BasePermission):
    """Reading is everybody's, or of a view that is not public somebody's whom we know, whatever he asks for.

    To write takes a token with the scope that the view names as `write_scope`.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method not in SAFE_METHODS:
            return holds(request, view.write_scope)
        return getattr(view, "is_public", True) or request.user.is_authenticated or request.auth is not None


class ByScope(BasePermission):
    """A method that the view's `scopes` name takes a token with one of the scopes there; any other is everybody's."""

    def has_permission(self, request: Request, view: Any) -> bool:
        wanted = wanted_scopes(view, request.method or "")
        return not wanted or holds(request, *wanted)


def wanted_scopes(view: Any, method: str) -> tuple[Scope, ...]:
    """The scopes of which one is needed for a method of an API view; none where it is everybody's."""
    if ReadOrScope in view.permission_classes:
        return () if method in SAFE_METHODS else (view.write_scope,)
    if ByScope in view.permission_classes:
        return view.scopes.get("GET" if method == "HEAD" else method, ())
    return ()
