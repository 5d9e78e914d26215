"""`python -m engine bench`: how fast the engine is, beside a limit in C and other libraries of card games."""
