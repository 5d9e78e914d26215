"""One program asks others to a match: offered, answered, and played once everybody has accepted."""
