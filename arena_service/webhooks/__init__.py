"""Telling a tournament's webhook that it has ended."""
