"""What commands for authors begin with: the project's settings, a program at an address; no server and no database."""

from __future__ import annotations

import os
import secrets
import sys
from base64 import b64decode
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import django
from django.conf import settings
from rich.console import Console

if TYPE_CHECKING:
    from bots_api.endpoints import Endpoint

NOT_DONE: Final = 2
"""The exit status where the question was wrong, or nobody is there to be asked."""
ROOMS: Final = frozenset({"django.contrib.contenttypes", "django.contrib.auth", "matches", "bots_api"})
PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
SHORTEST_KEY: Final = 16


class UsageError(Exception):
    """What was asked for cannot be done; the text says what to write instead."""


class Terminal(Console):
    """Standard output, whose reader may go away."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def run(act: Callable[[], int]) -> int:
    """What a command does, under the project's settings; returns its exit status."""
    try:
        set_up()
        status = act()
        sys.stdout.flush()
    except UsageError as error:
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
    except BrokenPipeError:  # whoever reads us has read enough; what is still to be written goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        return status
    return NOT_DONE


def set_up() -> None:
    """Makes the project's settings known; nothing is started, and no database is asked.

    With no more of the project than takes part here: the whole of it takes longer to load than many a check.
    """
    if not settings.configured:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        settings.INSTALLED_APPS = [app for app in settings.INSTALLED_APPS if app in ROOMS]
    django.setup()


def endpoint_at(url: str, secret: str | None, number: int = 1) -> Endpoint:
    """A program at an address, which goes by this number; raises UsageError for what cannot be called.

    Without a secret messages are signed with one that nobody knows: whoever does not look plays all the same.
    """
    from standardwebhooks import Webhook

    from bots_api.addresses import AddressRefused, check_url
    from bots_api.endpoints import Endpoint

    try:
        check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
    except AddressRefused as refusal:
        raise UsageError(f"{url}: {refusal}") from refusal
    return Endpoint(number, url, Webhook(_key(secret or os.environ.get("SECRET", ""))))


def _key(secret: str) -> bytes:
    """The bytes of a secret as pages show it; raises UsageError. Of none, some that nobody knows."""
    if not secret:
        return secrets.token_bytes(SECRET_BYTES)
    try:
        key = b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        key = b""
    if not secret.startswith(PREFIX) or len(key) < SHORTEST_KEY:
        raise UsageError(f"The secret is none: expected {PREFIX} and base64, as the version's page shows it.")
    return key
