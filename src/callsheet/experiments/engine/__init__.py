"""Measuring the engine: on the authors' real bags, and on made ones of the same statistics."""
