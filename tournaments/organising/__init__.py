"""What an organiser does on the site: drawing a tournament up."""
