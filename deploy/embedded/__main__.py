"""`python -m deploy.embedded`: PostgreSQL and Valkey stay up until Ctrl-C, for development."""

from __future__ import annotations

import shlex
import sys

from deploy.embedded import EmbeddedError, Supervisor, check_var_dir, services, stoppable, var_dir


def main() -> int:
    """Start what the environment does not name, print how to reach it, and keep it up."""
    try:
        with stoppable(), services(check_var_dir()) as found:
            for key, url in found.items():
                print(f"export {key}={shlex.quote(url)}")
            if not found:
                print("# DATABASE_URL and BROKER_URL are set: nothing to start.")
                return 0
            print("# Up until Ctrl-C.", flush=True)
            Supervisor(var_dir() / "log").watch(*found.servers).run()
    except KeyboardInterrupt:
        return 0
    except EmbeddedError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
