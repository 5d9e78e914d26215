# plain: it decides whether anything compiled is used
"""Which modules are compiled, and whether a compiled core lies here that was made of these very sources."""

from __future__ import annotations

import hashlib
import json
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = Path(__file__).resolve().parent
PACKAGE: Final = "engine.fast"
GROUP: Final = f"{PACKAGE}.compiled"
"""All modules are compiled into one library, so that calls between them are plain calls of C."""
MANIFEST: Final = "built_from.json"
MAKERS: Final = ("engine/fast/build.py", "engine/fast/finding.py")
"""What makes a build is among its sources, too: other flags make other libraries."""
NEVER: Final = frozenset({"__init__.py", "ints.py", "build.py"})
"""What decides how the others run, or makes them, stays as it is."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where the modules of a build lie; without one, why the core is plain."""

    folder: Path | None
    why_plain: str


def compiled_sources() -> list[Path]:
    """The sources that are compiled: all of `engine/fast/` but those that say `# plain` in their first line."""
    return [path for path in sorted(SOURCES.glob("*.py")) if path.name not in NEVER and not _says_plain(path)]


def _says_plain(path: Path) -> bool:
    with path.open("rb") as source:
        return source.readline().startswith(b"# plain")


def build_folder() -> Path:
    """Where the build of this interpreter lies, or would lie."""
    return PROJECT / "build" / "fast" / (sys.implementation.cache_tag or "unknown")


def interpreter() -> str:
    """What a library must have been made for: interpreter, its ABI, machine and C library."""
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def digest_of(path: Path) -> str:
    """SHA-256 of a file in hex, or nothing if it is not there."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def find_build() -> Found:
    """The build of this interpreter, if it is there and whole and fits the sources."""
    folder = build_folder()
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        made_for, compiled, sources = manifest["interpreter"], manifest["compiled"], manifest["sources"]
    except FileNotFoundError:
        return Found(None, "it was never compiled for this Python: python -m engine.fast.build")
    except (OSError, ValueError, TypeError, KeyError) as error:
        return Found(None, f"what was compiled cannot be read ({error}): python -m engine.fast.build")
    if made_for != interpreter():
        return Found(None, f"it was compiled for {made_for}, this is {interpreter()}: python -m engine.fast.build")
    if compiled != [path.stem for path in compiled_sources()] or not _fit(sources):
        return Found(None, "its sources have changed since it was compiled: python -m engine.fast.build")
    return Found(folder.joinpath(*PACKAGE.split(".")), "")


def _fit(sources: Mapping[str, str]) -> bool:
    known = all(name in sources for name in MAKERS)
    return known and all(digest_of(PROJECT / name) == digest for name, digest in sources.items())
