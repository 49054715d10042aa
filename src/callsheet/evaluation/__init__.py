"""Labels judged: measures with a signature and an interval."""
