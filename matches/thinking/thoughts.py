"""What goes to a thinker and comes back: one frame each way, four bytes of length and a pickled value.

Pickles are safe here and nowhere else: both ends are processes of ours, one the child of the other.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Final

from engine import Action, View

HEAD: Final = struct.Struct(">I")
"""The length of what follows, in bytes."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A question to a house program. `policy`: what `engine.bots.house` takes; `chance`: its rng is seeded by that.

    `limit_ms`: after so much computing the thinker is ended.
    """

    policy: str
    view: View
    chance: bytes
    limit_ms: int


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What came of it. `elapsed_ms`: the time that the thinker computed, waiting for a core left out.

    `action`: None where the program failed; `failure` then says how.
    """

    action: Action | None
    elapsed_ms: int
    failure: str = ""


def frame(value: Thought | Conclusion) -> bytes:
    """The value as it goes through a pipe."""
    written = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(written)) + written


def unframed(written: bytes) -> object:
    """The value of a frame without its head."""
    return pickle.loads(written)
