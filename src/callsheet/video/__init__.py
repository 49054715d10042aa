"""The picture wing: video in, shots, tracks and descriptors out."""
