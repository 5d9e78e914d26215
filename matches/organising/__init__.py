"""What an organiser does on the site: the form of a match, and what it has in common with other forms."""
