"""Measures of the picture wing: tracking against a rival, frames per second of each stage."""
