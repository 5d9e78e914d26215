"""What a challenge is refused for."""

from __future__ import annotations


class ChallengeRefused(Exception):
    """It cannot be made or answered so; `code` is stable, `field` names what of the request is to be mended, if any."""

    def __init__(self, code: str, text: str, field: str = "") -> None:
        super().__init__(text)
        self.code, self.field = code, field
