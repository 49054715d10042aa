"""The methods: settings and a solver each, with `start`, `step`, `finished` and `conclude`.

`iterate` owns the loop and says what it needs of a solver.
"""
