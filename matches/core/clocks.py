"""Time controls and what a decision costs. Milliseconds, whole numbers (protocol §7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Control(StrEnum):
    BLITZ = "blitz"
    LADDER = "ladder"
    CLASSIC = "classic"
    HUMAN = "human"


@dataclass(frozen=True, slots=True)
class ClockRules:
    """Per decision `budget_ms`, per game a bank of `bank_ms`; `grace_ms` of every decision is the platform's own."""

    budget_ms: int
    bank_ms: int
    grace_ms: int = 250


CLOCKS: dict[Control, ClockRules] = {
    Control.BLITZ: ClockRules(250, 5_000),
    Control.LADDER: ClockRules(1_000, 15_000),
    Control.CLASSIC: ClockRules(5_000, 60_000),
    Control.HUMAN: ClockRules(30_000, 120_000),
}


@dataclass(frozen=True, slots=True)
class Clock:
    """One game's clock at the moment a decision is asked for."""

    rules: ClockRules
    bank_ms: int
    last_charged_ms: int = 0
    last_rtt_ms: int = 0

    @property
    def hard_ms(self) -> int:
        """After so long the answer is not waited for any more."""
        return self.rules.budget_ms + self.bank_ms + self.rules.grace_ms

    def charged(self, elapsed_ms: int) -> int:
        return max(0, elapsed_ms - self.rules.grace_ms)

    def bank_after(self, elapsed_ms: int) -> int:
        """What is left of the bank; below zero the seat has run out of time."""
        return self.bank_ms - max(0, self.charged(elapsed_ms) - self.rules.budget_ms)
