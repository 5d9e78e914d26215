"""Qualification: what a version goes through before it plays, kept in rows as it happens."""
