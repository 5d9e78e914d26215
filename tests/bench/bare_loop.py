"""The limit: the same HTTP client, the same number of posts at once, the same bodies and headers, and nothing else.

`python -m tests.bench.bare_loop SLOTS SECONDS RECORDING`
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from pathlib import Path

import aiohttp


def read_recording(path: Path) -> list[tuple[str, dict[str, str], bytes]]:
    """What `recording` wrote; not there, since that needs Django and this loop must not."""
    return [(url, headers, body.encode()) for url, headers, body in map(json.loads, path.read_text().splitlines())]


async def run(slots: int, seconds: float, recording: Path) -> dict[str, float]:
    calls = itertools.cycle(read_recording(recording))
    done = 0

    async def post(session: aiohttp.ClientSession) -> None:
        nonlocal done
        while time.monotonic() < stop_at:
            url, headers, body = next(calls)
            async with session.post(url, data=body, headers=headers) as response:
                await response.read()
            done += 1

    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
        headers={"User-Agent": "manela/1", "Accept-Encoding": "identity", "Content-Type": "application/json"},
    ) as session:
        began, used = time.monotonic(), time.process_time()
        stop_at = began + seconds
        await asyncio.gather(*(post(session) for _ in range(slots)))
        took = time.monotonic() - began
    return {"posts": done, "rate": done / took, "cpu_us": (time.process_time() - used) / done * 1e6}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3])))))
