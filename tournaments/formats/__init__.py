"""Draws as pure functions: from entries to pairings. No framework, no clock, no chance that is not handed in."""
