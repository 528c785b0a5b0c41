"""Moon River."""
