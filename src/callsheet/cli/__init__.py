"""The doors: verbs that parse, call one function, print."""
