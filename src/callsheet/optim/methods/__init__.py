"""The methods: each a solver with `start`, `step`, `finished` and `measure` (see `iterate`)."""
