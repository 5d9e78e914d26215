"""Programs that call and play, many in one process: `python -m tests.bench.pulling_programs URL`.

Their tokens stand on the first line; another line ends them.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence

import aiohttp

from tests.pull_program import Message, PullProgram


def plays(decision: Message) -> str:
    """Names the trumps that it is offered, else plays the default: as `bot_server` does."""
    return "take" if "take" in decision["legal"] else decision["default"]


async def play(base_url: str, tokens: Sequence[str]) -> None:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        programs = [PullProgram(base_url, token, plays) for token in tokens]
        playing = [asyncio.create_task(program.play(session)) for program in programs]
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], json.loads(sys.stdin.readline())))
