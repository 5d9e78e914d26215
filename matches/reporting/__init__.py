"""How people say on the site how a match ended: to report, to confirm, to say otherwise, to rule."""
