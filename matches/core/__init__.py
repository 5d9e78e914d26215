"""Decisions about matches as values: no framework, no clock, no network."""
