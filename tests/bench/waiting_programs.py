"""Many pulling programs in one process: `python -m tests.bench.waiting_programs URL`, their tokens on the first line.

Half of them hold a stream, half a long poll. Another line ends them, and they say of every decision when it was heard
(monotonic, which is one clock for all processes of a machine), how long its answer took and what that was replied.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence

import aiohttp

from tests.pull_program import PullProgram


async def play(base_url: str, tokens: Sequence[str]) -> list[PullProgram]:
    """Plays until somebody writes a line; returns the programs with all that they heard."""
    programs = [
        PullProgram(base_url, token, mode="stream" if number % 2 else "poll") for number, token in enumerate(tokens)
    ]
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        playing = [asyncio.create_task(program.play(session)) for program in programs]
        await asyncio.to_thread(sys.stdin.readline)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return programs


def told(programs: Sequence[PullProgram]) -> dict[str, tuple[float, float, int]]:
    heard_at: dict[str, float] = {}
    for program in programs:
        for message, at in zip(program.heard, program.heard_at, strict=True):
            if message["type"] == "decision":
                heard_at.setdefault(message["decision_id"], at)
    replies = [reply for program in programs for reply in program.replies]
    return {reply.decision_id: (heard_at[reply.decision_id], reply.seconds, reply.status) for reply in replies}


if __name__ == "__main__":
    given = json.loads(sys.stdin.readline())
    print(json.dumps(told(asyncio.run(play(sys.argv[1], given)))))
