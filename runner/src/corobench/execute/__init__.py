"""Starts programs and measures them."""
