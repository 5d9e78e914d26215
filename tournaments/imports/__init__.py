"""Taking in what others have written: lists of players, whole tournaments."""
