"""Golden journals: whole games, and what plays them anew."""
