"""The tests of Desperados."""
