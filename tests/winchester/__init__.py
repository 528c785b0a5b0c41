"""The tests of Daddy Winchester."""
