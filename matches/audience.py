"""Who may see a match at all: everybody, unless another room keeps some from strangers for a while."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from matches.models import Match, User


def visible_matches(user: User | AnonymousUser, matches: QuerySet[Match] | None = None) -> QuerySet[Match]:
    """Those of the matches (by default all) that a reader may see. No query of its own.

    The setting MATCH_AUDIENCE names a function of another room that gives, for a reader, the keys of the matches that
    are hidden from him.
    """
    found = Match.objects.all() if matches is None else matches
    return found.exclude(pk__in=_hidden(user)) if settings.MATCH_AUDIENCE else found


def _hidden(user: User | AnonymousUser) -> Any:
    return import_string(settings.MATCH_AUDIENCE)(user)
