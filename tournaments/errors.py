"""What can go wrong when a tournament is run, in words for its organiser."""

from __future__ import annotations


class TournamentError(Exception):
    """`code` is stable; the text says what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
