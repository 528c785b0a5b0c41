"""Benchmarks anyone can run: `make bench`, or one of them as `python -m benchmarks.tables`."""
