"""One program in a process of its own: `python -m tests.rogues NAME PORT`; prints `ready` when it listens."""

from __future__ import annotations

import asyncio
import sys

from tests.rogues.behaviours import ROGUES, at_decisions, plays
from tests.rogues.program import Program


def main() -> None:
    name, port = sys.argv[1], int(sys.argv[2])
    behaviour = at_decisions(plays) if name == "plays" else ROGUES[name]
    asyncio.run(Program(behaviour, port).serve(lambda: print("ready", flush=True)))


if __name__ == "__main__":
    main()
