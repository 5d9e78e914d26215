"""How a program is started with what it was just given: commands to be copied as they stand."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.templatetags.static import static
from django.utils.translation import gettext as _

CALLED, CALLING = "cheapest", "caller"
"""Of `docs/examples/`, in each language: a program that we call, and one that calls us."""
LANGUAGES = (("Python", "py", "python3"), ("JavaScript", "js", "node"), ("Go", "go", "go run"))
PORT = 9000


@dataclass(frozen=True, slots=True)
class Command:
    title: str
    line: str


def site() -> str:
    return str(settings.PUBLIC_URL).rstrip("/")


def commands_of_called(url: str, secret: str) -> tuple[Command, ...]:
    """For a version at an address: fetch and start an example, or have one's own graded before the qualification."""
    port = urlsplit(url).port or PORT
    graded = f".venv/bin/python -m bots_api.check {url} --secret {secret}"
    return (
        *_examples(CALLED, f"SECRET={secret}", str(port)),
        Command(_("Or have yours graded first: in a clone of Manela's source, after “make setup” there"), graded),
    )


def commands_of_calling(token: str) -> tuple[Command, ...]:
    """For a version that calls us: fetch and start an example; or only listen to what it would hear."""
    line = f"curl -N -H 'Authorization: Bearer {token}' {site()}/api/v1/bot/stream"
    return (
        *_examples(CALLING, f"TOKEN={token}", site()),
        Command(_("Or look what it will be told; a program that runs with it already is cut off by that"), line),
    )


def _examples(name: str, secret: str, argument: str) -> tuple[Command, ...]:
    return tuple(
        Command(
            _("An example in %(language)s") % {"language": language},
            f"curl -sO {site()}{static(f'starters/{name}.{ending}')}\n{secret} {runs} {name}.{ending} {argument}",
        )
        for language, ending, runs in LANGUAGES
    )
