"""The rule book as people meet it: presets, sheets of sentences, saved presets."""
