"""How well the script wing reads, measured on real data that is not part of the package."""
