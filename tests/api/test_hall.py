"""The example that organisers copy: run as a program against the site, as it stands in the documentation."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.test import Client

from bots_api.tokens import make_token
from deploy.embedded.paths import PROJECT
from tests.cast import anna

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
HALL = PROJECT / "docs" / "organising" / "hall.py"


def test_the_example_runs_a_swiss_to_its_published_standings(live_server) -> None:
    token = make_token(anna(), "hall", ["comp:admin"], 1)[1]
    names = ["Ada", "Боб", "Cleo", "Дарина", "Eve"]
    ran = subprocess.run(
        [sys.executable, str(HALL), live_server.url, token, *names], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    *rows, address = ran.stdout.splitlines()
    assert sorted(row.split()[1] for row in rows) == sorted(names)
    page = Client().get(address.removeprefix(live_server.url))
    assert page.status_code == 200
    assert "Дарина" in page.content.decode()


def test_it_fits_a_page() -> None:
    assert len(HALL.read_text().splitlines()) <= 55
