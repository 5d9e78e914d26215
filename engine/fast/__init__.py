"""The fast core: the rules of one deal on plain integers, compiled where a compiler is."""
