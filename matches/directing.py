"""Who may rule how a match ended: by a right of the desk, or because its competition is run by him."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.module_loading import import_string

from matches.models import Match, User

MAY_RULE = "matches.change_match"


def may_rule(user: User | AnonymousUser, match: Match) -> bool:
    """Whether a user rules in this match. The setting MATCH_DIRECTORS names another room's function that says so too.

    One query at the least for whoever is logged in.
    """
    if not user.is_authenticated:
        return False
    if user.has_perm(MAY_RULE):
        return True
    return bool(settings.MATCH_DIRECTORS) and bool(import_string(settings.MATCH_DIRECTORS)(user, match))
