"""Clip networks (I3D, or a user's own): sixteen pictures of one body in, one vector out."""
