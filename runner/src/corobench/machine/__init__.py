"""The box that measures."""
