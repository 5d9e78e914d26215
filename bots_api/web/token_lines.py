"""A token as its owner's lists show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from bots_api.models import ApiToken


@dataclass(frozen=True, slots=True)
class TokenLine:
    """`scopes`: what it may do, where that is not plain from the list. `revoke_url`: where it is ended."""

    name: str
    hint: str
    scopes: tuple[str, ...]
    is_alive: bool
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None
    revoke_url: str


@dataclass(frozen=True, slots=True)
class TokenList:
    living: tuple[TokenLine, ...]
    ended: tuple[TokenLine, ...]


def token_list(tokens: Iterable[ApiToken], revoke_url: Callable[[ApiToken], str]) -> TokenList:
    lines = [_line(token, revoke_url(token)) for token in tokens]
    return TokenList(
        living=tuple(line for line in lines if line.is_alive), ended=tuple(line for line in lines if not line.is_alive)
    )


def _line(token: ApiToken, revoke_url: str) -> TokenLine:
    return TokenLine(
        name=token.name,
        hint=token.hint,
        scopes=() if token.version_id else tuple(token.scopes),
        is_alive=token.revoked_at is None and token.expires_at > timezone.now(),
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
        last_used_at=token.last_used_at,
        revoke_url=revoke_url,
    )
