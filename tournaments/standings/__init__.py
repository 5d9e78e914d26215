"""Standings as a fold over results: whole numbers in, places and the trail of every tie-break out."""
