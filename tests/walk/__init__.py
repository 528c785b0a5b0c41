"""A walk through everything that a screen can show, at every size that a screen can have."""
