"""Verbs that write. Each reads: lock, load, decide, save, send on commit."""
