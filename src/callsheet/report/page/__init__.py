"""The HTML pages: one for the library, one for each film, each complete in its one file."""
