"""The fast core: the rules of one deal on plain integers, compiled where a compiler is.

One source for both. `python -m engine.fast.build` compiles it; what it made is used as long as the sources are the
same, and plain Python is otherwise: the results are equal. `ENGINE_PURE=1` asks for plain Python whatever there is;
unless it does, `ENGINE_COMPILED=1` makes plain Python an error.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Final

from engine.fast.finding import GROUP, find_build

_PURE: Final = os.environ.get("ENGINE_PURE") == "1"


def _use_build() -> str:
    """Puts what is compiled before the sources; why it could not, or nothing."""
    if _PURE:
        return "ENGINE_PURE=1 asks for plain Python"
    found = find_build()
    if found.folder is None:
        return found.why_plain
    __path__.insert(0, str(found.folder))
    try:
        import_module(f"{GROUP}__mypyc")
    except ImportError as error:
        __path__.pop(0)
        return f"what was compiled does not load ({error}): python -m engine.fast.build --force"
    return ""


WHY_PLAIN: Final = _use_build()
"""Why the core runs as plain Python; empty where it is compiled."""
COMPILED: Final = not WHY_PLAIN

if os.environ.get("ENGINE_COMPILED") == "1" and not COMPILED and not _PURE:
    # The package is imported to compile it, too: where the variable is set, that ends here.
    how = WHY_PLAIN.replace("python -m", "env -u ENGINE_COMPILED python -m")
    raise ImportError(f"ENGINE_COMPILED=1, but the fast core is plain: {how}")

__all__ = ["COMPILED", "WHY_PLAIN"]
