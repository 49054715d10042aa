"""`python -m callsheet`."""

from callsheet.cli.main import main

if __name__ == "__main__":
    main()
