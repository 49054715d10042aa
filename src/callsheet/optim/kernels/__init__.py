"""Compiled inner loops (numba, cached on disk). Imported only when a problem is solved."""
