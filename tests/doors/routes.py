"""Every address that the service answers at, read from its own URL resolver."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
PARAMETER = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>|\(\?P<(?P<group>\w+)>[^)]*\)")


@dataclass(frozen=True, slots=True)
class Route:
    """One pattern, as it stands in the URL configuration, and what answers there."""

    pattern: str
    view: Callable[..., Any]

    @property
    def is_api(self) -> bool:
        return self.pattern.startswith("api/")

    @property
    def row(self) -> str:
        """What the table calls it: parameters by name alone, and the doors of a desk's models in common."""
        short = re.sub(r"<\w+:", "<", self.pattern)
        return re.sub(r"^admin/\w+/\w+/", "admin/MODEL/", short) if self.model else short or "/"

    @property
    def model(self) -> tuple[str, str] | None:
        """App and name of the model that this is a door of on the organisers' desk."""
        words = self.pattern.split("/")
        is_one = (
            words[0] == "admin" and len(words) > 3 and words[1] in {config.label for config in apps.get_app_configs()}
        )
        return (words[1], words[2]) if is_one else None

    @property
    def methods(self) -> tuple[str, ...]:
        """GET and whatever unsafe methods there are; a plain page is tried with POST, which it may refuse.

        What is changed at the desk is the business of its own tests.
        """
        view = getattr(self.view, "view_class", None)
        if self.model:
            return ("GET",)
        if view is None or not self.is_api:
            return ("GET", "POST")
        return tuple(method for method in ("GET", *UNSAFE) if hasattr(view, method.lower()))

    def address(self, keys: Mapping[str, str]) -> str:
        """An address of something that is there: each parameter by the word before it, see `House.keys`."""
        filled = self.pattern.replace("^", "").replace("/?$", "").replace("$", "")
        while parameter := PARAMETER.search(filled):
            filled = filled[: parameter.start()] + _key(filled, parameter, keys) + filled[parameter.end() :]
        return "/" + filled


def _key(filled: str, parameter: re.Match[str], keys: Mapping[str, str]) -> str:
    """`m/parties` before `m`, `rounds/int` before `rounds`: what stands at both ends of a word may need another."""
    name = parameter["name"] or parameter["group"]
    word = filled[: parameter.start()].rstrip("/").rpartition("/")[2]
    follows = filled[parameter.end() :].strip("/").partition("/")[0]
    candidates = (f"{word}/{parameter['kind']}", f"{word}/{follows}", name, word)
    known = next((candidate for candidate in candidates if candidate in keys), None)
    if known is None:
        raise LookupError(f"{parameter.string}: nothing is there to be asked for by any of {candidates}")
    return keys[known]


def routes() -> tuple[Route, ...]:
    return tuple(_walk(get_resolver(), ""))


def _walk(resolver: URLResolver, before: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        pattern = before + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield Route(pattern, entry.callback)
        else:
            yield from _walk(entry, pattern)
