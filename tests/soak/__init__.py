"""Whole games over HTTP while the server is killed and its disk fills up: `make soak`."""
