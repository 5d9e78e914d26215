"""`docs/bots.md`, step by step: each of its commands as it stands there, against a real installation."""

from __future__ import annotations

import base64
import os
import re
import shutil
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bots_api.challenges.services import challenge
from bots_api.models import BotVersion
from bots_api.tokens import make_token
from deploy.demo_stage import free_port
from deploy.embedded.paths import PROJECT
from engine import verify
from matches.core.lifecycle import MatchStatus
from matches.models import Match, Party, PartyEvent
from matches.services.versions import house_agent
from tests.cast import person
from tests.chaos.crew import WORKER, Crew
from tests.deploy.processes import within
from tests.pull_program import serving
from tests.starters.programs import EXAMPLES

BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
SITE = "http://localhost:8000"
BOARDS = "--boards 200", "--boards 6"
WITHOUT_CURL = """command -v curl > /dev/null || curl() {
  python3 -c 'import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())' "$2" \\
    | if [ "$1" = -sO ]; then cat > "${2##*/}"; else cat; fi
}
"""
WORKERS = (*WORKER, "-B", "-c", "3", "-Q", "default,calls,lanes")
LIMIT_S = 200
"""Ten minutes are promised, with the reading and the typing."""


def blocks(language: str) -> list[str]:
    """What stands in the document for a shell, or for Python."""
    text = (PROJECT / "docs" / "bots.md").read_text(encoding="utf-8")
    return [textwrap.dedent(block) for found, block in BLOCK.findall(text) if found == language]


@contextmanager
def running(folder: Path, script: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    """A script for a shell, in that folder, with this project's Python; it is killed at the end."""
    script = WITHOUT_CURL + script.replace(".venv/bin/python", sys.executable)
    with subprocess.Popen(
        ["sh", "-ec", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUNBUFFERED": "1", **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, 9)


def said(folder: Path, script: str, **env: str) -> str:
    """All that a script has said, which must end well."""
    with running(folder, script, **env) as process:
        output = process.communicate(timeout=LIMIT_S)[0]
    assert process.returncode == 0, output
    return output


def test_the_document_has_the_commands_that_are_tried_here() -> None:
    calls, called, check, local, record = blocks("sh")
    assert "caller.py" in calls
    assert "cheapest.py" in called
    assert "bots_api.check" in check
    assert "bots_api.local" in local
    assert "engine verify" in record
    assert len(blocks("python")) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(2 * LIMIT_S)
def test_from_nothing_to_a_first_finished_game(child_env: dict[str, str], tmp_path: Path) -> None:
    calls, record = blocks("sh")[0], blocks("sh")[-1]
    shutil.copy(PROJECT / "docs" / "client" / "manela.py", tmp_path)
    shutil.copy(EXAMPLES / "caller.py", tmp_path)
    owner = person("bohdan")
    account = make_token(owner, "walk", ["bot:write", "challenge:create"], 1)[1]
    crew = Crew(tmp_path, child_env)
    with serving(child_env) as server:
        crew.start("workers", *WORKERS, "-s", str(tmp_path / "schedule"))
        try:
            began = time.monotonic()
            (tmp_path / "walk.py").write_text(blocks("python")[0].replace(SITE, server.base_url))
            told = said(tmp_path, ".venv/bin/python walk.py", ACCOUNT=account)
            seconds = time.monotonic() - began
            assert "qualification: passed" in told, crew.last_words("workers")
            check_games()
            print(f"From a name to a first finished game: {seconds:.0f} s.")
            play_as_it_stands(tmp_path, calls.replace(SITE, server.base_url))
            party = Party.objects.latest("id").public_id
            assert "1" in said(tmp_path, record.replace(SITE, server.base_url).replace("PARTY", party))
        finally:
            crew.stop()
    assert seconds < LIMIT_S


def check_games() -> None:
    assert set(Match.objects.values_list("status", flat=True)) == {MatchStatus.FINISHED}
    assert [verify(party.record) for party in Party.objects.all()] == [None, None]
    assert not PartyEvent.objects.exclude(cause="")


def play_as_it_stands(folder: Path, script: str) -> None:
    """The lines that the page of a new version shows, and another game with them."""
    version = BotVersion.objects.get()
    owner = version.bot.player.owner
    assert owner is not None
    token = make_token(owner, "copied", ["bot:play"], 1, version)[1]
    (folder / "caller.py").unlink()
    with running(folder, script.replace("mnl_…", token)) as caller:
        made = challenge(owner, version.agent, [house_agent("greedy@1")], boards=1, deals=1)
        over = within(90, lambda: Match.objects.get(pk=made.match_id).status == MatchStatus.FINISHED)
        _kill(caller)
        output = caller.communicate()[0]
    assert over, output
    assert "'accepted': True" in output


def test_an_author_with_an_address_tries_his_program_at_home(tmp_path: Path) -> None:
    _, called, check, local, _ = blocks("sh")
    port = free_port(19_000 + os.getpid() % 200 * 20)
    shutil.copy(EXAMPLES / "cheapest.py", tmp_path)
    start, check, local = (at_home(script, port) for script in (called.splitlines()[-1], check, local))
    with running(tmp_path, start):
        assert within(30, lambda: listens(port))
        assert "Passed 15 of 15. It may play." in said(tmp_path, check, COLUMNS="200")
        assert "a deal more than house:greedy" in said(tmp_path, local.replace(*BOARDS), COLUMNS="200")


def at_home(script: str, port: int) -> str:
    """A script of the document with a port that is free here, and a secret."""
    return script.replace("9000", str(port)).replace("whsec_…", SECRET)


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
