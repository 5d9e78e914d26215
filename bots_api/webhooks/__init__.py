"""Telling other people's sites what happened here: registered addresses, news owed to them, and its delivery."""
