"""`i64`: a machine integer where the core is compiled, a plain `int` where it is not."""

from __future__ import annotations

try:
    from mypy_extensions import i64
except ImportError:  # the engine needs nothing but the standard library
    i64 = int  # type: ignore[misc]

__all__ = ["i64"]
