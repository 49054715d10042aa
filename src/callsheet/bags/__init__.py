"""The hall where script and picture meet: evidence + tracks -> bags -> quotas."""
