"""One module a verb, each with one click command called `command`."""
