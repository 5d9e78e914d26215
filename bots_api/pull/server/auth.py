"""Who calls: a token that plays as one version. What was found holds for half a second, so that revoking is felt."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from rest_framework.exceptions import AuthenticationFailed

from bots_api.models import ApiToken
from bots_api.pull.server.gathering import Gathering
from bots_api.pull.server.problems import Refused
from bots_api.tokens import check_form, digest_of, usable
from matches.permissions import Scope

HOLDS_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Player:
    """The version that a token plays as."""

    token_id: int
    agent_id: int
    version_id: int
    public_id: str


Found = tuple[float, "asyncio.Future[ApiToken | None]"]


class Keyring:
    """Finds tokens, many on one trip; `trip` reads them by their digests."""

    def __init__(self, trip: Callable[[Sequence[str]], Awaitable[Sequence[ApiToken | None]]]) -> None:
        self._gathering = Gathering(trip)
        self._found: dict[str, Found] = {}

    async def player(self, header: bytes | None) -> Player:
        """Who sent this Authorization header; raises Refused."""
        try:
            digest = _digest(header)
            return _player(usable(await self._token(digest)))
        except AuthenticationFailed as refusal:
            raise _unknown(refusal) from refusal

    async def _token(self, digest: str) -> ApiToken | None:
        now = time.monotonic()
        found = self._found.get(digest)
        if found is None or now - found[0] >= HOLDS_SECONDS:
            found = self._found[digest] = (now, self._gathering.ask(digest))
        return await asyncio.shield(found[1])

    def forget_old(self) -> None:
        """Lets go of what does not hold any more; called now and then, so that no stranger can fill our memory."""
        until = time.monotonic() - HOLDS_SECONDS
        self._found = {digest: found for digest, found in self._found.items() if found[0] > until}


def _digest(header: bytes | None) -> str:
    words = (header or b"").split()
    if not words:
        raise AuthenticationFailed("This takes a token: Authorization: Bearer mnl_…", "not_authenticated")
    if words[0].lower() != b"bearer" or len(words) != 2:
        raise AuthenticationFailed("Send the header as: Authorization: Bearer mnl_…", "bad_authorization")
    text = words[1].decode("latin-1")
    check_form(text)
    return digest_of(text)


def _player(token: ApiToken) -> Player:
    if Scope.BOT_PLAY not in token.scopes or token.version is None:
        raise Refused(403, "scope_missing", f"This takes a token of a version, with the scope {Scope.BOT_PLAY}.")
    return Player(token.pk, token.version.agent_id, token.version.pk, token.version.agent.public_id)


def _unknown(refusal: AuthenticationFailed) -> Refused:
    code = refusal.get_codes()
    return Refused(401, str(code), str(refusal.detail), headers={"www-authenticate": "Bearer"})
