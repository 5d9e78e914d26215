"""`make demo`: hosts a real competition on this machine, from an empty folder to published standings.

Twelve entrants meet in a round robin: house programs of two strengths, and programs from `docs/examples/` that run as
processes of their own and are called over HTTP. Some of them play in pairs, at tables of three and against the house's
strongest programs meanwhile, in a small event each. Run again, it keeps the data and hosts another evening.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack

from django.core.exceptions import ImproperlyConfigured

from deploy.demo_stage import DemoFailed, Stage
from deploy.embedded import EmbeddedError, Supervisor, check_var_dir, services, stoppable, var_dir
from deploy.environment import database_place

LOWEST_PORT, HIGHEST_PORT = 1024, 65535


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m deploy.demo", description=__doc__.splitlines()[0])
    options.add_argument("--once", action="store_true", help="end after the published standings")
    options.add_argument("--entrants", type=int, default=12, choices=range(4, 13), metavar="4-12", help="how many play")
    options.add_argument("--port", type=_port, default=8000, help="port of the site; the next free one is taken")
    arguments = options.parse_args()
    try:
        with stoppable(), ExitStack() as running:
            return _host(running, arguments)
    except KeyboardInterrupt:
        print("\nStopped. The data stays in", var_dir())
        return 0
    except (EmbeddedError, DemoFailed, ImproperlyConfigured) as error:
        print(f"\n{error}", file=sys.stderr)
        return 1


def _port(written: str) -> int:
    if not written.isdecimal() or not LOWEST_PORT <= int(written) <= HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"expected a port from {LOWEST_PORT} to {HIGHEST_PORT}, not {written!r}")
    return int(written)


def _host(running: ExitStack, arguments: argparse.Namespace) -> int:
    found = running.enter_context(services(check_var_dir()))
    os.environ.update(found)
    supervisor = running.enter_context(Supervisor(var_dir() / "log")).watch(*found.servers)
    if "DATABASE_URL" not in found:
        print(f"  Database   {database_place()}, by DATABASE_URL", flush=True)
    stage = Stage(supervisor, arguments.port, arguments.entrants)
    stage.prepare()
    stage.open()
    stage.watch_to_the_end()
    if not arguments.once:
        print("The site stays up until Ctrl-C.")
        supervisor.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
