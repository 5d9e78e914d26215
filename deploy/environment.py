"""What the environment says, read once and checked; every mistake names the variable and what it should be."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from matches.core.limits import Limit, parse_limit

ROOT = Path(__file__).resolve().parent.parent
NO_SERVER = "postgresql:///manela?host=/nonexistent"
NO_BROKER = "redis+socket:///nonexistent"
SHORTEST_SECRET_KEY = 50


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def embedded() -> bool:
    """Whether this is the embedded default, which guesses what it was not told; `off` is for the open net."""
    return switch("MANELA_EMBEDDED", True)


def given(name: str, default: str, example: str) -> str:
    """What the environment says; only the embedded default may leave it unsaid."""
    said = text(name)
    if not said and not embedded():
        raise ImproperlyConfigured(f"{name} is not set. With MANELA_EMBEDDED=off it must be, for example {example}.")
    return said or default


def words(said: str) -> list[str]:
    return [word.strip() for word in said.split(",") if word.strip()]


def allowed_hosts() -> list[str]:
    return words(given("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]", "manela.example.org"))


def public_url() -> str:
    return given("PUBLIC_URL", "http://localhost:8000", "https://manela.example.org").rstrip("/")


def debug() -> bool:
    """Pages of errors that show settings and code are for the embedded default alone."""
    on = switch("DEBUG", False)
    if on and not embedded():
        raise ImproperlyConfigured(
            "DEBUG is on: with MANELA_EMBEDDED=off it must be off, it shows strangers the inside."
        )
    return on


def whole_number(name: str, default: int, least: int = 0) -> int:
    value = text(name, str(default))
    if not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value!r}: expected a whole number, at least {least}.")
    return int(value)


def one_of(name: str, words: tuple[str, ...]) -> str:
    """One of these words, by default the first."""
    value = text(name, words[0])
    if value not in words:
        raise ImproperlyConfigured(f"{name} is {value!r}: expected one of {', '.join(words)}.")
    return value


def check_thinkers(thinkers: int, takes: str) -> None:
    if takes == "thinking" and not thinkers:
        raise ImproperlyConfigured("MATCH_LANE_TAKES is thinking and HOUSE_THINKERS is 0: nothing would be played.")


def switch(name: str, default: bool) -> bool:
    value = text(name, "on" if default else "off").lower()
    if value not in {"on", "off"}:
        raise ImproperlyConfigured(f"{name} is {value!r}: expected on or off.")
    return value == "on"


def var_folder() -> Path:
    """Where sockets, keys and logs of this installation lie (`MANELA_VAR`, else `var/` in the project)."""
    return Path(text("MANELA_VAR", str(ROOT / "var")))


def folder(name: str) -> Path:
    """A folder inside the var folder, there once this returns."""
    path = var_folder() / name
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_var_folder(error) from error
    return path


def _no_var_folder(error: OSError) -> ImproperlyConfigured:
    return ImproperlyConfigured(
        f"MANELA_VAR is {str(var_folder())!r}: expected a folder that we may write to ({error.strerror})."
    )


def database(name: str = "DATABASE_URL") -> dict[str, object]:
    """Django's settings for the PostgreSQL of a URL: `postgresql://user:password@host:port/name?option=value`."""
    url, port = _url(name, NO_SERVER, {"postgresql", "postgres"}, "postgresql://user:password@host/manela")
    options = {key: values[-1] for key, values in parse_qs(url.query).items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")) or "manela",
        "USER": unquote(url.username or "") or options.pop("user", ""),
        "PASSWORD": unquote(url.password or "") or options.pop("password", ""),
        "HOST": url.hostname or options.pop("host", ""),
        "PORT": str(port or options.pop("port", "")),
        "OPTIONS": options,
        "CONN_MAX_AGE": whole_number("DATABASE_CONN_MAX_AGE", 600),
        "CONN_HEALTH_CHECKS": True,
    }


def database_place() -> str:
    """The database in words for a terminal: everything that tells it from another one, and no password."""
    told = database()
    host = str(told["HOST"] or "the local socket") + (f":{told['PORT']}" if told["PORT"] else "")
    return f"{told['NAME']} at {host}" + (f" as {told['USER']}" if told["USER"] else "")


def broker(name: str = "BROKER_URL") -> str:
    """The address of the Valkey or Redis that carries Celery's messages."""
    _url(name, NO_BROKER, {"redis", "rediss", "redis+socket"}, "redis://host:6379/0")
    return text(name, NO_BROKER)


def hints_url() -> str:
    """The broker's server as the redis client takes it: `REDIS_URL`, else what `BROKER_URL` says in Celery's words."""
    said = text("REDIS_URL")
    if said:
        return said
    url = urlsplit(broker())
    if url.scheme != "redis+socket":
        return broker()
    number = parse_qs(url.query).get("virtual_host", ["0"])[-1]
    return f"unix://{url.path}?db={number}"


def limits(defaults: Mapping[str, str]) -> dict[str, Limit | None]:
    """How often each thing may be done; `LIMITS` changes some: `bots=50/day,reading=off`."""
    said = dict(defaults)
    for word in words(text("LIMITS")):
        name, _, value = word.partition("=")
        if name not in defaults:
            raise ImproperlyConfigured(f"LIMITS has {name!r}: expected {', '.join(defaults)}.")
        said[name] = value
    try:
        return {name: parse_limit(value) for name, value in said.items()}
    except ValueError as error:
        raise ImproperlyConfigured(f"LIMITS has {error}.") from error


def _url(name: str, default: str, schemes: set[str], example: str) -> tuple[SplitResult, int | None]:
    """The URL and its port. What is wrong is told without the URL itself: it may hold a password."""
    try:
        url = urlsplit(given(name, default, example))
        port = url.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is no address: expected one such as {example}.") from error
    if url.scheme not in schemes:
        raise ImproperlyConfigured(f"{name} has the scheme {url.scheme!r}: expected an address such as {example}.")
    return url, port


def secret_from_file(variable: str, file_name: str, make: Callable[[], str]) -> str:
    """A secret from the environment; the embedded default keeps one of its own in the var folder, mode 600."""
    said = text(variable)
    if said:
        return said
    if not embedded():
        raise ImproperlyConfigured(f"{variable} is not set. With MANELA_EMBEDDED=off every secret must be given.")
    path = folder("") / file_name
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    except OSError as error:
        raise _no_var_folder(error) from error
    with os.fdopen(descriptor, "w") as file:
        secret = make()
        file.write(secret)
    return secret


def secret_key() -> str:
    key = secret_from_file("SECRET_KEY", "secret_key", lambda: secrets.token_urlsafe(48))
    if len(key) < SHORTEST_SECRET_KEY and not embedded():
        raise ImproperlyConfigured(
            f"SECRET_KEY has {len(key)} characters: expected at least {SHORTEST_SECRET_KEY}, made at random."
        )
    return key


def field_keys() -> list[str]:
    """Fernet keys for the encrypted columns, newest first (`FIELD_KEYS`, comma-separated)."""
    keys = secret_from_file("FIELD_KEYS", "field_keys", lambda: Fernet.generate_key().decode()).split(",")
    for key in keys:
        try:
            Fernet(key.strip())
        except ValueError as error:
            raise ImproperlyConfigured(
                "FIELD_KEYS holds something that is no Fernet key: expected 32 url-safe base64 bytes each."
            ) from error
    return [key.strip() for key in keys]
