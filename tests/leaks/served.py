"""The site as ever, but for the packs that it deals: those that the file named by LEAKS_DECKS has."""

from __future__ import annotations

import os
from pathlib import Path

import engine.table
from tests.leaks.worlds import dealing

engine.table.pack_of = dealing(Path(os.environ["LEAKS_DECKS"]), engine.table.pack_of)

from deploy.asgi import application  # noqa: E402  # only now: it may deal from its first moment

__all__ = ["application"]
