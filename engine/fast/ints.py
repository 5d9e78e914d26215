"""`i64`: a machine integer where the core is compiled, a plain `int` where it is not; and mypyc's word to a class."""

from __future__ import annotations

try:
    from mypy_extensions import i64, mypyc_attr
except ImportError:  # the engine needs nothing but the standard library
    from collections.abc import Callable
    from typing import TypeVar

    i64 = int  # type: ignore[misc]
    _Made = TypeVar("_Made")

    def mypyc_attr(*words: str, **values: object) -> Callable[[_Made], _Made]:
        """Says nothing to plain Python."""
        return lambda made: made


__all__ = ["i64", "mypyc_attr"]
