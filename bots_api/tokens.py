"""API tokens: made, shown once, found again by their digest, revoked."""

from __future__ import annotations

import hashlib
import secrets
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from bots_api.models import ApiToken, BotVersion
from matches.models import AgentStatus, User
from matches.permissions import Scope
from matches.public_ids import base62

PREFIX = "mnl_"
SECRET_DIGITS = 33
"""Base62: 196 bits."""
CHECK_DIGITS = 6
HINT = 4
LONGEST_DAYS = 366
LONGEST_NAME = 60
MOST_ALIVE = 20
MOST_OF_VERSION = 2
"""The one that is played with and the one that follows it."""
PLAYING = frozenset({Scope.BOT_PLAY, Scope.LOGS_READ})
"""What a token of a version may be good for."""
USED_EVERY = timedelta(minutes=1)
"""So precise is the time of last use."""


class TokenRefused(Exception):
    """A token cannot be made; the text says why."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@transaction.atomic
def make_token(
    owner: User, name: str, scopes: Sequence[str], days: int, version: BotVersion | None = None
) -> tuple[ApiToken, str]:
    """A new token and its text, which cannot be had again. `days`: how long it lives, at most 366.

    `version`: of the owner's, which plays with it; such a token opens nothing else of his, and two of them live at
    most. No two living ones of an owner, or of a version, have one name: a form that is sent twice makes one token.
    Locks the owner; raises TokenRefused.
    """
    name = name.strip()[:LONGEST_NAME]
    _check_asked(name, scopes, days)
    _check_version(owner, scopes, version)
    User.objects.select_for_update().get(pk=owner.pk)
    _check_room(owner, name, version)
    text = _new_text()
    token = ApiToken.objects.create(
        owner=owner,
        version=version,
        name=name,
        digest=digest_of(text),
        hint=text[-HINT:],
        scopes=sorted(set(scopes)),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token, text


def _check_asked(name: str, scopes: Sequence[str], days: int) -> None:
    if not name:
        raise TokenRefused("name_missing", "Name the token after what it is for.")
    if unknown := sorted(set(scopes) - set(Scope)):
        raise TokenRefused("unknown_scope", f"{', '.join(unknown)}: no such scope. There are: {', '.join(Scope)}.")
    if not scopes:
        raise TokenRefused("no_scope", f"A token without a scope is good for nothing. There are: {', '.join(Scope)}.")
    if not 1 <= days <= LONGEST_DAYS:
        raise TokenRefused("bad_days", f"A token lives 1 to {LONGEST_DAYS} days, not {days}.")


def _check_version(owner: User, scopes: Sequence[str], version: BotVersion | None) -> None:
    if version is None:
        if Scope.BOT_PLAY in scopes:
            raise TokenRefused(
                "version_missing", f"{Scope.BOT_PLAY} is for one version: make it on that version's page."
            )
        return
    if Scope.BOT_PLAY not in scopes or not PLAYING.issuperset(scopes):
        raise TokenRefused(
            "bad_scopes",
            f"A version's token has {Scope.BOT_PLAY}, and {Scope.LOGS_READ} if you like, and nothing else.",
        )
    if version.bot.player.owner_id != owner.pk:
        raise TokenRefused("not_yours", "The version is of somebody else's program.")
    if version.agent.status == AgentStatus.RETIRED:
        raise TokenRefused("retired", "The version is retired and plays no more.")


def _check_room(owner: User, name: str, version: BotVersion | None) -> None:
    living = alive(owner).filter(version=version)
    if living.filter(name=name).exists():
        raise TokenRefused("name_taken", f"You have a token “{name}”: name this one otherwise, or revoke that one.")
    most = MOST_ALIVE if version is None else MOST_OF_VERSION
    if living.count() >= most:
        of_what = "You have" if version is None else "The version has"
        raise TokenRefused("too_many", f"{of_what} {most} tokens: revoke one that is not used.")


def alive(owner: User) -> QuerySet[ApiToken]:
    """A user's tokens that can be used now, those of his versions among them."""
    return ApiToken.objects.filter(owner=owner, revoked_at=None, expires_at__gt=timezone.now())


def revoke(token: ApiToken) -> None:
    """Ends a token at once; a second time changes nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _new_text() -> str:
    secret = base62(secrets.randbits(200), SECRET_DIGITS)
    return PREFIX + secret + _check_digits(secret)


def _check_digits(secret: str) -> str:
    """So that a search for leaked tokens, and we ourselves, tell a token from what only looks like one."""
    return base62(zlib.crc32(secret.encode()), CHECK_DIGITS)


def is_well_formed(text: str) -> bool:
    secret, check = text[len(PREFIX) : -CHECK_DIGITS], text[-CHECK_DIGITS:]
    whole = len(PREFIX) + SECRET_DIGITS + CHECK_DIGITS
    return len(text) == whole and text.startswith(PREFIX) and _check_digits(secret) == check


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer mnl_…`. Looked up at every request, so that a revoked token is refused at the next.

    Who comes with a version's token is nobody's account: nothing of its owner's is seen or done by it.
    """

    def authenticate(self, request: Request) -> tuple[User | AnonymousUser, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words:
            return None
        if words[0].lower() != b"bearer" or len(words) != 2:
            raise AuthenticationFailed("Send the header as: Authorization: Bearer mnl_…", "bad_authorization")
        token = _found(words[1].decode("latin-1"))
        _note_use(token)
        return AnonymousUser() if token.version_id else token.owner, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _found(text: str) -> ApiToken:
    check_form(text)
    return usable(ApiToken.objects.select_related("owner").filter(digest=digest_of(text)).first())


def check_form(text: str) -> None:
    """Raises AuthenticationFailed where a token cannot be one of ours, without asking the database."""
    if not is_well_formed(text):
        raise AuthenticationFailed("That is no token of ours, or not the whole of one: copy it again.", "bad_token")


def usable(token: ApiToken | None) -> ApiToken:
    """The token that was found, with its owner; raises AuthenticationFailed where it is good for nothing now."""
    if token is None or not token.owner.is_active:
        raise AuthenticationFailed("Nobody has such a token: make one on the page of your tokens.", "unknown_token")
    if token.revoked_at is not None:
        raise AuthenticationFailed("The token was revoked: make another one.", "token_revoked")
    if token.expires_at <= timezone.now():
        raise AuthenticationFailed("The token has expired: make another one.", "token_expired")
    return token


def _note_use(token: ApiToken, now: datetime | None = None) -> None:
    now = now or timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
