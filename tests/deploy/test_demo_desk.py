"""The demo in a database that is somebody else's: it changes nobody's rows, and takes names that are free."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from bots_api.services import register_bot
from deploy.demo_desk import Desk, desk_account, migrate, next_evening, version_at
from deploy.demo_screen import show_addresses
from deploy.demo_stage import DemoFailed
from matches.models import Player, PlayerKind, User
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

URL = "http://127.0.0.1:9001/"


def test_a_database_of_another_manela_is_refused_and_named() -> None:
    migrate()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE matches_matchseat RENAME COLUMN side TO once")
    with pytest.raises(DemoFailed, match=r"no matches_matchseat\.side\. Nothing was changed"):
        migrate()


def test_makes_admin_where_there_is_none_and_comes_back_to_it(tmp_path: Path) -> None:
    first = desk_account(tmp_path)
    assert first.user.username == "admin"
    assert first.user.is_superuser
    assert first.user.check_password(first.password)
    assert desk_account(tmp_path) == first
    assert (tmp_path / "admin_password").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("superuser", [True, False], ids=["a superuser", "a plain user"])
def test_leaves_an_admin_of_somebody_else_as_he_is(tmp_path: Path, superuser: bool) -> None:
    anna = User.objects.create_user("admin", password="anna's own words", is_superuser=superuser)
    before = User.objects.filter(pk=anna.pk).values().get()
    desk = desk_account(tmp_path)
    assert desk.user.username == "demo-admin"
    assert User.objects.filter(pk=anna.pk).values().get() == before
    assert desk_account(tmp_path) == desk


def test_a_password_that_was_changed_stays_changed(tmp_path: Path) -> None:
    first = desk_account(tmp_path)
    first.user.set_password("changed since then")
    first.user.save()
    assert desk_account(tmp_path).user.username == "demo-admin"
    first.user.refresh_from_db()
    assert first.user.check_password("changed since then")


def test_a_lost_password_file_costs_no_account_its_password(tmp_path: Path) -> None:
    names = []
    for _ in range(4):
        names.append(desk_account(tmp_path).user.username)
        (tmp_path / "admin_password").unlink()
    assert names == ["admin", "demo-admin", "demo-admin-2", "demo-admin-3"]


def test_takes_the_next_free_evening() -> None:
    organiser = User.objects.create_user("anna")
    for slug in ("evening-2", "evening-of-cards", "evening-1", "evening-4", "pairs-3", "pairs"):
        Tournament.objects.create(slug=slug, name=slug, organiser=organiser)
    assert next_evening(["evening"]) == 3
    assert next_evening(["evening", "pairs"]) == 5


def test_adds_no_version_to_a_program_of_somebody_else(tmp_path: Path) -> None:
    bohdan = User.objects.create_user("bohdan")
    his = register_bot("Careful", bohdan)
    Player.objects.create(name="Careful 2", kind=PlayerKind.BOT, owner=bohdan)
    owner = desk_account(tmp_path).user
    version = version_at("Careful", "careful.py", URL, owner)
    assert (version.bot.player.name, version.bot.player.owner) == ("Careful 3", owner)
    assert not his.versions.exists()
    assert version_at("Careful", "careful.py", URL, owner) == version


def test_names_its_account_on_a_line_that_a_narrow_terminal_leaves_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show_addresses(
        "http://localhost:8000", ["/t/evening-1/", "/t/pairs-1/"], Desk(User(username="demo-admin"), "secret words")
    )
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "  Admin      http://localhost:8000/admin/  (demo-admin, password secret words)"
