"""How a program is started with what it was just given: commands to be copied as they stand."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings

EXAMPLE_CALLED, EXAMPLE_CALLING = "cheapest.py", "caller.py"
"""Of `docs/examples/`: a program that we call, and one that calls us."""
PORT = 9000


def site() -> str:
    return str(settings.PUBLIC_URL).rstrip("/")


def commands_of_called(url: str, secret: str) -> tuple[str, ...]:
    """For a version at an address: start the example, and have it graded before the qualification."""
    port = urlsplit(url).port or PORT
    return (
        f"SECRET={secret} python3 {EXAMPLE_CALLED} {port}",
        f"python3 -m bots_api.check {url} --secret {secret}",
    )


def commands_of_calling(token: str) -> tuple[str, ...]:
    """For a version that calls us: start the example; or only listen to what it would hear."""
    return (
        f"TOKEN={token} python3 {EXAMPLE_CALLING} {site()}",
        f"curl -N -H 'Authorization: Bearer {token}' {site()}/api/v1/bot/stream",
    )
