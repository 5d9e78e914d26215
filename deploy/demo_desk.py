"""What the demo writes into a database that may be somebody else's: names of its own, and nobody's rows but its own.

Import it once Django is set up.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from kombu import Connection
from kombu.exceptions import OperationalError

from bots_api.models import Bot, BotVersion
from bots_api.services import add_version, register_bot, retire
from bots_api.services.registering import MOST_VERSIONS
from deploy.demo_stage import DemoFailed
from deploy.embedded import var_dir
from deploy.environment import database_place
from matches.models import Player, PlayerKind, User
from tournaments.models import Tournament

PASSWORD_FILE = "admin_password"
BROKER_PATIENCE_S = 5


@dataclass(frozen=True, slots=True)
class Desk:
    """The demo's own superuser."""

    user: User
    password: str


def migrate() -> None:
    """Brings the database's tables up to date; raises DemoFailed if it cannot be reached."""
    try:
        call_command("migrate", verbosity=0)
        missing = next(_missing_columns(), None)
    except DatabaseError as error:
        raise DemoFailed(f"DATABASE_URL leads to {database_place()}, which fails: {_first_line(error)}") from error
    if missing:
        raise DemoFailed(
            f"{database_place()} was made by another Manela: it has no {missing}. Nothing was changed. "
            f"Move {var_dir()} away, or set MANELA_VAR or DATABASE_URL to another place."
        )


def _missing_columns() -> Iterator[str]:
    """Columns that the code knows and the database does not: its first migrations were others."""
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            found = {column.name for column in connection.introspection.get_table_description(cursor, table)}
            columns = (field.column for field in model._meta.local_concrete_fields)
            yield from (f"{table}.{column}" for column in columns if column not in found)


def reach_broker() -> None:
    """Raises DemoFailed if the broker does not answer: the workers would only go on trying."""
    try:
        with Connection(settings.BROKER_URL, connect_timeout=BROKER_PATIENCE_S) as connection:
            connection.ensure_connection(max_retries=1, timeout=BROKER_PATIENCE_S)
    except OperationalError as error:
        raise DemoFailed(f"BROKER_URL leads to no broker: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def desk_account(var: Path) -> Desk:
    """The superuser of an earlier demo if its kept password still fits, else a new one under the first free name.

    An account that somebody else made, or whose password he has changed, is left as it is.
    """
    password = _kept_password(var / PASSWORD_FILE)
    for name in _desk_names():
        user = User.objects.filter(username=name).first()
        if user is None:
            return Desk(User.objects.create_superuser(name, password=password), password)
        if user.is_superuser and user.is_active and user.check_password(password):
            return Desk(user, password)
    raise AssertionError("names without end have ended")


def _desk_names() -> Iterator[str]:
    yield "admin"
    yield "demo-admin"
    yield from (f"demo-admin-{number}" for number in count(2))


def _kept_password(path: Path) -> str:
    """Made at the first run and kept for its owner alone, before the account: a kill between the two loses nothing."""
    kept = path.read_text().strip() if path.exists() else ""
    if not kept:
        kept = secrets.token_urlsafe(12)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(kept)
    return kept


def next_evening(slugs: Iterable[str]) -> int:
    """The first number with which nobody has taken any of these addresses, such as `evening-1`."""
    taken, asked = set(Tournament.objects.values_list("slug", flat=True)), tuple(slugs)
    return next(number for number in count(1) if not taken & {f"{slug}-{number}" for slug in asked})


def own_name(name: str, **ours: object) -> str:
    """The name, or the next one with a number where a player who is not ours bears it."""
    names = (name if number == 1 else f"{name} {number}" for number in count(1))
    return next(free for free in names if not Player.objects.filter(name=free).exclude(**ours).exists())


def version_at(name: str, script: str, url: str, owner: User) -> BotVersion:
    """The owner's program's version at this address; a new address is a new version."""
    name = own_name(name, kind=PlayerKind.BOT, owner=owner)
    bot = Bot.objects.filter(player__name=name).first()
    if bot is None:
        bot = register_bot(name, owner, about=f"Runs docs/examples/{script}.")
    there = bot.versions.exclude(agent__status="retired").order_by("-created_at", "-id")
    version = there.filter(url=url).first()
    if version is None:
        for outlived in there[MOST_VERSIONS - 1 :]:
            retire(outlived, "The demo has moved on.")
        version = add_version(bot, f"v{bot.versions.count() + 1}", url)
    return version
