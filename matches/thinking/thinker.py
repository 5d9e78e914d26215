"""A process in which house programs compute, one view at a time, beside the lane that waits for them.

`python -m matches.thinking.thinker PARENT` reads thoughts from its standard input and writes conclusions to its
standard output, until there is nothing to read any more. On Linux it dies with its parent. It knows no framework, so
that it is there at once.
"""

from __future__ import annotations

import ctypes
import os
import random
import signal
import sys
import time
import traceback
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

from engine.bots import Policy, house
from matches.thinking.thoughts import HEAD, Conclusion, Thought, frame, unframed

NICENESS: Final = 10
"""A lane and the programs that it calls have the cores first: a tenth is left to thinkers that they compete with."""
PR_SET_PDEATHSIG: Final = 1
AUTOGROUP: Final = Path("/proc/self/autogroup")


def main() -> None:
    die_with(int(sys.argv[1]))
    step_back()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the lane, which ends us
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    thoughts, conclusions = sys.stdin.buffer, _own_output()
    while (thought := _read(thoughts)) is not None:
        conclusions.write(frame(conclude(thought)))
        conclusions.flush()


def die_with(parent: int) -> None:
    """Ends with the process that started this one, and at once where that is gone already.

    The end of the input tells as much, but only once a thought is over.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        sys.exit()


def step_back() -> None:
    """Leaves the cores to others first.

    Linux may share them out by session before it looks at niceness: what a thinker computes would then be counted
    against the lane whose session it is in. So it is started in one of its own, and that is made as nice.
    """
    os.nice(NICENESS)
    with suppress(OSError):
        AUTOGROUP.write_text(str(NICENESS))


def _own_output() -> BinaryIO:
    """The pipe to the parent. Whatever else is printed in this process goes where errors go."""
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return own


def _read(thoughts: BinaryIO) -> Thought | None:
    """The next thought; None at the end of the input, in whichever byte."""
    head = thoughts.read(HEAD.size)
    length = HEAD.unpack(head)[0] if len(head) == HEAD.size else 0
    written = thoughts.read(length)
    thought = unframed(written) if length and len(written) == length else None
    return thought if isinstance(thought, Thought) else None


def conclude(thought: Thought) -> Conclusion:
    """Asks the program. Time is what this process computed: that others have the core meanwhile is no fault of its.

    A program that computes beyond the limit is ended with the process, by a signal that nobody here answers: native
    code would not look at an exception.
    """
    signal.setitimer(signal.ITIMER_PROF, thought.limit_ms / 1_000)
    began = time.process_time()
    try:
        action = policy(thought.policy).choose(thought.view, random.Random(thought.chance))
    except Exception:  # the outermost loop of a worker; whoever asked decides what becomes of it
        return Conclusion(None, _since(began), traceback.format_exc())
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Conclusion(action, _since(began))


@cache
def policy(name: str) -> Policy:
    """The program, made once. Its budget, too, is of what this process computes: an anchor is as strong as ever where
    others have the cores.
    """
    return house(name, time.process_time)


def _since(began: float) -> int:
    return round((time.process_time() - began) * 1_000)


if __name__ == "__main__":
    main()
